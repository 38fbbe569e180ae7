import { en } from './en.ts'

/** The texts of the viewer's language: English ones, until `german.ts` replaces them before anything is shown. */
export const t: typeof en = en

/** `browser`: the first language of the browser. */
export const languages = ['browser', 'en', 'de'] as const
export type Language = (typeof languages)[number]

const key = 'crm-console-language'

/** The language that a person has chosen for this browser. */
export const chosenLanguage: Language = languages.find((one) => one === storedLanguage()) ?? 'browser'

function storedLanguage(): string | null {
  // The texts are also read outside of a browser, in tests.
  return typeof localStorage === 'undefined' ? null : localStorage.getItem(key)
}

/** Loads the page again: its texts are read once. */
export function setLanguage(language: string): void {
  localStorage.setItem(key, language)
  window.location.reload()
}

export const isGerman: boolean =
  chosenLanguage === 'browser' ? /^de\b/i.test(navigator.language) : chosenLanguage === 'de'

const language = isGerman ? 'de' : 'en'

/** The tag that formats dates and numbers: the language of the texts, with the region of the browser. */
export const locale: string = navigator.languages.find((tag) => tag.startsWith(language)) ?? language
