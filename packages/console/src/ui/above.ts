/** Of a list above its field or its button. In the sources: a style sheet would be a part of the first load. */
export const aboveStyle = {
  position: 'absolute',
  insetBlockEnd: '100%',
  zIndex: 1,
  margin: 0,
  padding: '4px',
  border: '1px solid var(--line)',
  borderRadius: 'var(--radius)',
  background: 'var(--ground-raised)',
  boxShadow: 'var(--shadow)',
} as const
