/** Lets work on the same row run one after the other in this process, so that rivals here never undo each other. */
export function createTurns() {
  const last = new Map<string, Promise<unknown>>()
  return async function inTurn<T>(rows: readonly string[], work: () => Promise<T>): Promise<T> {
    // All places are taken in this very moment, so two works never wait for each other.
    const before = rows.map((row) => last.get(row))
    const run = Promise.allSettled(before).then(work)
    for (const row of rows) last.set(row, run)
    try {
      return await run
    } finally {
      for (const row of rows) if (last.get(row) === run) last.delete(row)
    }
  }
}
