import type { SearchTerm } from '../../../storage/search-text.ts'
import type { CollectionName } from '../connection/collections.ts'
import { type Filter, isOneOf, trusted } from '../connection/filters.ts'
import type { CollectionAccess } from '../connection/scope.ts'
import { decidingGram, trigramsOf } from './grams.ts'

/** The index narrows a huge search by its first terms; every candidate is checked against the stored text anyway. */
const narrowingTermsMax = 8
const gramsPerTermMax = 16
const cluesMax = 32
/** A gram of this many rows counts as common. */
const rareMax = 1_000

/** Grams of which every matching row has at least one. */
type Clue = string[]

/** Returns a few trigrams, spread over the first 64 characters of a text. */
function spread(text: string): string[] {
  const grams = trigramsOf([...text].slice(0, 64).join(''))
  const step = Math.max(1, Math.ceil((grams.length - 1) / (gramsPerTermMax - 1)))
  return grams.filter((_, index) => index % step === 0 || index === grams.length - 1)
}

function cluesOf(term: SearchTerm): Clue[] {
  const { text, digits } = term
  const deciding = decidingGram(term)
  if (deciding !== undefined) return [[deciding]]
  if (digits === null) return spread(text).map((gram) => [gram])
  // A matching row has the text or the digits: each clue pairs a gram of the one with a gram of the other.
  const [ofText, ofDigits] = [spread(text), spread(digits)]
  return ofText.map((gram, index) => [gram, ofDigits[index % ofDigits.length] ?? gram])
}

/**
 * Returns the clue with the fewest rows, as the index counts them: MongoDB uses only one of several grams, and does
 * not know which one is rare.
 */
async function rarestClue(
  access: CollectionAccess,
  name: CollectionName,
  terms: readonly SearchTerm[],
): Promise<Clue | undefined> {
  // The longest terms first: when all clues are common, one of theirs is used.
  const longest = terms.slice(0, narrowingTermsMax).sort((a, b) => b.length - a.length)
  const clues = longest.flatMap(cluesOf).slice(0, cluesMax)
  if (clues.length < 2) return clues[0]
  const counts = await Promise.all(clues.map((clue) => access.count(name, isOneOf('grams', clue), rareMax)))
  const least = Math.min(...counts)
  return clues[counts.indexOf(least)]
}

function contains(part: string): object {
  return { $gte: [{ $indexOfBytes: ['$text', { $literal: part }] }, 0] }
}

/** Matches the texts in which every term occurs, by the rule of `matchesText`. Needs no index. */
export function textHasTerms(terms: readonly SearchTerm[]): Filter {
  const deciding = terms.map(decidingGram).filter((gram) => gram !== undefined)
  const checks = terms
    .filter((term) => decidingGram(term) === undefined)
    .map(({ text, digits }) =>
      digits === null ? contains(text) : { $or: [contains(text), contains(digits)] },
    )
  if (deciding.length > 0) checks.push({ $setIsSubset: [{ $literal: deciding }, '$grams'] })
  return { $expr: trusted({ $and: checks }) }
}

/** Matches the same texts, with the search index. */
export async function searchConditions(
  access: CollectionAccess,
  name: CollectionName,
  terms: readonly SearchTerm[],
): Promise<Filter[]> {
  if (terms.length === 0) return []
  const clue = await rarestClue(access, name, terms)
  return [...(clue ? [isOneOf('grams', clue)] : []), textHasTerms(terms)]
}
