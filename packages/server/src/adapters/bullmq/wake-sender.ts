import type { Queue } from 'bullmq'
import type { JobKind, JobQueue } from '../../ports/job-queue.ts'

// What lies further ahead is asked for again by the sweep of every worker, long before it is due: Redis need not hold
// a job for each conversation that sleeps till next month.
const horizonMs = 60_000

interface WakeSenderParts {
  kind: JobKind
  queue: Pick<Queue, 'add'>
  local: Pick<JobQueue, 'wake'>
  isReachable(): boolean
}

export interface WakeSender {
  wake(atMs: number | undefined): void
  /** Resolves when nothing is on its way any more. */
  stop(): Promise<void>
}

/** Sends the wake-ups of one kind. While one is on its way all further ones wait as one: the next look sees everything. */
export function createWakeSender({ kind, queue, local, isReachable }: WakeSenderParts): WakeSender {
  let isAskedNow = false
  let askedAtMs: number | undefined
  let sending: Promise<void> | undefined
  let hasFailed = false

  const send = async (atMs: number | undefined) => {
    try {
      await (atMs === undefined ? addNow(queue, kind) : addLater(queue, { kind, atMs }))
      hasFailed = false
    } catch {
      // Whether it arrived is unknown. A process that receives nothing itself leaves it to the workers' sweeps.
      hasFailed = true
      local.wake(kind, atMs)
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
      // A Redis that does not answer would hold every wake-up for the time that a command may take.
      if (hasFailed || !isReachable()) local.wake(kind, atMs)
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

/** One waits at most, however many processes ask; asked for while it is being handed over, another one follows. */
async function addNow(queue: Pick<Queue, 'add'>, kind: JobKind): Promise<void> {
  await queue.add(kind, {}, { deduplication: { id: kind, keepLastIfActive: true } })
}

/** One for a moment, however many processes name it. */
async function addLater(
  queue: Pick<Queue, 'add'>,
  { kind, atMs }: { kind: JobKind; atMs: number },
): Promise<void> {
  await queue.add(kind, {}, { jobId: `${kind}-at-${atMs}`, delay: Math.max(0, atMs - Date.now()) })
}
