import type { RowsOf } from '../storage/pages.ts'
import type { Stored } from '../storage/records.ts'

/** Yields the rows of a list, and reads each page when it is needed. */
export async function* readAll<T>(
  readPage: (cursor: string | undefined) => Promise<RowsOf<T>>,
): AsyncGenerator<Stored<T>> {
  let cursor: string | undefined
  do {
    const { rows, nextCursor } = await readPage(cursor)
    yield* rows
    cursor = nextCursor ?? undefined
  } while (cursor !== undefined)
}
