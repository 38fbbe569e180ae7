import type { Reading } from './reading.ts'
import { sourceFailed } from './source-error.ts'
import type { Row } from './values.ts'

interface Page {
  readonly rows: readonly Row[]
  /** The mark of the next page; undefined at the end. */
  readonly next: string | undefined
  /** Records that the source sent along. */
  readonly beside?: Row
}

/** Reads a list page by page. The mark is that of the page; the first one has none. */
export async function readPages(
  reading: Reading,
  ask: (mark: string | undefined) => Promise<Page>,
  write: (row: Row, page: Page & { mark: string | undefined }) => Promise<void>,
): Promise<void> {
  let mark = reading.mark<string>()
  for (;;) {
    const page = await ask(mark)
    for (const row of page.rows) await write(row, { ...page, mark })
    if (page.next === undefined) return
    if (page.next === mark) throw sourceFailed('The source names the same page as the next one again.')
    mark = page.next
    await reading.save(mark)
  }
}
