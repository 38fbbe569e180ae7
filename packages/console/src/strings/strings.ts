import { en } from './en.ts'

/** The texts of the viewer's language. There is one language so far. */
export const t: typeof en = en

/** The tag that formats dates and numbers in the language of the texts. */
export const locale: string = 'en'
