import { choiceWords } from './choice-word-tables.ts'

export type ChoiceTarget = keyof typeof choiceWords
/** The meanings that the words of a field can have here. */
export type Meaning<T extends ChoiceTarget> = Extract<keyof (typeof choiceWords)[T], string>

/** A longer text is no word of a choice. */
export const wordLengthMax = 100

/** The form in which words are compared: whole, without case, accents, and kinds of dashes and blanks. */
export function foldWord(word: string): string {
  return (
    word
      .slice(0, wordLengthMax)
      // bounded: the cut above.
      .normalize('NFKD')
      .replaceAll(/\p{M}/gu, '')
      .toLowerCase()
      .replaceAll(/[\s_‐-―-]+/gu, ' ')
      .trim()
  )
}

const tables = new Map<string, ReadonlyMap<string, string>>()

function tableOf(target: ChoiceTarget): ReadonlyMap<string, string> {
  const known = tables.get(target)
  if (known !== undefined) return known
  const entries = Object.entries(choiceWords[target]).flatMap(([value, words]) =>
    words.split(',').map((word) => [foldWord(word), value] as const),
  )
  const table = new Map(entries)
  tables.set(target, table)
  return table
}

/** Returns what a word of a source means here; undefined for one that no table knows. */
export function meaningOf<T extends ChoiceTarget>(target: T, word: string): Meaning<T> | undefined {
  if (word.length > wordLengthMax) return undefined
  const found = tableOf(target).get(foldWord(word)) ?? ''
  return isMeaning(target, found) ? found : undefined
}

function isMeaning<T extends ChoiceTarget>(target: T, value: string): value is Meaning<T> {
  return Object.hasOwn(choiceWords[target], value)
}
