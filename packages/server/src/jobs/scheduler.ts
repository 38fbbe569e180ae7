import type { Clock } from '../ports/clock.ts'
import { type JobKind, type JobQueue, jobKinds } from '../ports/job-queue.ts'
import type { Log } from '../ports/log.ts'
import { StorageUnavailable } from '../storage/errors.ts'

/** One kind of due work. */
export interface Step {
  /** Does, or begins, what is due now; answers when to look again (ms since 1970), null when nothing is planned. */
  runDue(): Promise<number | null>
  /** Begins nothing new and resolves when what was begun has ended. */
  stop?(): Promise<void>
}

export interface Scheduler {
  start(): Promise<void>
  /** Resolves when the running work has ended, or after 10 seconds. */
  stop(): Promise<void>
}

interface SchedulerParts {
  steps: Readonly<Record<JobKind, Step>>
  queue: JobQueue
  clock: Clock
  log: Log
  sweepEveryMs?: number
  stopWaitMs?: number
}

interface Queue {
  looking: Promise<void> | undefined
  isAskedAgain: boolean
  failures: number
  /** No look before this moment; set while the storage is away. */
  pausedUntilMs: number
}

/** A storage that is back is found out about within this time; asking one that is away costs it nothing. */
const pauseMaxMs = 5_000

/**
 * One loop over the kinds of due work. The queue wakes it; a sweep at the start and every second does
 * the same without any wake-up, so that a queue which loses everything costs time and never work.
 */
export function createScheduler(parts: SchedulerParts): Scheduler {
  const { steps, queue, sweepEveryMs = 1000, stopWaitMs = 10_000 } = parts
  const deliveryQueues = new Map<JobKind, Queue>(
    jobKinds.map((kind) => [
      kind,
      { looking: undefined, isAskedAgain: false, failures: 0, pausedUntilMs: 0 },
    ]),
  )
  let timer: NodeJS.Timeout | undefined
  let isStopped = false

  const look = (kind: JobKind): Promise<void> => {
    const deliveryQueue = deliveryQueues.get(kind) as Queue
    if (deliveryQueue.looking !== undefined) {
      deliveryQueue.isAskedAgain = true
      return deliveryQueue.looking
    }
    deliveryQueue.looking = (async () => {
      do {
        deliveryQueue.isAskedAgain = false
        if (!isStopped) await lookOnce(parts, kind, deliveryQueue)
      } while (deliveryQueue.isAskedAgain && !isStopped)
      deliveryQueue.looking = undefined
    })()
    return deliveryQueue.looking
  }
  const sweep = () => {
    for (const kind of jobKinds) void look(kind)
  }

  return {
    start: async () => {
      await queue.start(look)
      sweep()
      timer = setInterval(sweep, sweepEveryMs).unref()
    },
    stop: async () => {
      isStopped = true
      clearInterval(timer)
      const ended = Promise.all([
        queue.stop(),
        ...[...deliveryQueues.values()].map((deliveryQueue) => deliveryQueue.looking),
        ...Object.values(steps).map((step) => step.stop?.()),
      ])
      await within(ended, stopWaitMs)
    },
  }
}

async function lookOnce(
  { steps, queue, clock, log }: SchedulerParts,
  kind: JobKind,
  deliveryQueue: Queue,
): Promise<void> {
  const pauseMs = deliveryQueue.pausedUntilMs - clock.nowMs()
  // A longer pause than there can be: the clock was set back.
  if (pauseMs > 0 && pauseMs <= pauseMaxMs) return
  try {
    const nextAtMs = await steps[kind].runDue()
    deliveryQueue.failures = 0
    if (nextAtMs !== null) queue.wake(kind, nextAtMs)
  } catch (error) {
    deliveryQueue.failures += 1
    // A storage that is away is asked ever more rarely; anything else is tried again by the next sweep.
    if (error instanceof StorageUnavailable) {
      deliveryQueue.pausedUntilMs =
        clock.nowMs() + Math.min(1000 * 2 ** (deliveryQueue.failures - 1), pauseMaxMs)
    }
    log.error({ err: error, kind, failures: deliveryQueue.failures }, 'A look for due work failed')
  }
}

async function within(work: Promise<unknown>, waitMs: number): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  const waited = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, waitMs)
  })
  await Promise.race([work, waited])
  clearTimeout(timer)
}
