import { t } from './strings.ts'

/** The words of a message in a line of a list; of files alone their number, in the language of the reader. */
export function wordsOf(words: string | null, files: number): string {
  return words || (files > 0 ? t.composer.files(files) : '')
}
