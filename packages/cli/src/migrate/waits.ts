import { setTimeout as delay } from 'node:timers/promises'

/** The headers of a response that name the time of the next request. */
interface WaitHeaders {
  get(name: string): string | null
}

const firstMs = 1_000
const longestMs = 60_000

/** Returns how long to wait before the next try: as the source says, else a second that doubles up to a minute. */
export function waitMsOf(
  headers: WaitHeaders | undefined,
  { tries, nowMs }: { tries: number; nowMs: number },
): number {
  return askedWaitMs(headers, nowMs) ?? Math.min(firstMs * 2 ** tries, longestMs)
}

function askedWaitMs(headers: WaitHeaders | undefined, nowMs: number): number | undefined {
  const after = headers?.get('retry-after')?.trim()
  if (after !== undefined && /^\d+(\.\d+)?$/.test(after)) return Number(after) * 1000
  const at = after === undefined ? Number.NaN : Date.parse(after)
  if (!Number.isNaN(at)) return Math.max(0, at - nowMs)
  // Intercom: seconds since 1970.
  const reset = headers?.get('x-ratelimit-reset')?.trim()
  if (reset !== undefined && /^\d{9,11}$/.test(reset)) return Math.max(0, Number(reset) * 1000 - nowMs)
  return undefined
}

/** A source that asks for more waiting in all before one response is given up. */
const waitedMsMax = 60 * 60 * 1000

interface Failure {
  readonly headers?: WaitHeaders | undefined
  /** A limit of requests is no failure: it ends by waiting. */
  readonly isLimit?: boolean | undefined
}

/** The waits of one request. */
export class Patience {
  readonly #failuresMax: number
  readonly #onWait: ((ms: number) => void) | undefined
  #limits = 0
  #failures = 0
  #waitedMs = 0

  constructor(failuresMax: number, onWait?: (ms: number) => void) {
    this.#failuresMax = failuresMax
    this.#onWait = onWait
  }

  /** Waits before the next try. Returns why there is none: too many failures, or an hour of waiting. */
  async end({ headers, isLimit = false }: Failure): Promise<'failed' | 'waited' | undefined> {
    const tries = isLimit ? this.#limits++ : this.#failures++
    if (this.#failures > this.#failuresMax) return 'failed'
    const ms = waitMsOf(headers, { tries, nowMs: Date.now() })
    this.#waitedMs += ms
    if (this.#waitedMs > waitedMsMax) return 'waited'
    this.#onWait?.(ms)
    await delay(ms)
    return undefined
  }
}
