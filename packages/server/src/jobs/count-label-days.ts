import type { Clock } from '../ports/clock.ts'
import type { SystemStore } from '../ports/system-store.ts'
import { isoTime } from '../shared/clock.ts'
import type { BackgroundJob, JobDeclaration } from './background-job.ts'

const pollEveryMs = 600_000
/** Other commits go between two days; a large backlog is counted over several polls. */
const daysMax = 400
const dayLength = 'YYYY-MM-DD'.length

interface LabelDayParts {
  system: Pick<SystemStore, 'countLabelDay'>
  clock: Clock
}

/** Counts the labels of each day that is over, once. The figures are right without it, and take longer. */
export function createCountLabelDays({ system, clock }: LabelDayParts): BackgroundJob {
  let isStopped = false
  return {
    runDue: async () => {
      const before = isoTime(clock.nowMs()).slice(0, dayLength)
      let from: string | null = ''
      for (let day = 0; day < daysMax && !isStopped; day++) {
        from = await system.countLabelDay({ from, before })
        if (from === null) return null
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
