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

/** Meanings that a person gave, by target and folded word. */
export type GivenWords = ReadonlyMap<string, ReadonlyMap<string, string>>

/** Returns the words of a module in the form in which they are compared. */
export function givenWords(
  values: Readonly<Record<string, Readonly<Record<string, string>>>> = {},
): GivenWords {
  return new Map(
    Object.entries(values).map(([target, words]) => [
      target,
      new Map(Object.entries(words).map(([word, meaning]) => [foldWord(word), meaning] as const)),
    ]),
  )
}

/** Returns what a word of a source means here: what a person said, else what the tables know, else undefined. */
export function meaningOf<T extends ChoiceTarget>(
  target: T,
  word: string,
  given?: GivenWords,
): Meaning<T> | undefined {
  if (word.length > wordLengthMax) return undefined
  const folded = foldWord(word)
  const found = given?.get(target)?.get(folded) ?? tableOf(target).get(folded) ?? ''
  return isMeaning(target, found) ? found : undefined
}

function isMeaning<T extends ChoiceTarget>(target: T, value: string): value is Meaning<T> {
  return Object.hasOwn(choiceWords[target], value)
}
