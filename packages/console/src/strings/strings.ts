import { en } from './en.ts'

/** The texts of the viewer's language: English ones, until `german.ts` replaces them before anything is shown. */
export const t: typeof en = en

export const isGerman: boolean = /^de\b/i.test(navigator.language)

const language = isGerman ? 'de' : 'en'

/** The tag that formats dates and numbers: the language of the texts, with the region of the browser. */
export const locale: string = navigator.languages.find((tag) => tag.startsWith(language)) ?? language
