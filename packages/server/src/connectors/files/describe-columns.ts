import {
  choiceTargets,
  type DateOrder,
  type HeaderTargets,
  type ImportColumn,
  isEmail,
  type ValueTargets,
} from '@crmkit/core'
import type { ColumnWords, StoredSurvey } from '../../storage/kinds/import-files.ts'
import { type GivenWords, givenWords, meaningOf, wordLengthMax } from './choice-words.ts'
import { dateTargets } from './column-dates.ts'
import { isEitherOrder, isEpoch, orderOfNumbers, parseMoment } from './parse-moment.ts'
import { mappingOf, type SuggestedFrom } from './suggest-mapping.ts'

const samplesMax = 3
const sampleLengthMax = 100
export const wordsMax = 200
/** Of the values, as many must be of a kind. */
const shareMin = 0.8
/** A column of a choice has few words, and repeats them: as many rows for each on average. */
const choiceWordsMax = 50
const rowsPerWordMin = 2

interface ChosenDates {
  /** The orders that a person chose for columns. */
  orders: Readonly<Record<string, DateOrder>> | undefined
  /** Whether a person chose one order for all columns. */
  isChosen: boolean
}

interface Chosen {
  /** The targets that a person set for the file's module. */
  chosen?: HeaderTargets | undefined
  values?: ValueTargets | undefined
  dates?: ChosenDates
}

/** Describes the columns of a file by its first rows, for people who look at the mapping. */
export function describeColumns(
  file: SuggestedFrom & { module: string; survey?: StoredSurvey | undefined },
  rows: readonly (readonly unknown[])[],
  { chosen, values, dates }: Chosen,
): ImportColumn[] {
  const { module, headers } = file
  const targets = new Map(Object.entries(mappingOf(module, file, chosen)))
  const suggested = new Map(Object.entries(mappingOf(module, file)))
  const given = givenWords(values)
  const survey = file.survey?.status === 'done' ? file.survey : undefined
  const orders = new Map(survey?.dateOrders)
  const eithers = survey?.eitherDates && new Map(survey.eitherDates)
  const known = new Map(survey?.words.map(({ column, list }) => [column, list]))
  return headers.map((name, at) => {
    const texts = rows.map((row) => textOf(row[at])).filter((text) => text !== '')
    const target = targets.get(name) ?? null
    const counted = eithers && (eithers.get(name) ?? 0)
    const order = datesOf(
      { name, target, texts },
      { proven: orders, isSurveyed: survey !== undefined, counted, dates },
    )
    const words = isChoice(target) ? (known.get(name) ?? wordsOf(texts)) : null
    return {
      position: at + 1,
      name,
      filled: survey?.filled[at] ?? texts.length,
      kind: kindOf(texts, target),
      ...order,
      samples: [...new Set(texts.map((text) => text.slice(0, sampleLengthMax)))].slice(0, samplesMax),
      target,
      suggested: suggested.get(name) ?? null,
      by: Object.hasOwn(chosen ?? {}, name) ? 'person' : 'suggested',
      values: words && meaningsOf(words, target, given),
    }
  })
}

interface DescribedColumn {
  name: string
  target: string | null
  texts: readonly string[]
}

interface KnownDates {
  proven: ReadonlyMap<string, 'dmy' | 'mdy'>
  isSurveyed: boolean
  /** The dates of either order that the survey has counted. */
  counted: number | undefined
  dates: ChosenDates | undefined
}

/** Says by which order the dates of a column are read, and how many have none. */
function datesOf(
  { name, target, texts }: DescribedColumn,
  { proven, isSurveyed, counted, dates }: KnownDates,
): Pick<ImportColumn, 'dateOrder' | 'chosenDateOrder' | 'unprovenDates'> {
  const orders = dates?.orders ?? {}
  const chosenDateOrder = Object.hasOwn(orders, name) ? (orders[name] ?? null) : null
  const dateOrder = isSurveyed ? (proven.get(name) ?? null) : dateOrderOf(texts)
  const isSaid = dateOrder !== null || chosenDateOrder !== null || dates?.isChosen === true
  const isOpen = dateTargets.has(target) && !isSaid
  return {
    dateOrder,
    chosenDateOrder,
    unprovenDates: isOpen ? (counted ?? texts.filter(isEitherOrder).length) : 0,
  }
}

/** Returns the columns whose words have to be given a meaning. */
export function choiceColumnsOf(mapping: HeaderTargets): ReadonlySet<string> {
  return new Set(Object.entries(mapping).flatMap(([name, target]) => (isChoice(target) ? [name] : [])))
}

function textOf(value: unknown): string {
  if (value === null || value === undefined) return ''
  return (typeof value === 'object' ? JSON.stringify(value) : String(value)).trim()
}

type Choice = Parameters<typeof meaningOf>[0]

function isChoice(target: string | null): target is Choice {
  return target !== null && Object.hasOwn(choiceTargets, target)
}

type Words = ColumnWords['list']

function meaningsOf(words: Words, target: string | null, given: GivenWords): ImportColumn['values'] {
  return words.map(([value, count]) => {
    const meaning = isChoice(target) ? (meaningOf(target, value, given) ?? null) : null
    return { value, count, meaning }
  })
}

function wordsOf(texts: readonly string[]): Words {
  const counts = new Map<string, number>()
  for (const text of texts) {
    const word = text.slice(0, wordLengthMax)
    if (counts.has(word) || counts.size < wordsMax) counts.set(word, (counts.get(word) ?? 0) + 1)
  }
  return [...counts]
}

const isNumber = (text: string) => /^[-+]?\d{1,30}(?:[.,]\d{1,30})?$/.test(text)
const isPhone = (text: string) => /^\+?[\d\s()./-]{7,40}$/.test(text) && /[+\s()./-]/.test(text)
const isDate = (text: string) =>
  isEpoch(text) || parseMoment(text, { timeZone: null, dateOrder: orderOf(text) }) !== null

function orderOf(text: string): 'dmy' | 'mdy' {
  return orderOfNumbers(text) === 'mdy' ? 'mdy' : 'dmy'
}

function kindOf(texts: readonly string[], target: string | null): ImportColumn['kind'] {
  if (texts.length === 0) return 'empty'
  if (target === 'id' || target === 'customerId' || target === 'parentId') return 'id'
  const holds = (test: (text: string) => boolean) => texts.filter(test).length >= shareMin * texts.length
  if (holds(isEmail)) return 'email'
  if (holds(isDate)) return 'date'
  if (holds(isNumber)) return 'number'
  if (holds(isPhone)) return 'phone'
  const words = new Set(texts).size
  const isRepeated = words <= choiceWordsMax && texts.length >= rowsPerWordMin * words
  if (isChoice(target) || isRepeated) return 'choice'
  return 'text'
}

/** One value with a day above 12 decides, as when the file is imported. */
function dateOrderOf(texts: readonly string[]): ImportColumn['dateOrder'] {
  const orders = texts.map(orderOfNumbers)
  const [dmy, mdy] = (['dmy', 'mdy'] as const).map((one) => orders.filter((order) => order === one).length)
  if (dmy === undefined || mdy === undefined || dmy + mdy === 0) return null
  return dmy > mdy ? 'dmy' : 'mdy'
}
