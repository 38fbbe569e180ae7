import { type SearchTerm, wordStarts } from '../../../storage/search-text.ts'

/** What a few of a tenant's texts tell about all of them. Decides how a search is done, never what it finds. */
export interface SearchSample {
  rowCount: number
  /** The part of the rows that has a token of the index, roughly. */
  fractionOf(token: string): number
  /** Whether beyond all doubt more rows than `bound` have all terms. */
  surelyExceeds(bound: number, terms: readonly SearchTerm[]): boolean
}

/*
 * The index knows trigrams only. Starts of words are put into it as trigrams with a control character,
 * which no folded text can hold: `\1\1a` for the first character of a word, `\1ab` for its first two.
 */
const mark = '\u0001'
/** A huge search is narrowed by its beginning; every candidate is checked against the stored text anyway. */
const indexedTermsMax = 8
const tokensPerTermMax = 24
/** Beyond so few candidates, another list of row numbers costs more to walk than their texts to read. */
const candidatesEnough = 64
const tokensUsedMax = 4
/** A token that most rows have narrows nothing. */
const commonFraction = 0.5

function firstCharacter(text: string): string {
  return String.fromCodePoint(text.codePointAt(0) ?? 0)
}

/** The text that the trigram index is fed with. */
export function indexedText(text: string): string {
  const starts = wordStarts(text)
  // A start of one character is a part of the mark of any longer one.
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
  /** The part of all rows that it is expected to leave. */
  fraction: number
  /** The term that needs no check when this clue is used: the index alone decides it. */
  decides: SearchTerm | null
}

function quote(token: string): string {
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
  /** The index expression that every row with all terms satisfies; others may satisfy it too. */
  match: string
  /** Terms that must still be looked for in the text. */
  unsure: SearchTerm[]
}

/** Chooses the few rarest clues: walking the index for every trigram of a search costs more than reading texts. */
export function planSearch(terms: readonly SearchTerm[], sample: SearchSample): SearchPlan {
  const clues = rarest(terms.slice(0, indexedTermsMax).flatMap((term) => cluesOfTerm(term, sample)))
  const used: Clue[] = []
  let candidates = sample.rowCount
  for (const clue of clues) {
    const isEnough = candidates <= candidatesEnough || clue.fraction >= commonFraction
    if (used.length >= tokensUsedMax || (used.length > 0 && isEnough)) break
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

/** Reads terms that were handed to an SQL function as JSON; a scan asks for the same ones again and again. */
export function parseTerms(json: string): SearchTerm[] {
  if (json !== parsedText) {
    parsedTerms = JSON.parse(json) as SearchTerm[]
    parsedText = json
  }
  return parsedTerms
}
