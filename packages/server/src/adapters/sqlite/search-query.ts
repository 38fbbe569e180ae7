import { type SearchTerm, wordStarts } from '../../ports/search-text.ts'

/*
 * The index knows trigrams only. Starts of words are put into it as trigrams with a control character,
 * which no folded text can hold: `\1\1a` for the first character of a word, `\1ab` for its first two.
 */
const mark = '\u0001'
/** Beyond these the index narrows no further; every candidate is checked against the stored text anyway. */
const trigramsPerTermMax = 24
const indexedTermsMax = 8

/** The text that the trigram index is fed with. */
export function indexedText(text: string): string {
  const starts = wordStarts(text)
  const pairs = starts.filter((start) => [...start].length === 2)
  const singles = starts.filter((start) => !pairs.some((pair) => pair !== start && pair.startsWith(start)))
  const marked = [...pairs, ...singles.filter((start) => !pairs.includes(start))]
  return `${text}\n${marked.map((start) => mark + mark + start).join('')}`
}

function trigramsOf(text: string): string[] {
  const characters = [...text]
  const trigrams = new Set<string>()
  for (let i = 0; i + 3 <= characters.length && trigrams.size < trigramsPerTermMax; i++) {
    trigrams.add(characters.slice(i, i + 3).join(''))
  }
  return [...trigrams]
}

function allOf(trigrams: readonly string[]): string {
  return trigrams.map((trigram) => `"${trigram.replaceAll('"', '""')}"`).join(' AND ')
}

function termExpression({ text, length, digits }: SearchTerm): string {
  if (length === 1) return allOf([mark + mark + text])
  if (length === 2) return allOf([mark + text])
  const literal = allOf(trigramsOf(text))
  return digits === null ? literal : `((${literal}) OR (${allOf(trigramsOf(digits))}))`
}

/** The index expression that every row with all terms satisfies; others may satisfy it too. */
export function matchExpression(terms: readonly SearchTerm[]): string {
  return terms.slice(0, indexedTermsMax).map(termExpression).join(' AND ')
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
