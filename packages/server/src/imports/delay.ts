import type { SourceFailure } from '../ports/connector.ts'

const hourMs = 3600_000

/** Returns how long to wait after a failure. Source: connectors H19. */
export function delayOf(
  { kind, retryAt }: SourceFailure,
  { tries, nowMs }: { tries: number; nowMs: number },
): number {
  const asked = retryAt === null ? null : Math.max(0, Date.parse(retryAt) - nowMs)
  const doubled = 2 ** (tries - 1)
  if (kind === 'quota') return asked ?? Math.min(hourMs * doubled, 6 * hourMs)
  if (kind === 'rate') return asked ?? Math.min(500 * doubled, 60_000)
  return Math.min(500 * doubled, 30_000) * (0.8 + 0.4 * Math.random())
}
