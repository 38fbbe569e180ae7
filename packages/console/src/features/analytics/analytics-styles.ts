/** In the sources of the part: a style sheet would be a part of the first load. */
export const styles = {
  body: {
    display: 'grid',
    alignContent: 'start',
    gridTemplateColumns: 'minmax(0, 1fr)',
    gap: '18px',
    minHeight: 0,
    maxWidth: '1100px',
    padding: '0 14px 24px',
    overflow: 'auto',
  },
  head: { display: 'flex', flexWrap: 'wrap', alignItems: 'baseline', gap: '8px 14px' },
  title: { flex: '1 1 auto', margin: 0, fontSize: '15px' },
  hint: { margin: 0, color: 'var(--text-soft)' },
  chart: { display: 'block', width: '100%', height: '140px' },
  wide: { overflowX: 'auto' },
  table: { width: '100%', borderCollapse: 'collapse', fontVariantNumeric: 'tabular-nums' },
  columnHead: { textAlign: 'start', padding: '4px 8px', fontSize: '12px', color: 'var(--text-soft)' },
  cell: { padding: '4px 8px', borderTop: '1px solid var(--line)', textAlign: 'start' },
  bar: { height: '10px', minWidth: '2px', borderRadius: '2px', background: 'var(--accent)' },
  hour: { padding: '3px', minWidth: '22px', textAlign: 'center', fontSize: '12px' },
} as const
