import { type SearchTerm, wordStarts } from '../../../storage/search-text.ts'

/*
 * The search index of a text is the list of its trigrams, and of the first one and two characters of its words with
 * a control character before them, which no folded text can hold.
 */

const mark = '\u0001'

export function trigramsOf(text: string): string[] {
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

/** Returns the gram that alone decides whether a text has the term: for terms of at most three characters. */
export function decidingGram({ text, length, digits }: SearchTerm): string | undefined {
  if (length < 3) return mark + text
  return length === 3 && digits === null ? text : undefined
}
