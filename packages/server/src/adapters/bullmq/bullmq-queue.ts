import { Queue, Worker } from 'bullmq'
import { Redis } from 'ioredis'
import type { JobQueue } from '../../ports/job-queue.ts'
import type { Log } from '../../ports/log.ts'
import { canaryName, createCanary } from './canary.ts'
import { createWakeSender } from './wake-sender.ts'

export interface BullmqQueueOptions {
  url: string
  /** Separates installations that share one Redis. */
  installationId: string
  /** The names of the jobs that this version knows; wake-ups for other names are ignored. */
  jobs: readonly string[]
  /** Calls the receiver of this process, and holds the timers while Redis is unavailable. */
  local: JobQueue
  log: Log
}

const queueName = 'wake-ups'
const retryStrategy = (tries: number) => Math.min(50 * 2 ** tries, 1_000)

/** A command without a reply from Redis fails, so that its wake-up is given to this process instead. */
const sending = {
  connectTimeout: 5_000,
  commandTimeout: 1_000,
  maxRetriesPerRequest: 1,
  enableOfflineQueue: false,
  // A connection whose other end vanished is replaced by a new one, long before TCP notices.
  socketTimeout: 5_000,
  retryStrategy,
}
/** BullMQ's worker needs commands that wait for as long as Redis is unavailable. */
const receiving = { connectTimeout: 5_000, keepAlive: 5_000, maxRetriesPerRequest: null, retryStrategy }

/** A job lives for a millisecond: one that a dying process leaves behind goes to another process after this time. */
const jobLockMs = 5_000

/**
 * Wake-ups between processes by BullMQ. A job in Redis holds nothing but a name: it ends as soon as its receiver has
 * been called, not when the work has ended, so nothing is lost with it and it is never retried. While Redis is
 * unavailable, wake-ups are given to the receiver of this process.
 */
export function openBullmqQueue({ url, installationId, jobs, local, log }: BullmqQueueOptions): JobQueue {
  // The braces put all keys of one installation into one slot of a cluster.
  const prefix = `{crmkit-${installationId}}`
  const redis = new Redis(url, sending)
  const report = createReporter(log)
  redis.on('error', report.onError).on('ready', report.onReady)
  const queue = new Queue(queueName, {
    connection: redis,
    prefix,
    skipMetasUpdate: true,
    // The check runs once: without a reply, when Redis becomes unavailable, the queue would stay useless permanently.
    skipVersionCheck: true,
    streams: { events: { maxLen: 100 } },
    defaultJobOptions: { removeOnComplete: true, removeOnFail: true },
  })
  queue.on('error', report.onError)
  const isReachable = () => redis.status === 'ready'
  const senders = new Map(
    jobs.map((job) => [job, createWakeSender({ job, queue, local, isReachable })] as const),
  )
  const canary = createCanary({ queue, redis, key: `${prefix}:canary`, isReachable })
  let receiver: { worker: Worker; connection: Redis } | undefined
  let closing: Promise<void> | undefined

  const close = async () => {
    canary.stop()
    // Takes no further job; the running one ends immediately. While Redis is unavailable, the close is forced.
    await receiver?.worker.close(!isReachable())
    receiver?.connection.disconnect()
    await local.stop()
    await Promise.all([...senders.values()].map((sender) => sender.stop()))
    await queue.close()
    redis.disconnect()
  }

  return {
    wake: (job, atMs) => {
      if (closing === undefined) senders.get(job)?.wake(atMs)
    },
    async start(onWake) {
      await local.start(onWake)
      const connection = connectReceiver(url, report.onError)
      const worker = new Worker(
        queueName,
        async ({ name }) => {
          if (name === canaryName) await canary.confirm()
          // A process of another version may send names that this one does not know.
          else if (senders.has(name)) local.wake(name)
        },
        {
          connection,
          prefix,
          lockDuration: jobLockMs,
          stalledInterval: jobLockMs,
          // The pause after a failure: Redis may be back long before the default of 15 s is over.
          runRetryDelay: 500,
          drainDelay: 5,
        },
      )
      worker.on('error', report.onError)
      receiver = { worker, connection }
    },
    stop: () => {
      closing ??= close()
      return closing
    },
    isHealthy: () => closing === undefined && canary.isAlive(),
  }
}

/** BullMQ duplicates this connection and removes its error listener from the duplicate before that has closed. */
function connectReceiver(url: string, onError: (error: Error) => void): Redis {
  const connection = new Redis(url, receiving)
  connection.on('error', onError)
  const duplicate = connection.duplicate.bind(connection)
  connection.duplicate = (...options) => duplicate(...options).on('error', onError)
  return connection
}

/** Logs one line when Redis becomes unavailable and one when it is back, however many commands fail in between. */
function createReporter(log: Log) {
  let isAway = false
  return {
    onError(error: Error) {
      if (!isAway)
        log.warn({ err: error }, 'Redis is unavailable: due jobs are found by polling every second')
      isAway = true
    },
    onReady() {
      if (isAway) log.info({}, 'Redis is back')
      isAway = false
    },
  }
}
