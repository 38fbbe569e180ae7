import { type SearchTerm, wordStarts } from '../../../storage/search-text.ts'

/** Statistics of a tenant's texts. They decide how a search is done, never what it finds. */
export interface SearchSample {
  rowCount: number
  /** Returns an estimate of the fraction of rows that have a token of the index. */
  fractionOf(token: string): number
  /** The most tokens that a search uses. */
  tokensUsedMax: number
  /** A token of this fraction of the rows, or a larger one, does not narrow a search. */
  commonFraction: number
  /** Returns whether certainly more rows than `bound` have all terms. */
  surelyExceeds(bound: number, terms: readonly SearchTerm[]): boolean
}

/*
 * The index holds trigrams only. Starts of words are indexed as trigrams with a control character, which no folded
 * text can hold: `\1\1a` for the first character of a word, `\1ab` for its first two.
 */
const mark = '\u0001'
/** The index narrows a huge search by its first terms; every candidate is checked against the stored text anyway. */
const indexedTermsMax = 8
const tokensPerTermMax = 24
/** With so few candidates, reading their texts costs less than reading another list of row numbers. */
const candidatesEnough = 64

function firstCharacter(text: string): string {
  return String.fromCodePoint(text.codePointAt(0) ?? 0)
}

/** Returns the text for the trigram index. */
export function indexedText(text: string): string {
  const starts = wordStarts(text)
  // The mark of a start of one character is part of the mark of a longer start with it.
  const longer = new Set(starts.map(firstCharacter).filter((first, index) => starts[index] !== first))
  const marked = starts.filter((start) => !longer.has(start)).map((start) => mark + mark + start)
  return `${text}\n${marked.join('')}`
}

export function trigramsOf(text: string, most = Number.POSITIVE_INFINITY): Set<string> {
  const trigrams = new Set<string>()
  const characters = [...text]
  for (let i = 0; i + 3 <= characters.length && trigrams.size < most; i++) {
    trigrams.add(`${characters[i]}${characters[i + 1]}${characters[i + 2]}`)
  }
  return trigrams
}

interface Clue {
  /** The index expression. */
  expression: string
  /** The estimated fraction of all rows that match. */
  fraction: number
  /** The term that needs no check when this clue is used: the index alone decides. */
  decides: SearchTerm | null
}

/** Returns the index expression of a token. */
export function quote(token: string): string {
  return `"${token.replaceAll('"', '""')}"`
}

function cluesOf(tokens: Iterable<string>, sample: SearchSample, decides: SearchTerm | null): Clue[] {
  return [...tokens].map((token) => ({
    expression: quote(token),
    fraction: sample.fractionOf(token),
    decides,
  }))
}

function rarest(clues: Clue[]): Clue[] {
  return clues.sort((a, b) => a.fraction - b.fraction)
}

function cluesOfTerm(term: SearchTerm, sample: SearchSample): Clue[] {
  const { text, length, digits } = term
  if (length === 1) return cluesOf([mark + mark + text], sample, term)
  if (length === 2) return cluesOf([mark + text], sample, term)
  const literal = cluesOf(
    trigramsOf(text, tokensPerTermMax),
    sample,
    length === 3 && digits === null ? term : null,
  )
  if (digits === null) return literal
  const parts = [literal, cluesOf(trigramsOf(digits, tokensPerTermMax), sample, null)].map((clues) =>
    rarest(clues).slice(0, 2),
  )
  const expression = parts
    .map((clues) => `(${clues.map((clue) => clue.expression).join(' AND ')})`)
    .join(' OR ')
  const fraction = parts.reduce((sum, clues) => sum + (clues[0]?.fraction ?? 0), 0)
  return [{ expression: `(${expression})`, fraction, decides: null }]
}

export interface SearchPlan {
  /** The index expression that every row with all terms matches; other rows may match it too. */
  match: string
  /** Terms that must still be checked in the text. */
  unsure: SearchTerm[]
}

/** Chooses the few rarest clues: reading the index for every trigram of a search costs more than reading texts. */
export function planSearch(terms: readonly SearchTerm[], sample: SearchSample): SearchPlan {
  const clues = rarest(terms.slice(0, indexedTermsMax).flatMap((term) => cluesOfTerm(term, sample)))
  const used: Clue[] = []
  let candidates = sample.rowCount
  for (const clue of clues) {
    const isEnough = candidates <= candidatesEnough || clue.fraction >= sample.commonFraction
    if (used.length >= sample.tokensUsedMax || (used.length > 0 && isEnough)) break
    used.push(clue)
    candidates *= clue.fraction
  }
  const decided = new Set(used.map(({ decides }) => decides))
  return {
    match: used.map(({ expression }) => expression).join(' AND '),
    unsure: terms.filter((term) => !decided.has(term)),
  }
}

let parsedText = '[]'
let parsedTerms: SearchTerm[] = []

/** Parses terms that an SQL function gets as JSON, and caches the last ones: a scan parses the same ones repeatedly. */
export function parseTerms(json: string): SearchTerm[] {
  if (json !== parsedText) {
    parsedTerms = JSON.parse(json) as SearchTerm[]
    parsedText = json
  }
  return parsedTerms
}
