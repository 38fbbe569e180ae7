/** In the sources of the part: a style sheet would be a part of the first load. */
export const styles = {
  /** Of the dialog, which lies over the list and the thread. */
  width: 'min(760px, calc(100vw - 24px))',
  list: { maxHeight: 'min(60dvh, 520px)', margin: '8px -8px -8px', overflow: 'auto' },
  group: { margin: '10px 8px 2px', color: 'var(--text-soft)', fontSize: '12px', fontWeight: 600 },
  option: { display: 'block', padding: '6px 8px' },
  line: { display: 'flex', justifyContent: 'space-between', gap: '12px' },
  main: { overflowWrap: 'anywhere', minWidth: 0 },
  soft: { color: 'var(--text-soft)', overflowWrap: 'anywhere' },
  time: { color: 'var(--text-soft)', whiteSpace: 'nowrap' },
  mark: { background: 'Mark', color: 'MarkText', borderRadius: '2px' },
} as const
