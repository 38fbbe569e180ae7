import type { Reply } from './reply.ts'

export interface Window {
  max: number
  windowMs: number
}

export interface LimitOptions {
  /** All requests; HubSpot allows an app 110 in ten seconds. */
  requests?: Window
  /** Searches, which count as requests too; HubSpot allows five a second. */
  searches?: Window
  /** Requests of a day. */
  perDay?: number
}

/** HubSpot allows an app, which people connect by a sign-in, this much. */
export const vendorLimits = {
  requests: { max: 110, windowMs: 10_000 },
  searches: { max: 5, windowMs: 1_000 },
  perDay: 625_000,
} as const satisfies LimitOptions

const dayMs = 86_400_000

/** Counts requests in windows that begin again when their time is over. */
class Counter {
  readonly #window: Window
  #begunMs = Number.NEGATIVE_INFINITY
  #used = 0

  constructor(window: Window) {
    this.#window = window
  }

  /** Counts a request; returns how many are left, less than zero when it is one too many. */
  take(nowMs: number): number {
    if (nowMs - this.#begunMs >= this.#window.windowMs) {
      this.#begunMs = nowMs
      this.#used = 0
    }
    this.#used += 1
    return this.#window.max - this.#used
  }
}

/** The limits of one app in one portal. A limit that is not given does not exist. */
export class Limits {
  readonly #options: LimitOptions
  readonly #requests: Counter | undefined
  readonly #searches: Counter | undefined
  #daily: Counter | undefined

  constructor(options: LimitOptions) {
    this.#options = options
    this.#requests = options.requests && new Counter(options.requests)
    this.#searches = options.searches && new Counter(options.searches)
    this.restoreDay()
  }

  /** Begins a new day. */
  restoreDay(): void {
    const { perDay } = this.#options
    this.#daily = perDay === undefined ? undefined : new Counter({ max: perDay, windowMs: dayMs })
  }

  /** Returns the refusal of a request beyond a limit, or the headers of its response. */
  take(path: string, nowMs: number): { refusal: Reply } | { headers: Record<string, string> } {
    const daily = this.#daily?.take(nowMs) ?? 0
    if (daily < 0) return { refusal: refused('DAILY', {}) }
    // HubSpot sends no headers of limits with a search.
    const isSearch = path.endsWith('/search')
    if (isSearch && (this.#searches?.take(nowMs) ?? 0) < 0) return { refusal: refused('SECONDLY', {}) }
    const left = this.#requests?.take(nowMs) ?? 0
    const headers = isSearch ? {} : this.#headers({ left, daily })
    return left < 0 ? { refusal: refused('TEN_SECONDLY_ROLLING', headers) } : { headers }
  }

  #headers({ left, daily }: { left: number; daily: number }): Record<string, string> {
    const { requests, perDay } = this.#options
    return {
      ...(requests && {
        'X-HubSpot-RateLimit-Max': String(requests.max),
        'X-HubSpot-RateLimit-Remaining': String(Math.max(0, left)),
        'X-HubSpot-RateLimit-Interval-Milliseconds': String(requests.windowMs),
      }),
      ...(perDay !== undefined && {
        'X-HubSpot-RateLimit-Daily': String(perDay),
        'X-HubSpot-RateLimit-Daily-Remaining': String(daily),
      }),
    }
  }
}

function refused(policyName: string, headers: Record<string, string>): Reply {
  const message = `You have reached your ${policyName.toLowerCase()} limit.`
  const body = { status: 'error', message, errorType: 'RATE_LIMIT', correlationId: '1', policyName }
  return { status: 429, body, headers }
}
