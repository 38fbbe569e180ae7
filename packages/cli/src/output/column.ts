import { cleanLine } from './clean-text.ts'
import { relativeTime } from './format-time.ts'

type CellValue = string | number | boolean | readonly string[] | null | undefined

/** The title and the value of one column. */
export interface Column<Row> {
  readonly title: string
  readonly value: (row: Row) => CellValue
  /** The value for people, where it is another one than for programs. */
  readonly textForPeople?: (row: Row) => CellValue
  /** An ISO time: shown relative to now on a terminal, unchanged in a pipe. */
  readonly isTime?: boolean
  /** Can be truncated in a table that is too wide for the terminal. */
  readonly isFlexible?: boolean
  /** Hidden in a table that is still too wide, the last column first; a line below the table names hidden columns. */
  readonly isOptional?: boolean
  /** Shown on cards only. Never in a pipe, so that the columns of a pipe stay the same. */
  readonly isDetail?: boolean
}

export function cellForPeople<Row>(column: Column<Row>, row: Row): string {
  const value = (column.textForPeople ?? column.value)(row)
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
