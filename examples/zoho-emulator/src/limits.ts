import { failed, type Reply } from './records.ts'

export interface LimitOptions {
  /** API credits of 24 hours. */
  credits?: number
  /** Requests of the app at the same time; Zoho allows 5 in the free edition. */
  concurrency?: number
  /** Lists with an order, among them; Zoho allows 10. */
  subConcurrency?: number
}

/** Zoho allows an app in an organisation of the free edition this much. */
export const freeLimits = {
  credits: 5_000,
  concurrency: 5,
  subConcurrency: 10,
} as const satisfies LimitOptions

const tooMany = (message: string) => failed(429, 'TOO_MANY_REQUESTS', {}, message)

/** Credits and concurrency of one app in one organisation. A limit that is not given does not exist. */
export class Limits {
  readonly #options: LimitOptions
  #used = 0
  #open = 0
  #openSorted = 0

  constructor(options: LimitOptions) {
    this.#options = options
  }

  /** Requests whose callers still wait. */
  get open(): number {
    return this.#open
  }

  /** All credits are there again, as 24 hours later. */
  restoreCredits(): void {
    this.#used = 0
  }

  /**
   * Counts a request. Returns its refusal, or what ends it and the headers of its response: Zoho sends no header before
   * half of the credits are used, and none that names another limit.
   */
  begin(path: string, query: URLSearchParams): { refusal: Reply } | Admission {
    const {
      credits,
      concurrency = Number.POSITIVE_INFINITY,
      subConcurrency = Number.POSITIVE_INFINITY,
    } = this.#options
    const isSorted = query.has('sort_by') || query.has('cvid')
    if (this.#open >= concurrency) return { refusal: tooMany('You have exceeded the concurrency limit') }
    if (isSorted && this.#openSorted >= subConcurrency)
      return { refusal: tooMany('You have exceeded the sub-concurrency limit') }
    const cost = path.endsWith('/deleted') ? 2 : 1
    if (credits !== undefined && this.#used + cost > credits)
      return { refusal: tooMany('You have exceeded the API credits of the last 24 hours') }
    this.#used += cost
    this.#open += 1
    if (isSorted) this.#openSorted += 1
    const isHalfUsed = credits !== undefined && this.#used * 2 > credits
    return {
      headers: isHalfUsed ? { 'X-API-CREDITS-REMAINING': String(credits - this.#used) } : {},
      end: () => {
        this.#open -= 1
        if (isSorted) this.#openSorted -= 1
      },
    }
  }
}

interface Admission {
  headers: Record<string, string>
  end: () => void
}
