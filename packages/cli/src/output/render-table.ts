import { textWidth } from './text-width.ts'

export interface TableColumn {
  readonly title: string
  readonly isFlexible: boolean
  readonly isMain: boolean
}

export interface TableText {
  readonly columns: readonly TableColumn[]
  readonly rows: readonly (readonly string[])[]
  readonly width: number
  /** The least width of the main column, unless its texts are shorter. */
  readonly mainWidthMin: number
  readonly styleTitle: (text: string) => string
  readonly styleCell: (text: string, row: number, column: number) => string
}

const columnGap = 2
export const flexibleWidthMin = 12

/** The lines of the table, or undefined when it does not fit even with truncated flexible columns. */
export async function renderTable(table: TableText): Promise<string | undefined> {
  const widths = fittingWidths(table)
  if (!widths) return undefined
  // Loaded here because only a terminal gets a table.
  const { default: Table } = await import('cli-table3')
  const rendered = new Table({
    head: table.columns.map(({ title }) => table.styleTitle(title)),
    // The width of a column includes its padding; the padding of the last column is trimmed below.
    colWidths: widths.map((width) => width + columnGap),
    chars: borderless,
    style: { head: [], border: [], 'padding-left': 0, 'padding-right': columnGap },
  })
  rendered.push(...table.rows.map((row, at) => row.map((text, column) => table.styleCell(text, at, column))))
  return rendered
    .toString()
    .split('\n')
    .map((line) => line.trimEnd())
    .join('\n')
}

function fittingWidths({ columns, rows, width, mainWidthMin }: TableText): number[] | undefined {
  const widths = columns.map(({ title }, index) =>
    // No spread: a list can have more rows than a call can have arguments.
    rows.reduce((most, row) => Math.max(most, textWidth(row[index] ?? '')), textWidth(title)),
  )
  const excess = () => widths.reduce((sum, one) => sum + one, 0) + columnGap * (widths.length - 1) - width
  const cut = (isCuttable: (column: TableColumn) => boolean, widthMin: number) => {
    while (excess() > 0) {
      const cuttable = widths.map((one, index) => (isCuttable(columnAt(index)) && one > widthMin ? one : 0))
      const most = Math.max(...cuttable)
      if (most === 0) return
      widths[cuttable.indexOf(most)] = most - 1
    }
  }
  const columnAt = (index: number) => columns[index] as TableColumn
  cut(({ isMain, isFlexible }) => isFlexible && !isMain, flexibleWidthMin)
  cut(({ isMain }) => isMain, mainWidthMin)
  return excess() > 0 ? undefined : widths
}

const borderless = {
  top: '',
  'top-mid': '',
  'top-left': '',
  'top-right': '',
  bottom: '',
  'bottom-mid': '',
  'bottom-left': '',
  'bottom-right': '',
  left: '',
  'left-mid': '',
  mid: '',
  'mid-mid': '',
  right: '',
  'right-mid': '',
  middle: '',
}
