import { hash } from 'node:crypto'
import { type SearchTerm, wordStarts } from '../../../storage/search-text.ts'

/*
 * The search index of a text is a list of grams: for each place of a word where a term of three or more characters can
 * begin, the next eight characters of the word; and the first one and two characters of each word, with a control
 * character before them, which no folded text can hold. A word ends at white space, which no term can hold.
 */

const mark = '\u0001'
const gramLength = 8
const shortestTerm = 3

const charactersOf = (text: string) => [...text]

function insideWords(text: string): Set<string> {
  const grams = new Set<string>()
  for (const word of new Set(text.split(/\s+/))) {
    const characters = charactersOf(word)
    for (let i = 0; i + shortestTerm <= characters.length; i++)
      grams.add(characters.slice(i, i + gramLength).join(''))
  }
  return grams
}

export function gramsOf(text: string): string[] {
  return [...insideWords(text), ...wordStarts(text).map((start) => mark + start)]
}

/** A text has it when one of its grams is `text`, or begins with it. */
export interface Clue {
  text: string
  isBeginning: boolean
  /** Every text with the clue has the whole term. */
  isWhole: boolean
}

/** Returns the clues of a term, each of which every text with the term has: one that is whole, or at most `most` parts. */
export function cluesOf(text: string, most: number): Clue[] {
  const characters = charactersOf(text)
  if (characters.length < shortestTerm) return [{ text: mark + text, isBeginning: false, isWhole: true }]
  if (characters.length <= gramLength) return [{ text, isBeginning: true, isWhole: true }]
  const last = characters.length - gramLength
  const step = Math.max(1, Math.ceil(last / (most - 1)))
  const places = [...Array(last).keys()].filter((place) => place % step === 0)
  return [...places, last].map((place) => ({
    text: characters.slice(place, place + gramLength).join(''),
    isBeginning: false,
    isWhole: false,
  }))
}

/** Returns the gram that alone decides whether a text has a term of one or two characters. */
export function shortGram({ text, length }: SearchTerm): string | undefined {
  return length < shortestTerm ? mark + text : undefined
}

const unneededBits = 11n

/**
 * Returns the number by which a search names the row that it finds: an id would double the size of the search index. It has
 * 53 bits, so that it is exact in JavaScript: among a million ids, two are the same once in 18,000 tenants.
 */
export function searchNumberOf(id: string): number {
  return Number(hash('sha256', id, 'buffer').readBigUInt64BE() >> unneededBits)
}
