import type { DateOrder, HeaderTargets } from '@crmkit/core'
import type { Scratch } from '../../ports/scratch.ts'
import type { ColumnWords, StoredSurvey } from '../../storage/kinds/import-files.ts'
import { wordLengthMax } from './choice-words.ts'
import { choiceColumnsOf, wordsMax } from './describe-columns.ts'
import { roundedId } from './file-record.ts'
import type { FileRow, ReadRow } from './file-rows.ts'
import { isEitherOrder, orderOfNumbers } from './parse-moment.ts'
import { digestOf } from './row-digests.ts'
import { idColumnsOf } from './suggest-mapping.ts'

/**
 * A column is not suggested as the id when more of its values are absent, or those of other records too: in two rows at least, because
 * one is a mistake of its row, which the import names.
 */
const notIdsMax = 0.01
const notIdsMin = 2
/** No date of numbers alone is longer. */
const dateLengthMax = 40

type Order = Exclude<DateOrder, 'ymd'>

interface Column {
  filled: number
  orders: Record<Order | 'either', number>
  words: Map<string, number> | undefined
  ids: { repeats: number; isRounded: boolean } | undefined
}

interface SurveyedFile {
  module: string
  headers: readonly string[]
  /** The target of each column now. */
  mapping: HeaderTargets
}

export type SurveyFigures = Pick<
  StoredSurvey,
  'filled' | 'dateOrders' | 'eitherDates' | 'words' | 'notIds'
> & {
  rows: number
  /** The headers of the file, then fields of JSON that are met behind its head. */
  headers: string[]
}

/** Reads all rows of a file, and finds what they say of its columns. Memory holds a few words of a column; ids are in the scratch. */
export class FileSurvey {
  readonly #file: SurveyedFile
  readonly #scratch: Scratch
  readonly #columns = new Map<string, Column>()
  readonly #choices: ReadonlySet<string>
  #records = 0
  #unreadable = 0

  constructor(file: SurveyedFile, scratch: Scratch) {
    this.#file = file
    this.#scratch = scratch
    this.#choices = choiceColumnsOf(file.mapping)
    for (const name of file.headers) this.#addColumn(name)
  }

  /** Adds a row, and returns whether it has a word that is new: then `addWords` adds its words. */
  add(row: ReadRow): row is FileRow & { type: 'record' } {
    if (row.type === 'unreadable') this.#unreadable += 1
    if (row.type !== 'record') return false
    this.#records += 1
    let digest: string | undefined
    for (const [name, value] of row.values) {
      const text = textOf(value)
      if (text === '') continue
      const column = this.#columns.get(name) ?? this.#addColumn(name)
      column.filled += 1
      noteOrder(column, text)
      if (column.ids === undefined) continue
      digest ??= digestOf([...row.values])
      this.#noteId(name, column.ids, { text, digest })
    }
    const isNew = this.#hasNewWord(row)
    if (!isNew) this.addWords(row)
    return isNew
  }

  #hasNewWord({ values }: FileRow): boolean {
    return [...this.#choices].some((name) => {
      const word = wordOf(values.get(name))
      const words = this.#columns.get(name)?.words
      return word !== '' && words !== undefined && words.size < wordsMax && !words.has(word)
    })
  }

  /** Adds the words of a row that nobody may not see. */
  addWords({ values }: FileRow): void {
    for (const name of this.#choices) {
      const word = wordOf(values.get(name))
      const words = this.#columns.get(name)?.words
      const count = words?.get(word) ?? 0
      if (word !== '' && words && (count > 0 || words.size < wordsMax)) words.set(word, count + 1)
    }
  }

  figures(): SurveyFigures {
    const columns = [...this.#columns]
    return {
      rows: this.#records + this.#unreadable,
      headers: columns.map(([name]) => name),
      filled: columns.map(([, { filled }]) => filled),
      dateOrders: columns.flatMap(([name, { orders }]) => {
        const order = orderOf(orders)
        return order === null ? [] : [[name, order] as const]
      }),
      eitherDates: columns.flatMap(([name, { orders }]) =>
        orders.either === 0 ? [] : [[name, orders.either] as const],
      ),
      words: columns.flatMap(([column, { words }]): ColumnWords[] =>
        words === undefined ? [] : [{ column, list: [...words] }],
      ),
      notIds: columns.flatMap(([name, column]) => (this.#isNoId(column) ? [name] : [])),
    }
  }

  #addColumn(name: string): Column {
    const isId = idColumnsOf(this.#file.module, [name]).length > 0
    const column: Column = {
      filled: 0,
      orders: { dmy: 0, mdy: 0, either: 0 },
      words: this.#choices.has(name) ? new Map() : undefined,
      ids: isId ? { repeats: 0, isRounded: false } : undefined,
    }
    this.#columns.set(name, column)
    return column
  }

  /** An equal row says nothing against an id. */
  #noteId(
    name: string,
    ids: NonNullable<Column['ids']>,
    { text, digest }: { text: string; digest: string },
  ): void {
    ids.isRounded ||= roundedId.test(text)
    const key = digestOf([name, text])
    const known = this.#scratch.add(key, digest)
    if (known !== undefined && known !== digest) ids.repeats += 1
  }

  #isNoId({ ids, filled }: Column): boolean {
    if (ids === undefined) return false
    const wrong = Math.max(this.#records - filled, ids.repeats)
    return ids.isRounded || (wrong >= notIdsMin && wrong > this.#records * notIdsMax)
  }
}

function textOf(value: unknown): string {
  if (value === null || value === undefined) return ''
  return (typeof value === 'object' ? JSON.stringify(value) : String(value)).trim()
}

function noteOrder({ orders }: Column, text: string): void {
  const first = text.charCodeAt(0)
  if (text.length > dateLengthMax || first < 0x30 || first > 0x39) return
  const order = orderOfNumbers(text)
  if (order === 'dmy' || order === 'mdy') orders[order] += 1
  else if (isEitherOrder(text)) orders.either += 1
}

function orderOf({ dmy, mdy }: Column['orders']): Order | null {
  if (dmy + mdy === 0) return null
  return dmy > mdy ? 'dmy' : 'mdy'
}

function wordOf(value: unknown): string {
  return textOf(value).slice(0, wordLengthMax)
}
