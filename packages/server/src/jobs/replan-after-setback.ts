import type { Clock } from '../ports/clock.ts'
import type { SystemStore } from '../ports/system-store.ts'
import { isoTime } from '../shared/clock.ts'
import type { BackgroundJob } from './background-job.ts'

/** A time server makes smaller corrections all the time; such a one delays nothing by more than itself. */
const setbackMinMs = 500
const batchSize = 500

interface SetbackParts {
  system: Pick<SystemStore, 'replanAttempts'>
  clock: Clock
  /** A clock that is never set back, ms. */
  steadyMs?: () => number
}

/**
 * Returns the job with a replan before its polls, which moves attempts that a clock which was ahead has planned too
 * late. Without it, a retry that is due in four seconds waits for hours when the clock is set back by hours. Replans at
 * the start, because the clock may have been set while nothing ran, and whenever the clock falls behind the time that
 * has passed.
 */
export function replanAfterSetback(
  job: BackgroundJob,
  { system, clock, steadyMs = () => performance.now() }: SetbackParts,
): BackgroundJob {
  let last: { wallMs: number; steadyMs: number } | undefined
  let isReplanDue = true

  function noteTime(): void {
    const now = { wallMs: clock.nowMs(), steadyMs: steadyMs() }
    const expectedMs = last && last.wallMs + (now.steadyMs - last.steadyMs)
    if (expectedMs !== undefined && now.wallMs < expectedMs - setbackMinMs) isReplanDue = true
    last = now
  }

  return {
    runDue: async () => {
      noteTime()
      while (isReplanDue) {
        const found = await system.replanAttempts({ now: isoTime(clock.nowMs()), limit: batchSize })
        if (found < batchSize) isReplanDue = false
      }
      return job.runDue()
    },
    stop: async () => job.stop?.(),
  }
}
