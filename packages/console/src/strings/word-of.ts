/** The text of a word of the service; of a word of a later version the word itself. */
export function wordOf(texts: Readonly<Record<string, string>>, word: string): string {
  return Object.hasOwn(texts, word) ? (texts[word] ?? word) : word
}
