import { setTimeout as wait } from 'node:timers/promises'
import type { Clock } from '../ports/clock.ts'
import type { SystemStore } from '../ports/system-store.ts'
import { isoTime } from '../shared/clock.ts'
import type { BackgroundJob, JobDeclaration } from './background-job.ts'

const pollEveryMs = 600_000
/** A large backlog is counted over several polls. */
const daysMax = 400
const restShare = 4
const dayLength = 'YYYY-MM-DD'.length

interface LabelDayParts {
  system: Pick<SystemStore, 'countLabelDay'>
  clock: Clock
  /** Milliseconds from any moment on, which never go backwards. */
  elapsedMs?: () => number
  rest?: (ms: number) => Promise<void>
}

/**
 * Counts the labels of each day that is over, once. The figures are right without it, and take longer. A day of a large tenant
 * takes the writer of SQLite some 10 ms or more: after each day the job rests `restShare` times as long, because writes of requests
 * wait meanwhile and nobody waits for the counts.
 */
export function createCountLabelDays({
  system,
  clock,
  elapsedMs = () => performance.now(),
  rest = (ms) => wait(ms),
}: LabelDayParts): BackgroundJob {
  let isStopped = false
  return {
    runDue: async () => {
      const before = isoTime(clock.nowMs()).slice(0, dayLength)
      let from: string | null = ''
      for (let day = 0; day < daysMax && !isStopped; day++) {
        const startMs = elapsedMs()
        from = await system.countLabelDay({ from, before })
        if (from === null) return null
        await rest(restShare * (elapsedMs() - startMs))
      }
      return clock.nowMs() + 1_000
    },
    stop: async () => {
      isStopped = true
    },
  }
}

export const countLabelDays: JobDeclaration = {
  pollEveryMs,
  make: ({ storage, clock }) => createCountLabelDays({ system: storage.system, clock }),
}
