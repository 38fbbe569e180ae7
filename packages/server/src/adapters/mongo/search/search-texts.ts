import { rulesOf } from '../../../storage/kinds/derive.ts'
import type { Kind } from '../../../storage/kinds/registry.ts'
import type { SearchTerm } from '../../../storage/search-text.ts'
import type { CollectionAccess } from '../connection/access.ts'
import type { CollectionName } from '../connection/collections.ts'
import { type Filter, isOneOf, trusted } from '../connection/filters.ts'
import { type Clue, cluesOf, shortGram } from './grams.ts'
import { numbersOf } from './search-numbers.ts'

/** The index narrows a huge search by its first terms; every candidate is checked against the stored text anyway. */
const narrowingTermsMax = 8
const cluesPerTermMax = 16
const cluesMax = 32
/** A clue of this many rows counts as common. */
const rareMax = 1_000

/** A way to find the rows that have a term. */
interface Way {
  term: SearchTerm
  /** Every row with the term has one of these clues. */
  clues: Clue[]
}

function waysOf(term: SearchTerm): Way[] {
  const ofText = cluesOf(term.text, cluesPerTermMax)
  if (term.digits === null) return ofText.map((clue) => ({ term, clues: [clue] }))
  // A matching row has the text or the digits: each way pairs a clue of the one with a clue of the other.
  const ofDigits = cluesOf(term.digits, cluesPerTermMax)
  const count = Math.max(ofText.length, ofDigits.length)
  return Array.from({ length: count }, (_, index) => ({
    term,
    clues: [ofText[index % ofText.length], ofDigits[index % ofDigits.length]].filter(
      (clue) => clue !== undefined,
    ),
  }))
}

