import { cleanLine } from './clean-text.ts'
import { relativeTime } from './format-time.ts'

type CellValue = string | number | boolean | readonly string[] | null | undefined

/** How one property of a row is shown. */
export interface Column<Row> {
  readonly title: string
  readonly value: (row: Row) => CellValue
  /** An ISO time: relative on a terminal, as it is in a pipe. */
  readonly isTime?: boolean
  /** May be cut in a table that is too wide for the terminal. */
  readonly isFlexible?: boolean
  /** Left out of a table that is still too wide, the last one first; the line below the table says so. */
  readonly isOptional?: boolean
  /** Left out of tables: shown on cards and, so that no one parses what varies, never in a pipe. */
  readonly isDetail?: boolean
}

export function cellForPeople<Row>(column: Column<Row>, row: Row): string {
  const value = column.value(row)
  if (column.isTime && typeof value === 'string') return relativeTime(cleanLine(value))
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  return cleanLine(joined(value, ', ')) || '–'
}

export function cellForPrograms<Row>(column: Column<Row>, row: Row): string {
  return cleanLine(joined(column.value(row), ','))
}

function joined(value: CellValue, separator: string): string {
  if (value === null || value === undefined) return ''
  return Array.isArray(value) ? value.join(separator) : String(value)
}
