import { type SearchTerm, wordStarts } from '../../../storage/search-text.ts'
import type { SearchStatistics } from './search-statistics.ts'

/*
 * The index holds trigrams only. Starts of words are indexed as trigrams with a control character, which no folded
 * text can hold: `\1\1a` for the first character of a word, `\1ab` for its first two.
 */
const mark = '\u0001'
/** The index narrows a huge search by its first terms; every candidate is checked against the stored text anyway. */
const indexedTermsMax = 8
/** So many tokens of a search are counted, and the rarest of them are used. */
const tokensCountedMax = 24
const tokensUsedMax = 12
/** Reading and comparing a row costs as much as reading so many row numbers of a token. */
const rowCost = 200
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

function trigramsOf(text: string, most = Number.POSITIVE_INFINITY): Set<string> {
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

function rarest(clues: Clue[]): Clue[] {
  return clues.sort((a, b) => a.fraction - b.fraction)
}

interface TokenReader {
  statistics: SearchStatistics
  tokensPerTerm: number
}

function cluesOfTerm(term: SearchTerm, { statistics, tokensPerTerm }: TokenReader): Clue[] {
  const { text, length, digits } = term
  const cluesOf = (tokens: Iterable<string>, decides: SearchTerm | null): Clue[] =>
    [...tokens].map((token) => ({
      expression: quote(token),
      fraction: statistics.fractionOf(token),
      decides,
    }))
  if (length === 1) return cluesOf([mark + mark + text], term)
  if (length === 2) return cluesOf([mark + text], term)
  const literal = cluesOf(trigramsOf(text, tokensPerTerm), length === 3 && digits === null ? term : null)
  if (digits === null) return literal
  const parts = [literal, cluesOf(trigramsOf(digits, tokensPerTerm), null)].map((clues) =>
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

/** Tokens of one term are often in the same texts: each further one narrows the search less than the first. */
const furtherPower = 0.75

interface RankedClue extends Clue {
  /** How many rarer clues the term has. */
  rank: number
}

/** Returns the clues in the order of their use: the rarest of each term, then the second ones. */
function ranked(clues: readonly Clue[][]): RankedClue[] {
  return clues
    .flatMap((ofTerm) => rarest(ofTerm).map((clue, rank) => ({ ...clue, rank })))
    .sort((a, b) => a.rank - b.rank || a.fraction - b.fraction)
}

/**
 * Chooses the few rarest clues. The row numbers of each are read in full: another one has to save more reads of rows than
 * that costs.
 */
export function planSearch(terms: readonly SearchTerm[], statistics: SearchStatistics): SearchPlan {
  const indexed = terms.slice(0, indexedTermsMax)
  const tokensPerTerm = Math.ceil(tokensCountedMax / indexed.length)
  const clues = ranked(indexed.map((term) => cluesOfTerm(term, { statistics, tokensPerTerm })))
  const used: Clue[] = []
  const { rowCount } = statistics
  let candidates = rowCount
  for (const clue of clues) {
    const share = clue.fraction ** (clue.rank === 0 ? 1 : furtherPower)
    const saves = candidates * (1 - share) * rowCost
    const isUseless = candidates <= candidatesEnough || saves <= clue.fraction * rowCount
    if (used.length >= tokensUsedMax) break
    if (used.length > 0 && isUseless) continue
    used.push(clue)
    candidates *= share
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
