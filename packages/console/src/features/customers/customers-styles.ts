/** In the sources of the part: a style sheet would be a part of the first load. */
export const styles = {
  body: { padding: '0 14px 24px', overflow: 'auto', minHeight: 0 },
  bar: { display: 'flex', flexWrap: 'wrap', gap: '8px', padding: '0 14px 10px', alignItems: 'end' },
  field: { display: 'grid', gap: '2px', fontSize: '12px' },
  input: { minWidth: 0, width: '150px' },
  /** On a narrow screen it scrolls sideways: no word is broken that fits into its column. */
  table: { width: '100%', borderCollapse: 'collapse' },
  head: { textAlign: 'start', padding: '6px 8px', fontSize: '12px', color: 'var(--text-soft)' },
  cell: {
    maxWidth: '17em',
    padding: '6px 8px',
    borderTop: '1px solid var(--line)',
    overflowWrap: 'break-word',
  },
  columns: { display: 'flex', flexWrap: 'wrap', gap: '24px', alignItems: 'start' },
  facts: { display: 'grid', gap: '10px', flex: '1 1 220px', maxWidth: '320px' },
  tabs: { display: 'grid', gap: '10px', flex: '3 1 320px', minWidth: 0 },
  note: { padding: '10px 0', borderTop: '1px solid var(--line)' },
  text: { whiteSpace: 'pre-wrap', overflowWrap: 'anywhere', margin: '4px 0' },
  soft: { color: 'var(--text-soft)' },
  area: { width: '100%', boxSizing: 'border-box' },
} as const
