import type { ImportFile } from '@crmkit/sdk'
import type { Column } from '../../output/column.ts'
import type { Output } from '../../output/output.ts'
import { printList } from '../../output/print-list.ts'
import { printRecord } from '../../output/print-record.ts'

/** Of an uploaded file. */
export const fileColumns: readonly Column<ImportFile>[] = [
  { title: 'Id', value: (row) => row._id },
  { title: 'Module', value: (row) => row.module },
  { title: 'File', value: (row) => row.filename, isFlexible: true },
  { title: 'Format', value: (row) => row.format },
  { title: 'Encoding', value: (row) => row.encoding },
  { title: 'Size', value: (row) => row.size },
  { title: 'Survey', value: surveyOf, isFlexible: true },
]

type FileColumn = NonNullable<ImportFile['columns']>[number]

const columnColumns: readonly Column<FileColumn>[] = [
  { title: 'Column', value: (row) => row.name, isFlexible: true },
  { title: 'Holds', value: (row) => holdsOf(row) },
  { title: 'Filled', value: (row) => row.filled },
  { title: 'Samples', value: (row) => row.samples.join(' | '), isFlexible: true },
  { title: 'Goes to', value: (row) => row.target ?? 'nowhere', isFlexible: true },
]

function holdsOf({ kind, dateOrder, chosenDateOrder, unprovenDates }: FileColumn): string {
  const open = unprovenDates > 0 ? `(${unprovenDates} could be day or month first)` : ''
  return [kind, chosenDateOrder ?? dateOrder ?? '', open].filter((part) => part !== '').join(' ')
}

interface Word {
  column: string
  value: string
  count: number
  meaning: string | null
}

const wordColumns: readonly Column<Word>[] = [
  { title: 'Column', value: (row) => row.column, isFlexible: true },
  { title: 'Word', value: (row) => row.value, isFlexible: true },
  { title: 'Rows', value: (row) => row.count },
  { title: 'Becomes', value: (row) => row.meaning ?? 'the default; the word is kept' },
]

function surveyOf({ survey }: ImportFile): string {
  const { status, error } = survey ?? {}
  return [status, error?.message].filter((part) => part !== undefined).join(': ')
}

/** Prints a file; on a terminal with what its columns hold, where they go, and what their words become. */
export async function showFile(output: Output, file: ImportFile): Promise<void> {
  printRecord(output, { row: file, columns: fileColumns, quiet: file._id })
  if (output.json || output.isQuiet || !output.isTerminal) return
  const columns = file.columns ?? []
  await printList(output, { rows: columns, columns: columnColumns })
  const changed = file.survey?.changed ?? []
  if (changed.length > 0) output.print(`Of all rows, these columns are no ids: ${changed.join(', ')}`)
  const words = columns.flatMap(({ name, values }) =>
    (values ?? []).map((word): Word => ({ column: name, ...word })),
  )
  if (words.length > 0) await printList(output, { rows: words, columns: wordColumns })
}
