import { textWidth } from './text-width.ts'

export interface TableText {
  readonly titles: readonly string[]
  readonly rows: readonly (readonly string[])[]
  /** Whether each column can be truncated. */
  readonly flexible: readonly boolean[]
  readonly width: number
  readonly styleTitle: (text: string) => string
}

const columnGap = 2
const flexibleWidthMin = 12

/** The lines of the table, or undefined when it does not fit even with truncated flexible columns. */
export async function renderTable(table: TableText): Promise<string | undefined> {
  const widths = fittingWidths(table)
  if (!widths) return undefined
  // Loaded here because only a terminal gets a table.
  const { default: Table } = await import('cli-table3')
  const rendered = new Table({
    head: table.titles.map(table.styleTitle),
    // The width of a column includes its padding; the padding of the last column is trimmed below.
    colWidths: widths.map((width) => width + columnGap),
    chars: borderless,
    style: { head: [], border: [], 'padding-left': 0, 'padding-right': columnGap },
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
    // No spread: a list can have more rows than a call can have arguments.
    rows.reduce((most, row) => Math.max(most, textWidth(row[index] ?? '')), textWidth(title)),
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
