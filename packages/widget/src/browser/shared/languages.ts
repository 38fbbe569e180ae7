const rightToLeft = ['ar', 'fa', 'he', 'iw']

export interface Language {
  /** The code of the texts. */
  code: string
  /** The tag that asked for them, which also says how times are written. */
  tag: string
}

/** Returns the language of the first tag, such as `de-AT`, that has texts; else English. */
export function languageOf(tags: readonly string[], codes: readonly string[]): Language {
  for (const tag of tags) {
    const [code = ''] = tag.toLowerCase().split(/[-_]/, 1)
    if (codes.includes(code)) return { code, tag }
  }
  return { code: 'en', tag: 'en' }
}

/** Returns the direction of the texts. A page may be written from right to left in a language without texts. */
export function directionOf(code: string, ofPage: string): string {
  return rightToLeft.includes(code) ? 'rtl' : ofPage
}
