import type { CellUse, SourceModule, SourceWarning } from '../../ports/connector.ts'
import { type ChoiceTarget, type GivenWords, type Meaning, meaningOf, wordLengthMax } from './choice-words.ts'
import type { ColumnDates } from './column-dates.ts'
import type { FileRow } from './file-rows.ts'
import {
  type DateOrder,
  isEitherOrder,
  type MomentRules,
  orderOfNumbers,
  parseMoment,
} from './parse-moment.ts'
import { type ColumnTargets, hasCustomFields } from './suggest-mapping.ts'

const customPrefix = 'customFields.'

interface Cell {
  column: string
  value: unknown
}

/** How the dates of a file are read: as a person chose for their column, else by what it says, else by what the integration does. */
export interface DateRules extends Pick<MomentRules, 'timeZone' | 'dateOrder'> {
  /** Whether a person chose `dateOrder`. */
  isDateOrderChosen: boolean
  /** The order that a person chose for a column. */
  chosenOrders: ReadonlyMap<string, DateOrder>
  dates: Pick<ColumnDates, 'column'>
}

/** Reads the cells of one row by their targets. It keeps a value without a use as a custom field, or names it in a warning. */
export class RowReader {
  readonly warnings: SourceWarning[]
  /** The use of each cell with a value, by its column. */
  readonly #uses = new Map<string, CellUse>()
  readonly #byTarget = new Map<string, Cell[]>()
  readonly #custom = new Map<string, unknown>()
  /** The column of each custom field. */
  readonly #customColumns = new Map<string, string>()
  readonly #rules: DateRules
  readonly #words: GivenWords
  readonly #hasCustomFields: boolean

  constructor(
    module: SourceModule,
    { values, warnings }: FileRow,
    { targets, rules, words }: { targets: ColumnTargets; rules: DateRules; words: GivenWords },
  ) {
    this.#rules = rules
    this.#words = words
    this.#hasCustomFields = hasCustomFields(module)
    this.warnings = [...warnings]
    for (const [column, value] of values) this.#sort({ column, value }, targets)
  }

