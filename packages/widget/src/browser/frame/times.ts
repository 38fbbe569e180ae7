const dayMs = 24 * 3_600_000

function startOfDay(time: Date): number {
  return new Date(time).setHours(0, 0, 0, 0)
}

/** How times are written in the language of the visitor. */
export class Times {
  readonly #short: Intl.DateTimeFormat
  readonly #full: Intl.DateTimeFormat
  readonly #date: Intl.DateTimeFormat
  readonly #relative: Intl.RelativeTimeFormat

  constructor(tag: string) {
    // The page's language may be no language tag.
    const language = Intl.DateTimeFormat.supportedLocalesOf(isTag(tag) ? tag : 'en')[0] ?? 'en'
    this.#short = new Intl.DateTimeFormat(language, { timeStyle: 'short' })
    this.#full = new Intl.DateTimeFormat(language, { dateStyle: 'full', timeStyle: 'short' })
    this.#date = new Intl.DateTimeFormat(language, { dateStyle: 'medium' })
    this.#relative = new Intl.RelativeTimeFormat(language, { numeric: 'auto' })
  }

  /** The time of day. */
  short(time: Date): string {
    return this.#short.format(time)
  }

  /** The date and the time of day. */
  full(time: Date): string {
    return this.#full.format(time)
  }

  /** "today", "yesterday", or the date. */
  day(time: Date, now = new Date()): string {
    // A day of a change of the clocks has 23 or 25 hours.
    const days = Math.round((startOfDay(time) - startOfDay(now)) / dayMs)
    return days === 0 || days === -1 ? this.#relative.format(days, 'day') : this.#date.format(time)
  }

  /** The time of day of today, else the day. */
  brief(time: Date, now = new Date()): string {
    return startOfDay(time) === startOfDay(now) ? this.short(time) : this.day(time, now)
  }
}

/** The beginning of the day of a time, which is also the key of its line. */
export function dayOf(time: Date): string {
  return new Date(startOfDay(time)).toISOString()
}

function isTag(tag: string): boolean {
  try {
    return Intl.getCanonicalLocales(tag).length > 0
  } catch {
    return false
  }
}
