import type { SearchTerm } from '../../../storage/search-text.ts'
import type { CollectionName } from '../connection/collections.ts'
import { type Filter, isOneOf, trusted } from '../connection/filters.ts'
import type { CollectionAccess } from '../connection/scope.ts'
import { decidingGram, trigramsOf } from './grams.ts'

/** A huge search is narrowed by its beginning; every candidate is checked against the stored text anyway. */
const narrowingTermsMax = 8
const gramsPerTermMax = 16
const cluesMax = 32
/** From here on a gram counts as common. */
const rareMax = 1_000

/** Grams of which every row with the term has at least one. */
type Clue = string[]

/** A few trigrams from all over the beginning of a text. */
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
  // The row has the text or the digits: as many pairs as both have, each with one gram of either.
  const [ofText, ofDigits] = [spread(text), spread(digits)]
  return ofText.map((gram, index) => [gram, ofDigits[index % ofDigits.length] ?? gram])
}

/**
 * The clue that leaves the fewest rows, as the index itself counts them: MongoDB walks one of several grams
 * only, and does not know which is rare.
 */
async function rarestClue(
  access: CollectionAccess,
  name: CollectionName,
  terms: readonly SearchTerm[],
): Promise<Clue | undefined> {
  // The longest first: of clues that are all common, one of those is taken.
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

/** Holds for the texts in which every term occurs, as `matchesText` says. Needs no index. */
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

/** The same, by the search index. */
export async function searchConditions(
  access: CollectionAccess,
  name: CollectionName,
  terms: readonly SearchTerm[],
): Promise<Filter[]> {
  if (terms.length === 0) return []
  const clue = await rarestClue(access, name, terms)
  return [...(clue ? [isOneOf('grams', clue)] : []), textHasTerms(terms)]
}
