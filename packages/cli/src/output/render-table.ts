import { textWidth } from './text-width.ts'

export interface TableText {
  readonly titles: readonly string[]
  readonly rows: readonly (readonly string[])[]
  /** For each column, whether it may be cut. */
  readonly flexible: readonly boolean[]
  readonly width: number
  readonly styleTitle: (text: string) => string
}

const columnGap = 2
const flexibleWidthMin = 10

/** The table's lines, or undefined when it does not fit even with its flexible columns cut. */
export async function renderTable(table: TableText): Promise<string | undefined> {
  const widths = fittingWidths(table)
  if (!widths) return undefined
  // Only a terminal gets a table, so only then is its library loaded.
  const { default: Table } = await import('cli-table3')
  const rendered = new Table({
    head: table.titles.map(table.styleTitle),
    // cli-table3 counts the padding as part of a column; the last one needs none.
    colWidths: widths.map((width, index) => width + (index === widths.length - 1 ? 0 : columnGap)),
    chars: borderless,
    style: { head: [], border: [], 'padding-left': 0, 'padding-right': 0 },
  })
  rendered.push(...table.rows.map((row) => [...row]))
  return rendered
    .toString()
    .split('\n')
    .map((line) => line.trimEnd())
    .join('\n')
}

function fittingWidths({ titles, rows, flexible, width }: TableText): number[] | undefined {
  const widths = titles.map((title, index) =>
    Math.max(textWidth(title), ...rows.map((row) => textWidth(row[index] ?? ''))),
  )
  const excess = () =>
    widths.reduce((sum, columns) => sum + columns, 0) + columnGap * (widths.length - 1) - width
  while (excess() > 0) {
    const cuttable = widths.filter((columns, index) => flexible[index] && columns > flexibleWidthMin)
    if (cuttable.length === 0) return undefined
    const widest = widths.findIndex((columns, index) => flexible[index] && columns === Math.max(...cuttable))
    widths[widest] = (widths[widest] ?? 0) - 1
  }
  return widths
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