  /** Puts a cell to its target, or keeps it. */
  #sort(cell: Cell, targets: ColumnTargets): void {
    const { column, value } = cell
    if (typeof value === 'string' && value.includes('\ufffd')) this.warnings.push(unreadableSigns(column))
    const { target, isChosen } = targets.of(column)
    const isLeftOut = target === null && isChosen
    if (!isEmpty(value)) this.#uses.set(column, isLeftOut ? 'leftOut' : 'lost')
    if (isLeftOut) return
    if (target === null) this.#keep(column, cell)
    else if (target.startsWith(customPrefix)) this.#keep(target.slice(customPrefix.length), cell)
    else this.#byTarget.set(target, [...(this.#byTarget.get(target) ?? []), cell])
  }

  /** Returns the column that has a target. */
  columnOf(target: string): string | undefined {
    return this.#cellOf(target)?.column
  }

  /** Returns the first cell of a target that is filled, else its first one. */
  #cellOf(target: string): Cell | undefined {
    const cells = this.#byTarget.get(target) ?? []
    return cells.find(({ value }) => !isEmpty(value)) ?? cells[0]
  }

  /** Keeps the filled cells of a target that the record does not use. */
  keepUnused(target: string): void {
    for (const cell of this.#byTarget.get(target) ?? []) {
      if (this.#uses.get(cell.column) === 'lost') this.#keep(cell.column, cell)
    }
  }

  /** Returns what each cell with a value is used for: those that a warning names are named. */
  uses(): Map<string, CellUse> {
    for (const { code, column } of this.warnings) {
      const isNamed = code !== 'SOURCE_TRUNCATED' && column !== undefined
      if (isNamed && this.#uses.has(column) && this.#uses.get(column) !== 'leftOut')
        this.#uses.set(column, 'named')
    }
    return this.#uses
  }

  /** Returns the column of each target and custom field. */
  columns(): Map<string, string> {
    const columns = new Map(this.#customColumns)
    for (const target of this.#byTarget.keys()) columns.set(target, this.columnOf(target) ?? '')
    return columns
  }

  #use(column: string, use: 'stored' | 'kept'): void {
    if (this.#uses.get(column) === 'lost') this.#uses.set(column, use)
  }

  /** Keeps a value as a custom field, where the record can have any. */
  #keep(name: string, { column, value }: Cell): void {
    if (this.#hasCustomFields) {
      this.#use(column, 'kept')
      const free = this.#freeName(name)
      this.#custom.set(free, value === '' ? null : value)
      this.#customColumns.set(`${customPrefix}${free}`, column)
      return
    }
    if (isEmpty(value)) return
    const message = 'the records of this module have no custom fields: its values are not imported'
    this.warnings.push({ code: 'COLUMN_NOT_STORED', message, column, isCounted: true })
  }

  /** Another column may have been mapped to a custom field of this name. */
  #freeName(name: string): string {
    let free = name
    for (let number = 2; this.#custom.has(free); number++) free = `${name} ${number}`
    return free
  }

  text(target: string): string | null {
    const cell = this.#cellOf(target)
    return cell === undefined ? null : this.#textOf(target, cell)
  }

  #textOf(target: string, { value, column }: Cell): string | null {
    if (value === null || value === undefined) return null
    if (typeof value === 'object') {
      this.#warn(column, `${target} is no text`)
      return null
    }
    this.#use(column, 'stored')
    const text = String(value).trim()
    return text === '' ? null : text
  }

  /** Returns the texts of a target that the record has beside the one that it uses. Their cells are kept. */
  others(target: string): string[] {
    const used = this.#cellOf(target)
    const others = (this.#byTarget.get(target) ?? []).filter((cell) => cell !== used && isScalar(cell.value))
    return others.flatMap(({ value }) => (isEmpty(value) ? [] : [String(value).trim()]))
  }

  /** Texts keep their newlines. */
  lines(target: string): string | null {
    const text = this.text(target)
    const value = this.#cellOf(target)?.value
    return typeof value === 'string' && text !== null ? value : text
  }

  moment(target: string): string | null {
    const text = this.text(target)
    if (text === null) return null
    const column = this.columnOf(target) ?? ''
    const { order: proven, hasEpochs } = this.#rules.dates.column(column)
    const { timeZone, dateOrder, isDateOrderChosen, chosenOrders } = this.#rules
    const chosen = chosenOrders.get(column)
    const order = chosen ?? proven
    const moment = parseMoment(text, { timeZone, dateOrder: order ?? dateOrder, hasEpochs })
    if (moment === null) this.#warnOfDate(column, { target, isOther: isOtherOrder(text, order) })
    else if (chosen !== undefined) this.#warnOfChoice(column, { text, chosen, proven })
    else if (order === null && !isDateOrderChosen && isEitherOrder(text)) this.#warnOfOrder(column, dateOrder)
    return moment
  }

  /** A person's order holds, also where the values prove another one: then it is said. */
  #warnOfChoice(
    column: string,
    { text, chosen, proven }: { text: string; chosen: DateOrder; proven: DateOrder | null },
  ): void {
    if (proven === null || proven === chosen || orderOfNumbers(text) === undefined) return
    const message = `is read as ${chosen}, which a person chose; dates of the column can only be ${proven}`
    this.warnings.push({ code: 'DATE_ORDER', message, column, isCounted: true })
  }

  /** It is stored, by an order that nobody has chosen and the column does not prove. */
  #warnOfOrder(column: string, order: DateOrder): void {
    const message =
      `has dates that could be day first or month first: they are read as ${order}, ` +
      'the usual dateOrder of an integration: nobody has chosen an order for the column'
    this.warnings.push({ code: 'DATE_ORDER', message, column, isCounted: true })
  }

  #warnOfDate(column: string, { target, isOther }: { target: string; isOther: boolean }): void {
    if (!isOther) {
      this.#warn(column, `${target} is no date`)
      return
    }
    const message = 'has dates of both orders, day first and month first: these are not imported'
    this.warnings.push({ code: 'DATE_ORDER', message, column, isCounted: true })
  }

  number(target: string): number | null {
    const text = this.text(target)
    if (text === null) return null
    const value = Number(text.replace(',', '.'))
    if (Number.isFinite(value)) return Math.round(value)
    this.#warn(this.columnOf(target), `${target} is no number`)
    return null
  }

  list(target: string): string[] {
    return (this.#byTarget.get(target) ?? []).flatMap((cell) => {
      const { value, column } = cell
      const items = Array.isArray(value)
        ? this.#textsOf(value, column)
        : this.#textOf(target, cell)?.split(/[;,|]/)
      // Additional addresses only find a customer: the customer has no field for them.
      if (target === 'secondaryEmail') this.#keep(column, cell)
      return (items ?? []).flatMap((item) => (item.trim() === '' ? [] : [item.trim()]))
    })
  }

  #textsOf(items: readonly unknown[], column: string): string[] {
    this.#use(column, 'stored')
    const texts = items.flatMap((item) => (isScalar(item) ? [String(item)] : []))
    if (texts.length < items.length) this.#warn(column, 'holds values that are no texts')
    return texts
  }

  /** Returns what a word means here. The word itself is kept as a custom field of its column. */
  choice<T extends ChoiceTarget>(target: T, usual: Meaning<T>): Meaning<T> {
    const word = this.text(target)
    const column = this.columnOf(target)
    if (word === null || column === undefined) return usual
    if (this.#hasCustomFields) this.#keep(column, { column, value: word })
    const meaning = meaningOf(target, word, this.#words)
    if (meaning !== undefined) return meaning
    const message = `${target} has no such value here: it is ${usual}`
    this.warnings.push({
      code: 'UNMAPPED_VALUE',
      message,
      column,
      value: word.slice(0, wordLengthMax),
      isCounted: true,
    })
    return usual
  }

  #warn(column: string | undefined, message: string): void {
    this.warnings.push({ code: 'INVALID_VALUE', message, ...(column !== undefined && { column }) })
  }

  customFields(): Record<string, unknown> {
    return Object.fromEntries(this.#custom)
  }
}

function unreadableSigns(column: string): SourceWarning {
  const message = 'holds bytes that are no text in the encoding of the file'
  return { code: 'INVALID_VALUE', message, column, isCounted: true }
}

function isOtherOrder(text: string, order: string | null): boolean {
  const own = orderOfNumbers(text)
  return order !== null && own !== undefined && own !== 'either' && own !== order
}

function isScalar(value: unknown): boolean {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
}

function isEmpty(value: unknown): boolean {
  return value === null || value === undefined || (typeof value === 'string' && value.trim() === '')
}
