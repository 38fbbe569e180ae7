import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { describeRateLimiterContract } from '../../../test/contracts/rate-limiter.contract.ts'
import { type RedisServer, startRedis } from '../../../test/support/redis-server.ts'
import type { RateLimiter } from '../../ports/rate-limiter.ts'
import { systemClock } from '../../shared/clock.ts'
import { attemptRule } from '../../shared/limit-rules.ts'
import { createInProcessRateLimiter } from '../in-process/in-process-rate-limiter.ts'
import { openRedisRateLimiter } from './redis-rate-limiter.ts'

let redis: RedisServer
let installations = 0
/**
 * Errors of the limiters on the shared Redis: each of them means a request that was counted in this process instead.
 */
const errors: Error[] = []
afterEach(() => expect(errors.splice(0)).toEqual([]))
beforeAll(async () => {
  redis = await startRedis()
})
afterAll(() => redis.stop())

function open(installationId = `i${++installations}`): Promise<RateLimiter> {
  const local = createInProcessRateLimiter(systemClock)
  return openRedisRateLimiter({
    url: redis.url,
    installationId,
    local,
    clock: systemClock,
    onError: (error) => errors.push(error),
    // This machine may be busy; these tests are about Redis, not about the fallback.
    commandTimeoutMs: 10_000,
  })
}
const pass = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms))

describeRateLimiterContract('The Redis rate limiter', async () => ({ limiter: await open(), pass }))

const limit = { name: 'key', cell: 'key:1', requests: 10, windowMs: 60_000 }
const countAdmitted = async (limiters: readonly RateLimiter[], times: number) => {
  const asked = limiters.flatMap((limiter) => Array.from({ length: times }, () => limiter.take([limit])))
  return (await Promise.all(asked)).filter(({ isRefused }) => !isRefused).length
}

describe('several processes', () => {
  let both: [RateLimiter, RateLimiter]
  beforeEach(async () => {
    const installation = `i${++installations}`
    both = [await open(installation), await open(installation)]
    onTestFinished(async () => {
      await Promise.all(both.map((limiter) => limiter.close()))
    })
  })

  it('share each limit to the last request, and the wait after failed attempts', async () => {
    expect(await countAdmitted(both, 50)).toBe(10)
    const [one, other] = both
    const counters = [{ id: 'who', rule: attemptRule }]
    for (let i = 0; i < attemptRule.freeFailures; i++) await one.beginAttempt(counters)
    expect((await other.beginAttempt(counters))?.waitMs).toBeGreaterThan(0)
    await one.remember('known', 60_000)
    expect(await other.remembered(['known'])).toEqual(['known'])
  })

  it('return the same end of a window', async () => {
    const [one, other] = both
    const first = await one.take([limit])
    await pass(20)
    expect((await other.take([limit])).resetAtMs).toBe(first.resetAtMs)
  })

  it('of another installation on the same Redis have their own counters', async () => {
    const stranger = await open()
    expect(await countAdmitted([both[0], stranger], 30)).toBe(20)
    await stranger.close()
  })
})

describe('without Redis', () => {
  let own: RedisServer
  let limiter: RateLimiter
  beforeEach(async () => {
    own = await startRedis()
    const local = createInProcessRateLimiter(systemClock)
    const options = { url: own.url, installationId: 'ours', local, clock: systemClock, onError: () => {} }
    limiter = await openRedisRateLimiter(options)
    onTestFinished(async () => {
      await limiter.close()
      own.resume()
      await own.stop()
    })
  })

  /** Resolves when a request is counted in Redis again. */
  async function untilShared(): Promise<void> {
    const endMs = Date.now() + 10_000
    for (;;) {
      await limiter.take([{ ...limit, cell: 'probe' }])
      if ((await own.ask('EXISTS crmkit:{ours}:limit:probe')).includes('1')) return
      if (Date.now() > endMs) throw new Error('Redis was not used again')
      await pass(50)
    }
  }

  it('counts in this process while Redis is killed, never without a limit, and shares counters again when it is back', async () => {
    expect(await countAdmitted([limiter], 5)).toBe(5)
    await own.kill()
    expect(await countAdmitted([limiter], 30)).toBe(10)
    await own.restart()
    await untilShared()
    expect(await countAdmitted([limiter], 30)).toBe(10)
  })

  it('returns soon while Redis hangs, and only the first request has to wait', async () => {
    await own.pause()
    const startedMs = Date.now()
    expect(await countAdmitted([limiter], 30)).toBe(10)
    expect(Date.now() - startedMs).toBeLessThan(2_000)
    const before = process.hrtime.bigint()
    for (let i = 0; i < 100; i++) expect(limiter.take([limit])).not.toBeInstanceOf(Promise)
    expect(process.hrtime.bigint() - before).toBeLessThan(2_000_000_000n)
    own.resume()
    await untilShared()
  })

  it('continues after all data of Redis was deleted, its scripts too', async () => {
    await limiter.take([limit])
    await own.ask('SCRIPT FLUSH')
    await own.flush()
    await untilShared()
    expect((await limiter.take([limit])).isRefused).toBe(false)
  })
})

it('opens although Redis is unavailable, and uses it when it comes', async () => {
  const own = await startRedis()
  await own.kill()
  const local = createInProcessRateLimiter(systemClock)
  const options = { url: own.url, installationId: 'ours', local, clock: systemClock, onError: () => {} }
  const limiter = await openRedisRateLimiter(options)
  onTestFinished(async () => {
    await limiter.close()
    await own.stop()
  })
  expect(await countAdmitted([limiter], 30)).toBe(10)
  await own.restart()
  const endMs = Date.now() + 10_000
  while ((await limiter.take([limit])).isRefused && Date.now() < endMs) await pass(50)
  expect((await limiter.take([limit])).isRefused).toBe(false)
})
