/** In the sources of the part: a style sheet would be a part of the first load. */
export const styles = {
  frame: { display: 'flex', flexWrap: 'wrap', alignContent: 'start', minHeight: 0, overflow: 'auto' },
  sections: { display: 'flex', flex: '0 1 170px', flexWrap: 'wrap', flexDirection: 'row', padding: '0 8px' },
  section: { flex: '1 1 150px' },
  body: { flex: '1 1 320px', minWidth: 0, maxWidth: 960, padding: '0 14px 24px' },
  wide: { overflowX: 'auto' },
  table: { width: '100%', borderCollapse: 'collapse' },
  head: { textAlign: 'start', padding: '6px 8px', fontSize: 12, color: 'var(--text-soft)' },
  cell: { padding: '6px 8px', borderTop: '1px solid var(--line)', verticalAlign: 'top' },
  choices: { display: 'grid', gap: 6, margin: '8px 0', padding: 0, border: 0 },
  facts: { display: 'grid', gridTemplateColumns: 'auto 1fr', gap: '4px 12px' },
  fact: { margin: 0, overflowWrap: 'anywhere' },
  code: { overflowWrap: 'anywhere', fontSize: 12 },
  actions: { display: 'flex', flexWrap: 'wrap', gap: 8, margin: '10px 0' },
} as const
