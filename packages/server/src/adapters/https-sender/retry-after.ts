import type { IncomingMessage } from 'node:http'

const retryAfterMaxMs = 3_600_000

/** Returns the `Retry-After` of a 429 or 503 in milliseconds, at most one hour; null without a valid one. */
export function retryAfterMs({
  statusCode,
  headers,
}: Pick<IncomingMessage, 'statusCode' | 'headers'>): number | null {
  const text = headers['retry-after']
  if (text === undefined || (statusCode !== 429 && statusCode !== 503)) return null
  const ms = /^\d+$/.test(text) ? Number(text) * 1000 : Date.parse(text) - Date.now()
  if (Number.isNaN(ms)) return null
  return Math.min(Math.max(ms, 0), retryAfterMaxMs)
}
