import type { GivenTexts } from '../shared/strings.ts'

/** The codes of the languages, with blanks between them. English needs no file. */
declare const LANGUAGES: string
/** The first part of the names of their files. */
declare const LANGUAGES_HASH: string

export const codes = LANGUAGES.split(' ')

/** Reads the texts of a language. Without a connection, or from a newer server, the texts are English. */
export async function readTexts(base: string, code: string): Promise<GivenTexts> {
  if (code === 'en') return {}
  try {
    const response = await fetch(`${base}/widget/${LANGUAGES_HASH}.${code}.json`, { credentials: 'omit' })
    return response.ok ? await response.json() : {}
  } catch {
    return {}
  }
}
