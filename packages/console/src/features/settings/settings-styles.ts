/** In the sources of the part: a style sheet would be a part of the first load. */
export const styles = {
  frame: {
    gridRow: '4',
    display: 'flex',
    flexWrap: 'wrap',
    alignContent: 'start',
    alignItems: 'start',
    minHeight: 0,
    overflow: 'auto',
  },
  /** Beside the section on a wide screen, above it on a narrow one. */
  sections: { display: 'flex', flex: '1 1 170px', flexWrap: 'wrap', flexDirection: 'row', padding: '0 8px' },
  section: { flex: '1 1 150px' },
  body: {
    display: 'grid',
    flex: '999 1 320px',
    gridTemplateColumns: 'minmax(0, 1fr)',
    gap: '10px',
    minWidth: 0,
    maxWidth: '960px',
    padding: '0 14px 24px',
  },
  form: { display: 'grid', gridTemplateColumns: 'minmax(0, 1fr)', gap: '10px', maxWidth: '420px' },
  wide: { overflowX: 'auto' },
  table: { width: '100%', borderCollapse: 'collapse' },
  head: { textAlign: 'start', padding: '6px 8px', fontSize: '12px', color: 'var(--text-soft)' },
  cell: { padding: '6px 8px', borderTop: '1px solid var(--line)', verticalAlign: 'top' },
  choices: { display: 'grid', gap: '6px', margin: '8px 0', padding: 0, border: 0 },
  facts: { display: 'grid', gridTemplateColumns: 'auto 1fr', gap: '4px 12px' },
  fact: { margin: 0, overflowWrap: 'anywhere' },
  code: { overflowWrap: 'anywhere', fontSize: '12px' },
  actions: { display: 'flex', flexWrap: 'wrap', gap: '8px', margin: 0 },
} as const
