import type { Clock } from '../ports/clock.ts'
import type { JobQueue } from '../ports/job-queue.ts'
import type { Log } from '../ports/log.ts'
import type { Meters } from '../ports/meters.ts'
import { StorageUnavailable } from '../storage/errors.ts'
import type { BackgroundJob } from './background-job.ts'

export interface ScheduledJob {
  /** The job's name in the registry. */
  readonly name: string
  readonly job: BackgroundJob
  readonly pollEveryMs: number
}

export interface Scheduler {
  start(): Promise<void>
  /** Resolves when the running work has ended, or after 10 seconds. */
  stop(): Promise<void>
}

interface SchedulerParts {
  jobs: readonly ScheduledJob[]
  queue: JobQueue
  clock: Clock
  log: Log
  meters: Pick<Meters, 'jobPolled'>
  stopWaitMs?: number
}

interface PollState {
  polling: Promise<void> | undefined
  isAskedAgain: boolean
  failures: number
  /** No poll before this moment; set while the storage is unavailable. */
  pausedUntilMs: number
}

/** A storage that is reachable again is noticed within this time; one that is not costs at most one poll in it. */
const pauseMaxMs = 5_000

/**
 * Polls every job: at the start, when the queue wakes it, and at the job's own period without any wake-up. A queue that
 * loses everything therefore delays work and never loses it.
 */
export function createScheduler(parts: SchedulerParts): Scheduler {
  const { jobs, queue, stopWaitMs = 10_000 } = parts
  const states = new Map<string, PollState>(
    jobs.map(({ name }) => [
      name,
      { polling: undefined, isAskedAgain: false, failures: 0, pausedUntilMs: 0 },
    ]),
  )
  let timers: NodeJS.Timeout[] = []
  let isStopped = false

  const poll = (scheduled: ScheduledJob): Promise<void> => {
    const state = states.get(scheduled.name) as PollState
    if (state.polling !== undefined) {
      state.isAskedAgain = true
      return state.polling
    }
    state.polling = (async () => {
      do {
        state.isAskedAgain = false
        if (!isStopped) await pollOnce(parts, scheduled, state)
      } while (state.isAskedAgain && !isStopped)
      state.polling = undefined
    })()
    return state.polling
  }
  const pollAll = (some: readonly ScheduledJob[]) => {
    for (const scheduled of some) void poll(scheduled)
  }

  return {
    start: async () => {
      await queue.start(async (name) => {
        const scheduled = jobs.find((candidate) => candidate.name === name)
        if (scheduled) await poll(scheduled)
      })
      pollAll(jobs)
      const byPeriod = Map.groupBy(jobs, ({ pollEveryMs }) => pollEveryMs)
      timers = [...byPeriod].map(([periodMs, some]) => setInterval(() => pollAll(some), periodMs).unref())
    },
    stop: async () => {
      isStopped = true
      for (const timer of timers) clearInterval(timer)
      const ended = Promise.all([
        queue.stop(),
        ...[...states.values()].map(({ polling }) => polling),
        ...jobs.map(({ job }) => job.stop?.()),
      ])
      await within(ended, stopWaitMs)
    },
  }
}

async function pollOnce(
  { queue, clock, log, meters }: SchedulerParts,
  { name, job }: ScheduledJob,
  state: PollState,
): Promise<void> {
  const pauseMs = state.pausedUntilMs - clock.nowMs()
  // A pause that is longer than the longest one: the clock was set back.
  if (pauseMs > 0 && pauseMs <= pauseMaxMs) return
  try {
    const nextAtMs = await job.runDue()
    state.failures = 0
    meters.jobPolled(name, 'done')
    if (nextAtMs !== null) queue.wake(name, nextAtMs)
  } catch (error) {
    state.failures += 1
    meters.jobPolled(name, 'failed')
    // An unavailable storage is polled ever more rarely; after any other error the next poll tries again.
    if (error instanceof StorageUnavailable) {
      state.pausedUntilMs = clock.nowMs() + Math.min(1000 * 2 ** (state.failures - 1), pauseMaxMs)
    }
    log.error({ err: error, job: name, failures: state.failures }, 'Polling for due jobs failed')
  }
}

/** Resolves when `work` has ended, or after `waitMs`. */
async function within(work: Promise<unknown>, waitMs: number): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  const waited = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, waitMs)
  })
  await Promise.race([work, waited])
  clearTimeout(timer)
}
