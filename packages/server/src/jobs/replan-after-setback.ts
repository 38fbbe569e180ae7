import type { Clock } from '../ports/clock.ts'
import type { SystemStore } from '../ports/storage.ts'
import { isoTime } from '../shared/clock.ts'
import type { Step } from './scheduler.ts'

/** Less is what a time server corrects all the time, and delays nothing by more than itself. */
const setbackMinMs = 500
const batchSize = 500

interface SetbackParts {
  system: Pick<SystemStore, 'replanAttempts'>
  clock: Clock
  /** Time that only ever goes on, ms. */
  steadyMs?: () => number
}

/**
 * Lets a step see attempts that a clock which was ahead has planned: without it, a retry that is due in four
 * seconds waits for hours when the clock is set back by hours. Looks at the start, because the clock may have been
 * set while nothing ran, and whenever the clock falls behind the time that has passed.
 */
export function replanAfterSetback(
  step: Step,
  { system, clock, steadyMs = () => performance.now() }: SetbackParts,
): Step {
  let last: { wallMs: number; steadyMs: number } | undefined
  let isOwed = true

  function noteTime(): void {
    const now = { wallMs: clock.nowMs(), steadyMs: steadyMs() }
    const expectedMs = last && last.wallMs + (now.steadyMs - last.steadyMs)
    if (expectedMs !== undefined && now.wallMs < expectedMs - setbackMinMs) isOwed = true
    last = now
  }

  return {
    runDue: async () => {
      noteTime()
      while (isOwed) {
        const found = await system.replanAttempts({ now: isoTime(clock.nowMs()), limit: batchSize })
        if (found < batchSize) isOwed = false
      }
      return step.runDue()
    },
    stop: async () => step.stop?.(),
  }
}
