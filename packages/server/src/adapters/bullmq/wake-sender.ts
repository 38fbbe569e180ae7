import type { Queue } from 'bullmq'
import type { JobQueue } from '../../ports/job-queue.ts'

// Wake-ups that lie further ahead are not sent: the polls of every worker ask for them again long before they are due.
// So Redis need not hold a job for each conversation that is snoozed till next month.
const horizonMs = 60_000

interface WakeSenderParts {
  /** The name of the job that this sender wakes. */
  job: string
  queue: Pick<Queue, 'add'>
  local: Pick<JobQueue, 'wake'>
  isReachable(): boolean
}

export interface WakeSender {
  wake(atMs: number | undefined): void
  /** Drops what waits to be sent; resolves when nothing is being sent. */
  stop(): Promise<void>
}

/** Sends the wake-ups of one job. While one is being sent all further ones are merged: one poll finds all due work. */
export function createWakeSender({ job, queue, local, isReachable }: WakeSenderParts): WakeSender {
  let isAskedNow = false
  let askedAtMs: number | undefined
  let sending: Promise<void> | undefined
  let hasFailed = false

  const send = async (atMs: number | undefined) => {
    try {
      await (atMs === undefined ? addNow(queue, job) : addLater(queue, { job, atMs }))
      hasFailed = false
    } catch {
      // Whether it arrived is unknown. In a process without a receiver this does nothing: the workers' polls find it.
      hasFailed = true
      local.wake(job, atMs)
    }
  }
  const sendAll = async () => {
    while (isAskedNow || askedAtMs !== undefined) {
      if (isAskedNow) {
        isAskedNow = false
        await send(undefined)
      } else {
        const atMs = askedAtMs
        askedAtMs = undefined
        await send(atMs)
      }
    }
    sending = undefined
  }

  return {
    wake(atMs) {
      if (atMs !== undefined && atMs - Date.now() > horizonMs) return
      // A Redis that does not respond would delay every wake-up for the timeout of a command.
      if (hasFailed || !isReachable()) local.wake(job, atMs)
      if (!isReachable()) return
      if (atMs === undefined || atMs <= Date.now()) isAskedNow = true
      else askedAtMs = Math.min(askedAtMs ?? atMs, atMs)
      sending ??= sendAll()
    },
    stop: async () => {
      isAskedNow = false
      askedAtMs = undefined
      await sending
    },
  }
}

/** Adds at most one waiting job, however many processes ask; a request during its delivery adds another one. */
async function addNow(queue: Pick<Queue, 'add'>, job: string): Promise<void> {
  await queue.add(job, {}, { deduplication: { id: job, keepLastIfActive: true } })
}

/** Adds one job for a moment, however many processes ask for the same moment. */
async function addLater(
  queue: Pick<Queue, 'add'>,
  { job, atMs }: { job: string; atMs: number },
): Promise<void> {
  await queue.add(job, {}, { jobId: `${job}-at-${atMs}`, delay: Math.max(0, atMs - Date.now()) })
}