/** Characters with a meaning in regular expressions; in front of others a backslash would give them one. */
const special = /[!-/:-@[-`{-~]/g

function hasClue({ text, isBeginning }: Clue): Filter {
  if (!isBeginning) return { grams: text }
  // As an operator, not as an expression: the filter can then be compared as JSON.
  return { grams: trusted({ $regex: `^${text.replace(special, '\\$&')}` }) }
}

function isFoundBy({ clues }: Way): Filter {
  const [first, ...others] = clues.map(hasClue)
  return others.length === 0 && first !== undefined ? first : { $or: clues.map(hasClue) }
}

interface CountedWay extends Way {
  /** How many rows the index has, counted up to `rareMax`. */
  rows: number
}

/**
 * Returns the ways, that with the fewest rows first, as the index counts them: MongoDB uses only one of several grams, and does
 * not know which one is rare.
 */
async function rankedWays(
  access: CollectionAccess,
  name: CollectionName,
  terms: readonly SearchTerm[],
): Promise<CountedWay[]> {
  // The longest terms first: when all are common, one of theirs is used.
  const longest = terms.slice(0, narrowingTermsMax).sort((a, b) => b.length - a.length)
  const ways = longest.flatMap(waysOf).slice(0, cluesMax)
  // The count would cost a search for one short word its second command.
  if (ways.length < 2) return ways.map((way) => ({ ...way, rows: rareMax }))
  const counts = await Promise.all(ways.map((way) => access.count(name, isFoundBy(way), rareMax)))
  return ways.map((way, index) => ({ ...way, rows: counts[index] ?? 0 })).sort((a, b) => a.rows - b.rows)
}

const isDecided = ({ clues }: Way) => clues.every(({ isWhole }) => isWhole)

/** Reading the numbers of so many texts takes some 100 ms: the numbers of a term with more are not compared with others. */
const textsMax = 60_000
/** So many numbers can be named in a command. */
const namedMax = 20_000

/**
 * Returns the numbers of rows that have all terms that the index decides, each of which many rows have; undefined when fewer than two terms
 * are so, or too many rows have all. Reading the rows of one common term would cost far more than reading the numbers of all.
 */
async function numbersOfAll(
  access: CollectionAccess,
  name: CollectionName,
  ways: readonly CountedWay[],
): Promise<{ numbers: number[]; terms: SearchTerm[] } | undefined> {
  const decided = ways.filter(isDecided)
  if ((ways[0]?.rows ?? 0) < rareMax || decided.length < 2) return undefined
  const lists = await Promise.all(
    decided.map(async (way) => {
      const read = await numbersOf(access, { name, where: [isFoundBy(way)], textsMax, numbersMax: textsMax })
      return { term: way.term, ...read }
    }),
  )
  const whole = lists.filter(({ texts }) => texts < textsMax)
  const [first, ...others] = whole.sort((a, b) => a.numbers.length - b.numbers.length)
  if (first === undefined || others.length === 0) return undefined
  const sets = others.map(({ numbers }) => new Set(numbers))
  const numbers = first.numbers.filter((number) => sets.every((set) => set.has(number)))
  return numbers.length > namedMax ? undefined : { numbers, terms: whole.map(({ term }) => term) }
}

function contains(part: string): object {
  return { $gte: [{ $indexOfBytes: ['$text', { $literal: part }] }, 0] }
}

/** Matches the texts in which every term occurs, by the rule of `matchesText`. Needs no index. */
function textHasTerms(terms: readonly SearchTerm[]): Filter {
  const short = terms.map(shortGram).filter((gram) => gram !== undefined)
  const checks = terms
    .filter((term) => shortGram(term) === undefined)
    .map(({ text, digits }) =>
      digits === null ? contains(text) : { $or: [contains(text), contains(digits)] },
    )
  if (short.length > 0) checks.push({ $setIsSubset: [{ $literal: short }, '$grams'] })
  return { $expr: trusted({ $and: checks }) }
}

/** A number names one text, and not all those of a conversation. */
const hasOwnText = (kind: Kind) => rulesOf(kind).searchedThrough === undefined

export interface TextSearch {
  /** Matches the texts in which every term occurs; empty without terms. */
  where: Filter[]
  /**
   * The search index finds so few rows that they are best read by it and sorted. It then has to be named: MongoDB would repeat the
   * choice of the search before, which may have read the list in its order because it had many matches.
   */
  hasFewRows: boolean
}

/** So few rows are best read by the search index and sorted, when nothing has to be counted. */
export const fewRowsMax = 5_000

/** Looks terms up in the search index by one of them; the others are compared in the texts. So it reads no long list of numbers. */
export async function searchTextsByOne(
  access: CollectionAccess,
  name: Kind,
  terms: readonly SearchTerm[],
): Promise<TextSearch> {
  const [way] = await rankedWays(access, name, terms)
  if (way === undefined) return { where: [], hasFewRows: false }
  const isRare = way.rows < rareMax
  const rows = isRare ? way.rows : await access.count(name, isFoundBy(way), fewRowsMax)
  const others = isDecided(way) ? terms.filter((term) => term !== way.term) : terms
  const where = [isFoundBy(way), ...(others.length > 0 ? [textHasTerms(others)] : [])]
  return { where, hasFewRows: rows < fewRowsMax }
}

/** Looks terms up in the search index, which alone decides terms of at most eight characters. */
export async function searchTexts(
  access: CollectionAccess,
  name: Kind,
  terms: readonly SearchTerm[],
): Promise<TextSearch> {
  const ways = await rankedWays(access, name, terms)
  const [way] = ways
  if (way === undefined) return { where: [], hasFewRows: false }
  const shared = await numbersOfAll(access, name, ways)
  const known = new Set([
    ...(isDecided(way) ? [way.term] : []),
    ...(shared && hasOwnText(name) ? shared.terms : []),
  ])
  const others = terms.filter((term) => !known.has(term))
  return {
    where: [
      isFoundBy(way),
      ...(shared ? [isOneOf('searchNumber', shared.numbers)] : []),
      ...(others.length > 0 ? [textHasTerms(others)] : []),
    ],
    hasFewRows: (shared?.numbers.length ?? way.rows) < rareMax,
  }
}
