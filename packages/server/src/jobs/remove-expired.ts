import { randomUUID } from 'node:crypto'
import type { Clock } from '../ports/clock.ts'
import type { SystemStore } from '../ports/system-store.ts'
import { isoTime } from '../shared/clock.ts'
import { logsKeepMs } from '../storage/rules/log-retention.ts'
import { type BackgroundJob, type JobDeclaration, pollEveryMs } from './background-job.ts'
import { createRests, type Pace } from './rests.ts'

const everyMs = 60_000
const batchSize = 500
/** A large backlog is removed over several polls. */
const batchesMax = 50
/** One of many processes removes rows; when it dies, another one takes over after this time. */
const leaseName = 'retention'
const leaseMs = 90_000

interface RetentionParts extends Pace {
  system: Pick<SystemStore, 'removeExpired' | 'takeLease' | 'releaseLease'>
  clock: Clock
  /** A text that no other process uses. */
  holder: string
}

/**
 * Removes rows whose retention period is over: every minute, in small batches, in one process at a time. After each batch it
 * rests for as long as the batch took, so that at least half of the time is left to the writes of requests.
 */
export function createRemoveExpired({ system, clock, holder, ...pace }: RetentionParts): BackgroundJob {
  const begin = createRests(pace)
  let nextAtMs = 0
  let isHolder = false
  let isStopped = false
  return {
    runDue: async () => {
      const nowMs = clock.nowMs()
      const waitMs = nextAtMs - nowMs
      // A wait that is longer than the period: the clock was set back.
      if (waitMs > 0 && waitMs <= everyMs) return nextAtMs
      isHolder = await system.takeLease({ name: leaseName, holder, now: isoTime(nowMs), leaseMs })
      if (!isHolder) {
        nextAtMs = nowMs + everyMs
        return nextAtMs
      }
      const bounds = { now: isoTime(nowMs), logsBefore: isoTime(nowMs - logsKeepMs), limit: batchSize }
      for (let batch = 0; batch < batchesMax && !isStopped; batch++) {
        const restAfter = begin()
        // A storage may end a batch before its limit, so that nobody waits long for it.
        if ((await system.removeExpired(bounds)) === 0) {
          nextAtMs = nowMs + everyMs
          return nextAtMs
        }
        await restAfter(1)
      }
      return clock.nowMs() + 100
    },
    stop: async () => {
      isStopped = true
      // A lease that cannot be released expires by itself.
      if (isHolder) await system.releaseLease({ name: leaseName, holder }).catch(() => {})
    },
  }
}

export const removeExpired: JobDeclaration = {
  pollEveryMs,
  make: ({ storage, clock }) => createRemoveExpired({ system: storage.system, clock, holder: randomUUID() }),
  backlog: { none: 'nobody reads a row whose time is over, so one that is removed late takes space alone' },
}
