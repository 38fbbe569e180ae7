import { de } from './de.ts'
import { deMore } from './de-more.ts'
import { more } from './more.ts'
import type { t as texts } from './strings.ts'

/** Puts German texts in the place of the English ones. It runs before anything is shown. */
export function speakGerman(t: typeof texts): void {
  replace(t, de)
  replace(more, deMore)
}

function replace<Texts extends object>(texts: Texts, others: object): void {
  for (const [name, other] of Object.entries(others)) {
    const text = texts[name as keyof Texts]
    if (typeof text === 'object' && text !== null && !Array.isArray(text)) replace(text, other)
    else Object.assign(texts, { [name]: other })
  }
}
