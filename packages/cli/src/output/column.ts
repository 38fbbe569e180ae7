import { cleanLine } from './clean-text.ts'
import { deadline, relativeTime } from './format-time.ts'

type CellValue = string | number | boolean | readonly string[] | null | undefined

/** The meaning of a colour. The text says the same, because not every terminal shows colours. */
export type Tone = 'good' | 'attention' | 'bad' | 'quiet'

/** The title and the value of one column. */
export interface Column<Row> {
  readonly title: string
  readonly value: (row: Row) => CellValue
  /** The value for people, where it is another one than for programs. */
  readonly textForPeople?: (row: Row) => CellValue
  /** An ISO time: shown relative to now on a terminal, unchanged in a pipe. */
  readonly isTime?: boolean
  /** A time at which something ends: a date for people, or the remaining time when it is near. */
  readonly isDeadline?: boolean
  /** The main text of a row: optional columns are hidden before it loses its space. */
  readonly isMain?: boolean
  /** Can be truncated in a table that is too wide for the terminal. */
  readonly isFlexible?: boolean
  /** Hidden in a table that is still too wide, the last column first; a line below the table names hidden columns. */
  readonly isOptional?: boolean
  /** Shown on cards only. Never in a pipe, so that the columns of a pipe stay the same. */
  readonly isDetail?: boolean
  /** The colour of a value on a terminal; undefined for a plain one. */
  readonly tone?: (row: Row) => Tone | undefined
}

/** The columns for people: an id is for the next command, so it stands at the end. */
export function idLast<Row>(columns: readonly Column<Row>[]): readonly Column<Row>[] {
  return [...columns.filter(({ title }) => title !== 'Id'), ...columns.filter(({ title }) => title === 'Id')]
}

export function cellForPeople<Row>(column: Column<Row>, row: Row): string {
  const value = (column.textForPeople ?? column.value)(row)
  if (column.isDeadline && typeof value === 'string') return deadline(cleanLine(value))
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
