import { normalizeText } from '@crmkit/core'

const languages = ['en', 'de', 'fr', 'es', 'it', 'pt', 'nl', 'pl', 'ru'] as const

/** Forms that programs write and that the tables of the languages do not have. */
const others: Readonly<Record<string, number>> = {
  mrz: 3,
  maerz: 3,
  sept: 9,
  set: 9,
  gen: 1,
  avr: 4,
  dic: 12,
}

function fold(name: string): string {
  return normalizeText(name, 'NFKD')
    .replaceAll(/[\p{M}.]/gu, '')
    .toLowerCase()
}

let months: ReadonlyMap<string, number> | undefined

/** Returns the number of a month by its name or its short form; undefined for a word that is none. */
export function monthOf(name: string): number | undefined {
  months ??= allMonths()
  return months.get(fold(name))
}

/** The names of the months as they stand alone, and as they stand in a date. */
function allMonths(): Map<string, number> {
  const found = new Map<string, number>(Object.entries(others))
  for (const language of languages) {
    for (const month of ['long', 'short'] as const) {
      for (const day of [undefined, 'numeric'] as const) {
        const format = new Intl.DateTimeFormat(language, { month, ...(day && { day }), timeZone: 'UTC' })
        for (let number = 1; number <= 12; number++) {
          const parts = format.formatToParts(Date.UTC(2024, number - 1, 15))
          const name = parts.find(({ type }) => type === 'month')?.value ?? ''
          found.set(fold(name), number)
        }
      }
    }
  }
  return found
}
