import type { Clock } from '../ports/clock.ts'
import type { SystemStore } from '../ports/system-store.ts'
import { isoTime } from '../shared/clock.ts'
import type { BackgroundJob, JobDeclaration } from './background-job.ts'
import { createRests, type Pace } from './rests.ts'

const pollEveryMs = 600_000
/** A large backlog is counted over several polls. */
const daysMax = 400
const restShare = 4
const dayLength = 'YYYY-MM-DD'.length

interface LabelDayParts extends Pace {
  system: Pick<SystemStore, 'countLabelDay'>
  clock: Clock
}

/**
 * Counts the labels of each day that is over, once. The figures are right without it, and take longer. Writes of requests wait
 * while SQLite counts a day, and nobody waits for the counts: so the job rests `restShare` times as long after each day.
 */
export function createCountLabelDays({ system, clock, ...pace }: LabelDayParts): BackgroundJob {
  const begin = createRests(pace)
  let isStopped = false
  return {
    runDue: async () => {
      const before = isoTime(clock.nowMs()).slice(0, dayLength)
      let from: string | null = ''
      for (let day = 0; day < daysMax && !isStopped; day++) {
        const restAfter = begin()
        from = await system.countLabelDay({ from, before })
        if (from === null) return null
        await restAfter(restShare)
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
  backlog: { none: 'the figures are right without it, and take longer' },
}
