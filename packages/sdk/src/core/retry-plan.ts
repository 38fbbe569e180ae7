import { ApiError, ConnectionError, TimeoutError } from './errors.ts'

const retryAfterMaxMs = 60_000
const backoffBaseMs = 500
const backoffCapMs = 8000

const transient: ReadonlySet<number> = new Set([408, 425, 429, 500, 502, 503, 504])
/** Statuses of requests that were not processed: a retry is safe even without an idempotency key. */
const refusedUnread: ReadonlySet<number> = new Set([425, 429, 503])

/**
 * Milliseconds to wait before the attempt that follows attempt `count` (from 1); undefined without a retry.
 * A `Retry-After` is followed exactly; above a minute the caller decides.
 */
export function retryDelayMs(
  error: unknown,
  { count, isRepeatable }: { count: number; isRepeatable: boolean },
): number | undefined {
  if (!isTransient(error, isRepeatable)) return undefined
  const asked = error instanceof ApiError ? error.retryAfterMs : undefined
  if (asked !== undefined) return asked <= retryAfterMaxMs ? asked : undefined
  const ceilingMs = Math.min(backoffCapMs, backoffBaseMs * 2 ** (count - 1))
  return ceilingMs * (0.5 + Math.random() / 2)
}

function isTransient(error: unknown, isRepeatable: boolean): boolean {
  if (error instanceof ApiError) {
    if (error.code === 'IDEMPOTENCY_IN_PROGRESS') return true
    return (isRepeatable ? transient : refusedUnread).has(error.status)
  }
  return (
    isRepeatable &&
    (error instanceof ConnectionError || (error instanceof TimeoutError && error.scope === 'attempt'))
  )
}
