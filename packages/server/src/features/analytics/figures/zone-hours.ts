const hourMs = 3_600_000
const dayMs = 24 * hourMs

/** An hour of UTC as the clocks of a zone show it. */
export interface LocalHour {
  /** `2026-01-31`. */
  day: string
  /** 0 to 167, from Monday 00:00. */
  hourOfWeek: number
}

/**
 * Turns hours of UTC into hours of a time zone. An hour that falls into two hours of the zone, as in zones of half an hour, belongs to
 * the one in which its middle is.
 */
export class ZoneHours {
  readonly #format: Intl.DateTimeFormat
  /** The offset at the start of each day that was asked for. */
  readonly #offsets = new Map<number, number>()

  constructor(timeZone: string) {
    this.#format = new Intl.DateTimeFormat('en-US', {
      timeZone,
      calendar: 'gregory',
      numberingSystem: 'latn',
      hourCycle: 'h23',
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
      second: 'numeric',
    })
  }

  /** Returns how far the clocks of the zone are ahead of UTC, in milliseconds. */
  offsetAt(ms: number): number {
    const {
      year = 0,
      month = 1,
      day = 1,
      hour = 0,
      minute = 0,
      second = 0,
    } = Object.fromEntries(this.#format.formatToParts(ms).map(({ type, value }) => [type, Number(value)]))
    return Date.UTC(year, month - 1, day, hour, minute, second) - Math.floor(ms / 1000) * 1000
  }

  /** `startMs` is the start of an hour of UTC. */
  of(startMs: number): LocalHour {
    const middleMs = startMs + hourMs / 2
    const localMs = middleMs + this.#offsetInDay(middleMs)
    const hourOfDay = Math.floor((((localMs % dayMs) + dayMs) % dayMs) / hourMs)
    const local = new Date(localMs)
    const weekday = (local.getUTCDay() + 6) % 7
    return { day: local.toISOString().slice(0, 'YYYY-MM-DD'.length), hourOfWeek: weekday * 24 + hourOfDay }
  }

  /** Returns the moment at which a day (`2026-01-31`) begins in the zone, ms since 1970. */
  startOf(day: string): number {
    const midnightMs = Date.parse(`${day}T00:00:00.000Z`)
    // The offset of a day around it is right unless the clocks are changed between the two.
    const guessMs = midnightMs - this.offsetAt(midnightMs)
    return midnightMs - this.offsetAt(guessMs)
  }

  /** A day whose start and end have the same offset has it throughout. */
  #offsetInDay(ms: number): number {
    const dayStartMs = Math.floor(ms / dayMs) * dayMs
    const known = this.#known(dayStartMs)
    return known === this.#known(dayStartMs + dayMs) ? known : this.offsetAt(ms)
  }

  #known(dayStartMs: number): number {
    const known = this.#offsets.get(dayStartMs) ?? this.offsetAt(dayStartMs)
    this.#offsets.set(dayStartMs, known)
    return known
  }
}
