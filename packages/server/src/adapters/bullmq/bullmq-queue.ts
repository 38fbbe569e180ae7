import { Queue, Worker } from 'bullmq'
import { Redis } from 'ioredis'
import { type JobKind, type JobQueue, jobKinds } from '../../ports/job-queue.ts'
import type { Log } from '../../ports/log.ts'
import { canaryName, createCanary } from './canary.ts'
import { createWakeSender } from './wake-sender.ts'

export interface BullmqQueueOptions {
  url: string
  /** Keeps installations apart that share one Redis. */
  installationId: string
  /** Calls the receiver of this process, and keeps the time when Redis cannot. */
  local: JobQueue
  log: Log
}

const queueName = 'wake-ups'
const retryStrategy = (tries: number) => Math.min(50 * 2 ** tries, 1_000)

/** A command that Redis does not answer fails, so that whoever asks for a wake-up can help itself. */
const sending = {
  connectTimeout: 5_000,
  commandTimeout: 1_000,
  maxRetriesPerRequest: 1,
  enableOfflineQueue: false,
  // A connection whose other end went without a word is given up for a new one, long before TCP does.
  socketTimeout: 5_000,
  retryStrategy,
}
/** BullMQ's worker wants commands that wait for as long as Redis is away. */
const receiving = { connectTimeout: 5_000, keepAlive: 5_000, maxRetriesPerRequest: null, retryStrategy }

/** A job lives for a millisecond: one that a dying process left behind is given to another after this time. */
const jobLockMs = 5_000

/**
 * Wake-ups between processes by BullMQ. A job is only the word "look": it ends as soon as the process that got it has
 * been called, never when the work has ended, so nothing is lost with a job and none is ever tried again. What Redis
 * cannot carry just now is given to the receiver of this very process.
 */
export function openBullmqQueue({ url, installationId, local, log }: BullmqQueueOptions): JobQueue {
  // The braces keep all keys of one installation in one slot of a cluster.
  const prefix = `{crmkit-${installationId}}`
  const redis = new Redis(url, sending)
  const report = createReporter(log)
  redis.on('error', report.onError).on('ready', report.onReady)
  const queue = new Queue(queueName, {
    connection: redis,
    prefix,
    skipMetasUpdate: true,
    // Asked once and in vain, while Redis just goes away, the version would leave the queue useless for ever.
    skipVersionCheck: true,
    streams: { events: { maxLen: 100 } },
    defaultJobOptions: { removeOnComplete: true, removeOnFail: true },
  })
  queue.on('error', report.onError)
  const isReachable = () => redis.status === 'ready'
  const senders = new Map(
    jobKinds.map((kind) => [kind, createWakeSender({ kind, queue, local, isReachable })] as const),
  )
  const canary = createCanary({ queue, redis, key: `${prefix}:canary`, isReachable })
  let receiver: { worker: Worker; connection: Redis } | undefined
  let closing: Promise<void> | undefined

  const close = async () => {
    canary.stop()
    // Takes no further job; the one in hand ends at once. While Redis is away there is nobody to tell.
    await receiver?.worker.close(!isReachable())
    receiver?.connection.disconnect()
    await local.stop()
    await Promise.all([...senders.values()].map((sender) => sender.stop()))
    await queue.close()
    redis.disconnect()
  }

  return {
    wake: (kind, atMs) => {
      if (closing === undefined) senders.get(kind)?.wake(atMs)
    },
    async start(onWake) {
      await local.start(onWake)
      const connection = connectReceiver(url, report.onError)
      const worker = new Worker(
        queueName,
        async ({ name }) => {
          if (name === canaryName) await canary.answer()
          else if (isJobKind(name)) local.wake(name)
        },
        {
          connection,
          prefix,
          lockDuration: jobLockMs,
          stalledInterval: jobLockMs,
          // How long it rests after a failure: Redis may be back long before the default of 15 s is over.
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

/** BullMQ makes a second connection out of this one and lets go of its errors before it has ended. */
function connectReceiver(url: string, onError: (error: Error) => void): Redis {
  const connection = new Redis(url, receiving)
  connection.on('error', onError)
  const duplicate = connection.duplicate.bind(connection)
  connection.duplicate = (...options) => duplicate(...options).on('error', onError)
  return connection
}

/** A process of another version may know kinds that this one does not. */
function isJobKind(name: string): name is JobKind {
  return (jobKinds as readonly string[]).includes(name)
}

/** One line when Redis goes away and one when it is back, however many commands fail between. */
function createReporter(log: Log) {
  let isAway = false
  return {
    onError(error: Error) {
      if (!isAway) log.warn({ err: error }, 'Redis is away: due work is found by looking every second')
      isAway = true
    },
    onReady() {
      if (isAway) log.info({}, 'Redis is back')
      isAway = false
    },
  }
}
