import type { Page } from '@crmkit/sdk'
import type { Context } from '../context.ts'
import type { Column } from '../output/column.ts'
import { isForPeople, type Output } from '../output/output.ts'
import { printCount, printList, printRows } from '../output/print-list.ts'
import { startProgress } from '../output/progress.ts'
import { type FetchPage, type PagingOptions, readPages } from './collect-rows.ts'

interface ListRequest<Row extends { readonly _id: string }> {
  readonly paging: PagingOptions
  readonly fetchPage: FetchPage<Row>
  readonly columns: readonly Column<Row>[]
  /** The columns of a table on a terminal, where they are others. */
  readonly columnsForPeople?: ((rows: readonly Row[]) => Promise<readonly Column<Row>[]>) | undefined
  /** One row, such as "customer", for the line below the table. */
  readonly noun: string
  /** Printed on a terminal instead of a table. */
  readonly forPeople?: ((output: Output, rows: readonly Row[]) => void) | undefined
}

/** Reads the requested pages of a list and prints them. */
export async function showList<Row extends { readonly _id: string }>(
  { output }: Context,
  { paging, fetchPage, columns, columnsForPeople, noun, forPeople }: ListRequest<Row>,
): Promise<void> {
  const quiet = ({ _id }: Row) => _id
  // Rows without a common width are printed page by page, so that a long list fits in memory.
  const isStream = !output.json && (output.isQuiet || !output.isTerminal)
  const progress = startProgress(output, noun)
  const rows: Row[] = []
  let count = 0
  let last: Page<Row> | undefined
  try {
    for await (const page of readPages(paging, fetchPage)) {
      last = page
      count += page.data.length
      if (isStream) printRows(output, { rows: page.data, columns, quiet })
      else rows.push(...page.data)
      progress.update(count, { total: paging.all ? page.total : Math.min(page.total, paging.limit) })
    }
  } finally {
    progress.end()
  }
  const shown =
    columnsForPeople && isForPeople(output) && rows.length > 0 ? await columnsForPeople(rows) : columns
  if (!isStream) await printList(output, { rows, columns: shown, forPeople })
  if (last) printCount(output, { ...last, count, noun })
}
