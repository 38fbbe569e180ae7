import type { ReadRow } from './file-rows.ts'
import { type DateOrder, isEpoch, orderOfNumbers } from './parse-moment.ts'
import type { ColumnTargets } from './suggest-mapping.ts'

export const dateTargets: ReadonlySet<string | null> = new Set([
  'createdAt',
  'updatedAt',
  'closedAt',
  'startedAt',
])

/** As many values say enough about a column whose dates need no order. */
const enoughValues = 1_000
const rowsMin = 200

interface Seen {
  values: number
  epochs: number
  dmy: number
  mdy: number
  either: number
}

export interface DatesOfColumn {
  /** The order that the values of the column have; null where no value says it. */
  order: Exclude<DateOrder, 'ymd'> | null
  /** Whether its numbers count seconds or milliseconds since 1970. */
  hasEpochs: boolean
}

/** The form of the dates in a file's columns. One value with a day above 12 decides the order of its column. */
export class ColumnDates {
  readonly #seen = new Map<string, Seen>()

  /** Reads rows until each column with dates has said its order, or the file ends. */
  static async of(rows: AsyncIterable<ReadRow>, targets: ColumnTargets): Promise<ColumnDates> {
    const dates = new ColumnDates()
    let read = 0
    for await (const row of rows) {
      if (row.type !== 'record') continue
      read += 1
      for (const [column, value] of row.values) {
        if (dateTargets.has(targets.of(column).target)) dates.#note(column, value)
      }
      if (read >= rowsMin && dates.#isSettled()) break
    }
    return dates
  }

  column(name: string): DatesOfColumn {
    const { values = 0, epochs = 0, dmy = 0, mdy = 0 } = this.#seen.get(name) ?? {}
    return { order: dmy > mdy ? 'dmy' : mdy > 0 ? 'mdy' : null, hasEpochs: values > 0 && epochs === values }
  }

  #note(column: string, value: unknown): void {
    const text = typeof value === 'string' || typeof value === 'number' ? String(value).trim() : ''
    if (text === '') return
    const seen = this.#seen.get(column) ?? { values: 0, epochs: 0, dmy: 0, mdy: 0, either: 0 }
    seen.values += 1
    if (isEpoch(text)) seen.epochs += 1
    const order = orderOfNumbers(text)
    if (order !== undefined) seen[order] += 1
    this.#seen.set(column, seen)
  }

  #isSettled(): boolean {
    return [...this.#seen.values()].every(
      ({ values, dmy, mdy, either }) => dmy + mdy > 0 || (values >= enoughValues && either === 0),
    )
  }
}
