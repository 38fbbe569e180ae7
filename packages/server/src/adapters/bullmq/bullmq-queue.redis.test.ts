import { Redis } from 'ioredis'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type RedisServer, startRedis } from '../../../test/support/redis-server.ts'
import { silentLog } from '../../../test/support/silent-log.ts'
import { jobNames } from '../../main/compose/job-registry.ts'
import type { JobQueue } from '../../ports/job-queue.ts'
import { createInProcessQueue } from '../in-process/in-process-queue.ts'
import { openBullmqQueue } from './bullmq-queue.ts'

let redis: RedisServer
let queues: JobQueue[] = []
beforeEach(async () => {
  redis = await startRedis()
})
afterEach(async () => {
  await Promise.all(queues.map((queue) => queue.stop()))
  queues = []
  await redis.stop()
})

/** A process of the installation. */
function join(installationId = 'ours'): JobQueue {
  const queue = openBullmqQueue({
    url: redis.url,
    installationId,
    jobs: jobNames,
    local: createInProcessQueue(),
    log: silentLog,
  })
  queues.push(queue)
  return queue
}

/** A process with a receiver, and the calls that it gets. */
async function receive(queue = join()) {
  const kinds: string[] = []
  let waiting: (() => void)[] = []
  await queue.start(async (kind) => {
    kinds.push(kind)
    for (const resolve of waiting) resolve()
    waiting = []
  })
  const next = () => new Promise<void>((resolve) => waiting.push(resolve))
  return { queue, kinds, next }
}

/** Asks for wake-ups until one has arrived: the connection may not be ready yet. */
async function wakeUntil(from: JobQueue, called: Promise<void>, kind: string = 'deliveries'): Promise<void> {
  const repeat = setInterval(() => from.wake(kind), 20)
  from.wake(kind)
  await called.finally(() => clearInterval(repeat))
}

describe('between processes', () => {
  test('a process without a receiver wakes a process with one', async () => {
    const { kinds, next } = await receive()
    const api = join()
    await wakeUntil(api, next())
    expect(kinds).toContain('deliveries')
  })

  test('another installation on the same Redis is not woken', async () => {
    const ours = await receive()
    const foreign = await receive(join('foreign'))
    await wakeUntil(join(), ours.next())
    await wakeUntil(join('foreign'), foreign.next(), 'snoozes')
    await wakeUntil(join(), ours.next())
    expect(new Set(ours.kinds)).toEqual(new Set(['deliveries']))
    expect(new Set(foreign.kinds)).toEqual(new Set(['snoozes']))
  })

  test('a process that stops leaves the wake-ups to the others', async () => {
    const first = await receive()
    const second = await receive()
    await first.queue.stop()
    const { length } = first.kinds
    await wakeUntil(join(), second.next())
    expect(first.kinds).toHaveLength(length)
  })

  test('at most one wake-up for each job and moment waits, however many processes ask while none receives', async () => {
    const client = new Redis(redis.url)
    const { queue, next } = await receive()
    const processes = Array.from({ length: 5 }, () => join())
    for (const process of processes) await wakeUntil(process, next())
    await queue.stop()
    const at = Date.now() + 30_000
    for (let round = 0; round < 20; round++) {
      for (const process of processes) {
        process.wake('deliveries')
        process.wake('snoozes', at)
        process.wake('sweep', at + 3_600_000)
      }
      await client.ping()
    }
    await Promise.all(processes.map((process) => process.stop()))
    const jobs = await client.keys('*wake-ups:[a-z0-9]*')
    const names = await Promise.all(
      jobs.map(async (key) => ((await client.type(key)) === 'hash' ? client.hget(key, 'name') : null)),
    )
    client.disconnect()
    // A canary may wait too; a wake-up in an hour is left to polling.
    const waiting = names.filter((name) => name !== null && name !== 'canary')
    expect(waiting.sort()).toEqual(['deliveries', 'snoozes'])
  })
})

describe('when Redis fails', () => {
  const untilHealthy = (queue: JobQueue) => health(queue).toBe(true)
  const untilUnhealthy = (queue: JobQueue) => health(queue).toBe(false)
  const health = (queue: JobQueue) => expect.poll(() => queue.isHealthy())

  test('health says in every process whether wake-ups reach a running worker', async () => {
    const api = join()
    const { queue: worker } = await receive()
    await untilHealthy(api)
    await worker.stop()
    await untilUnhealthy(api)
    const again = await receive()
    await untilHealthy(api)
    expect(again.queue.isHealthy()).toBe(true)
  })

  test('a process wakes itself while Redis is unavailable, and others wake it when Redis is back', async () => {
    const { queue, kinds, next } = await receive()
    await untilHealthy(queue)
    await redis.kill()
    await untilUnhealthy(queue)
    const { length } = kinds
    const called = next()
    queue.wake('deliveries')
    await called
    queue.wake('snoozes', Date.now() + 20)
    await next()
    expect(kinds.slice(length)).toEqual(['deliveries', 'snoozes'])
    await redis.restart()
    const api = join()
    await wakeUntil(api, next())
    await untilHealthy(queue)
  })

  test.each(['flushed', 'paused'] as const)('continues by itself after Redis was %s', async (fault) => {
    const { queue, next } = await receive()
    const api = join()
    await untilHealthy(api)
    if (fault === 'flushed') await redis.flush()
    else {
      await redis.pause()
      await untilUnhealthy(api)
      redis.resume()
    }
    await wakeUntil(api, next())
    await untilHealthy(queue)
  })

  test('starts and stops while Redis is unavailable', async () => {
    await redis.kill()
    const { queue, kinds, next } = await receive()
    queue.wake('deliveries')
    await next()
    expect(kinds).toEqual(['deliveries'])
    expect(queue.isHealthy()).toBe(false)
    await queue.stop()
  })
})
