import type { Clock } from '../ports/clock.ts'
import type { SystemStore } from '../ports/storage.ts'
import { isoTime } from '../shared/clock.ts'
import type { Step } from './scheduler.ts'

const logsKeepMs = 30 * 86_400_000
const everyMs = 60_000
const batchSize = 500
/** A large backlog is removed over several looks, so that it never stands in the way of requests for long. */
const batchesMax = 20
/** Of many processes one sweeps; when it dies another one goes on after this time. */
const leaseName = 'retention'
const leaseMs = 90_000

interface SweepParts {
  system: Pick<SystemStore, 'removeExpired' | 'takeLease' | 'releaseLease'>
  clock: Clock
  /** Tells this process from every other one. */
  holder: string
}

/** Removes what has outlived its keep, every minute, in small batches, in one process at a time. */
export function createSweep({ system, clock, holder }: SweepParts): Step {
  let nextAtMs = 0
  let isHolder = false
  return {
    runDue: async () => {
      const nowMs = clock.nowMs()
      const waitMs = nextAtMs - nowMs
      // A longer wait than there can be: the clock was set back.
      if (waitMs > 0 && waitMs <= everyMs) return nextAtMs
      isHolder = await system.takeLease({ name: leaseName, holder, now: isoTime(nowMs), leaseMs })
      if (!isHolder) {
        nextAtMs = nowMs + everyMs
        return nextAtMs
      }
      const keep = { now: isoTime(nowMs), logsBefore: isoTime(nowMs - logsKeepMs), limit: batchSize }
      for (let batch = 0; batch < batchesMax; batch++) {
        if ((await system.removeExpired(keep)) < batchSize) {
          nextAtMs = nowMs + everyMs
          return nextAtMs
        }
      }
      return clock.nowMs() + 1000
    },
    stop: async () => {
      // Who cannot release it lets it end.
      if (isHolder) await system.releaseLease({ name: leaseName, holder }).catch(() => {})
    },
  }
}
