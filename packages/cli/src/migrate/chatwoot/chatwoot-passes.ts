import type { Reading } from '../reading.ts'
import { type Row, rowOf, rowsOf } from '../values.ts'

interface Passes {
  readonly path: string
  readonly query: Readonly<Record<string, string>>
  /** Finds the page in the response. */
  readonly rowsOf: (answer: Row) => unknown
  /** Writes a record; returns whether it was new. */
  readonly write: (row: Row) => Promise<boolean>
  /** Whether this page and all later ones are older than what is asked for. */
  readonly isOld?: (rows: readonly Row[]) => boolean
}

interface Mark {
  readonly page: number
  /** Whether this pass has seen something new. */
  readonly hasNew: boolean
}

/**
 * Reads a list whose order changes meanwhile: what is used moves to its first page, and pushes others to a page that was read
 * already. So the pages are read again until a whole pass sees nothing new.
 */
export async function readPasses(
  reading: Reading,
  { path, query, rowsOf: find, write, isOld }: Passes,
): Promise<void> {
  let { page, hasNew } = reading.mark<Mark>() ?? { page: 1, hasNew: false }
  for (;;) {
    const rows = rowsOf(
      find(
        await reading.client.ask(path, {
          query: { ...query, page },
          isComplete: (answer) => Array.isArray(find(rowOf(answer))),
        }),
      ),
    )
    if (rows.length === 0 || isOld?.(rows)) {
      if (!hasNew) return
      ;({ page, hasNew } = { page: 1, hasNew: false })
      await reading.save({ page, hasNew })
      continue
    }
    for (const row of rows) {
      if (await write(row)) hasNew = true
      await reading.saveNowAndThen({ page, hasNew })
    }
    page += 1
    await reading.saveNowAndThen({ page, hasNew })
  }
}
