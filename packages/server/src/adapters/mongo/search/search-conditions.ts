import type { SearchTerm } from '../../../storage/search-text.ts'
import type { CollectionAccess } from '../connection/access.ts'
import type { CollectionName } from '../connection/collections.ts'
import { type Filter, trusted } from '../connection/filters.ts'
import { type Clue, cluesOf, shortGram } from './grams.ts'

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

/**
 * Returns the way with the fewest rows, as the index counts them: MongoDB uses only one of several grams, and does
 * not know which one is rare.
 */
async function rarestWay(
  access: CollectionAccess,
  name: CollectionName,
  terms: readonly SearchTerm[],
): Promise<Way | undefined> {
  // The longest terms first: when all are common, one of theirs is used.
  const longest = terms.slice(0, narrowingTermsMax).sort((a, b) => b.length - a.length)
  const ways = longest.flatMap(waysOf).slice(0, cluesMax)
  if (ways.length < 2) return ways[0]
  const counts = await Promise.all(ways.map((way) => access.count(name, isFoundBy(way), rareMax)))
  return ways[counts.indexOf(Math.min(...counts))]
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

/** Matches the same texts, with the search index, and by it alone for one term of at most eight characters. */
export async function searchConditions(
  access: CollectionAccess,
  name: CollectionName,
  terms: readonly SearchTerm[],
): Promise<Filter[]> {
  const way = await rarestWay(access, name, terms)
  if (way === undefined) return []
  const isDecided = way.clues.every(({ isWhole }) => isWhole)
  const others = isDecided ? terms.filter((term) => term !== way.term) : terms
  return [isFoundBy(way), ...(others.length > 0 ? [textHasTerms(others)] : [])]
}
