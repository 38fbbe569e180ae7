import type { Queue } from 'bullmq'
import type { Redis } from 'ioredis'

export const canaryName = 'canary'

const probeEveryMs = 1_000
/** Workers that have confirmed no canary for this long count as dead. */
const confirmationMs = 5_000

interface CanaryParts {
  queue: Pick<Queue, 'add'>
  redis: Redis
  key: string
  isReachable(): boolean
}

/**
 * Tests that wake-ups reach a running worker: every process sends a canary job through the same queue, and the worker
 * that gets it sets a key that expires. At most one such job waits, however many processes send it.
 */
export function createCanary({ queue, redis, key, isReachable }: CanaryParts) {
  let isAlive = false
  let isProbing = false

  const probe = async () => {
    if (isProbing) return
    isProbing = true
    try {
      if (!isReachable()) throw new Error('Redis is unavailable')
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
    async confirm() {
      await redis.set(key, '1', 'PX', confirmationMs)
      isAlive = true
    },
    stop() {
      clearInterval(timer)
    },
  }
}
