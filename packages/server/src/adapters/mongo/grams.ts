import { type SearchTerm, wordStarts } from '../../ports/search-text.ts'
import { type Filter, trusted } from './filters.ts'

/*
 * The search index of a text is the list of its trigrams, and of the first one and two characters of its
 * words behind a control character, which no folded text can hold.
 */

const mark = '\u0001'
/** A huge search is narrowed by its beginning; every candidate is checked against the stored text anyway. */
const narrowingTermsMax = 8
const gramsPerTermMax = 4

function trigramsOf(text: string): string[] {
  const grams = new Set<string>()
  const characters = [...text]
  for (let i = 0; i + 3 <= characters.length; i++) {
    const gram = characters.slice(i, i + 3).join('')
    if (!gram.includes('\n')) grams.add(gram)
  }
  return [...grams]
}

export function gramsOf(text: string): string[] {
  return [...trigramsOf(text), ...wordStarts(text).map((start) => mark + start)]
}

/** The gram that decides a term by itself: a short one, or one of exactly three characters. */
function decidingGram({ text, length, digits }: SearchTerm): string | undefined {
  if (length < 3) return mark + text
  return length === 3 && digits === null ? text : undefined
}

/** A few trigrams from all over a text, its last one among them: the planner picks the rarest it knows of. */
function spread(text: string): string[] {
  const grams = trigramsOf([...text].slice(0, 64).join(''))
  const step = Math.max(1, Math.ceil((grams.length - 1) / (gramsPerTermMax - 1)))
  return grams.filter((_, index) => index % step === 0 || index === grams.length - 1)
}

function narrowing(terms: readonly SearchTerm[]): Filter[] {
  const first = terms.slice(0, narrowingTermsMax)
  const all = first.flatMap((term) => {
    const deciding = decidingGram(term)
    if (deciding !== undefined) return [deciding]
    return term.digits === null ? spread(term.text) : []
  })
  const either = first.flatMap(({ text, digits }) => {
    if (digits === null) return []
    const $or = [text, digits].map((part) => ({ grams: trusted({ $all: spread(part) }) }))
    return [{ $or }]
  })
  return [...(all.length > 0 ? [{ grams: trusted({ $all: all }) }] : []), ...either]
}

function contains(part: string): object {
  return { $gte: [{ $indexOfBytes: ['$text', { $literal: part }] }, 0] }
}

/** Conditions that hold for the texts in which every term occurs, as `matchesText` says. */
export function textHasTerms(terms: readonly SearchTerm[]): Filter[] {
  if (terms.length === 0) return []
  const deciding = terms.map(decidingGram).filter((gram) => gram !== undefined)
  const checks = terms
    .filter((term) => decidingGram(term) === undefined)
    .map(({ text, digits }) =>
      digits === null ? contains(text) : { $or: [contains(text), contains(digits)] },
    )
  if (deciding.length > 0) checks.push({ $setIsSubset: [{ $literal: deciding }, '$grams'] })
  return [...narrowing(terms), { $expr: trusted({ $and: checks }) }]
}
