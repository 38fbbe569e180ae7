import type { Queue } from 'bullmq'
import type { Redis } from 'ioredis'

export const canaryName = 'canary'

const probeEveryMs = 1_000
/** A worker that has answered no canary for this long counts as dead. */
const answerKeptMs = 5_000

interface CanaryParts {
  queue: Pick<Queue, 'add'>
  redis: Redis
  key: string
  isReachable(): boolean
}

/**
 * Proof that wake-ups reach a living worker: every process sends a job along the way of all others, and whichever worker
 * gets it leaves an answer that expires. One job waits at most, however many processes ask.
 */
export function createCanary({ queue, redis, key, isReachable }: CanaryParts) {
  let isAlive = false
  let isProbing = false

  const probe = async () => {
    if (isProbing) return
    isProbing = true
    try {
      if (!isReachable()) throw new Error('Redis is away')
      await queue.add(canaryName, {}, { deduplication: { id: canaryName, keepLastIfActive: true } })
      isAlive = (await redis.exists(key)) === 1
    } catch {
      isAlive = false
    }
    isProbing = false
  }
  const timer = setInterval(probe, probeEveryMs).unref()
  redis.on('ready', probe)

  return {
    isAlive: () => isAlive && isReachable(),
    async answer() {
      await redis.set(key, '1', 'PX', answerKeptMs)
      isAlive = true
    },
    stop() {
      clearInterval(timer)
    },
  }
}
