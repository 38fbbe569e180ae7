import type { SourceFailure } from '../../ports/connector.ts'
import { isoTime } from '../../shared/clock.ts'
import { failed, paused, type RunEnd } from './run-ends.ts'

const triesMax = 8
const shortWaitMs = 5_000

interface Tried {
  /** Failed tries of the same request. */
  tries: number
  nowMs: number
}

/** Decides whether a failed request is made again after a wait, or ends or pauses its run. */
export function afterFailure(
  failure: SourceFailure,
  { tries, nowMs }: Tried,
): { waitMs: number } | { end: RunEnd } {
  const { kind } = failure
  if (kind === 'auth') return { end: failed({ code: 'REAUTH_REQUIRED', message: failure.message }) }
  if (kind === 'forbidden' || kind === 'fatal') {
    return { end: failed({ code: 'SOURCE_ERROR', message: failure.message }) }
  }
  if (kind === 'transient' && tries >= triesMax) {
    return { end: failed({ code: 'SOURCE_ERROR', message: 'the source could not be read' }) }
  }
  const waitMs = delayOf(failure, { tries, nowMs })
  if (kind === 'transient' || waitMs <= shortWaitMs) return { waitMs }
  const reason = kind === 'quota' ? 'quota' : 'rate_limit'
  return { end: paused({ resumeAt: isoTime(nowMs + waitMs), reason }) }
}

const hourMs = 3600_000

/** Returns how long to wait after a failure. Source: connectors 3. */
function delayOf({ kind, retryAt }: SourceFailure, { tries, nowMs }: Tried): number {
  const asked = retryAt === null ? null : Math.max(0, Date.parse(retryAt) - nowMs)
  const doubled = 2 ** (tries - 1)
  if (kind === 'quota') return asked ?? Math.min(hourMs * doubled, 6 * hourMs)
  if (kind === 'rate') return asked ?? Math.min(500 * doubled, 60_000)
  return Math.min(500 * doubled, 30_000) * (0.8 + 0.4 * Math.random())
}
