import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { LimitState, RateLimit, RateLimiter } from '../../src/ports/rate-limiter.ts'
import { attemptRule } from '../../src/shared/limit-rules.ts'

export interface OpenLimiter {
  limiter: RateLimiter
  /** Lets this much time pass for the limiter. */
  pass(ms: number): Promise<void>
}

const windowMs = 400
let cells = 0

/** A limit with a counter that no other test knows. */
function limitOf(requests: number, fields: Partial<RateLimit> = {}): RateLimit {
  return { name: 'key', cell: `key:${++cells}`, requests, windowMs, ...fields }
}

const outcome = ({ isRefused, remaining }: LimitState) => [isRefused, remaining]

/** What every rate limiter promises. `open` gives one with counters of its own. */
export function describeRateLimiterContract(name: string, open: () => Promise<OpenLimiter>): void {
  describe(`${name} keeps the promise of a rate limiter`, () => {
    let opened: OpenLimiter
    beforeEach(async () => {
      opened = await open()
    })
    afterEach(() => opened.limiter.close())
    describeWindows(() => opened)
    describeSeveralLimits(() => opened)
    describeAttempts(() => opened)
  })
}

function describeWindows(opened: () => OpenLimiter): void {
  test('lets through as many as the limit says and refuses the next, with one end for all of them', async () => {
    const { limiter } = opened()
    const limit = limitOf(3)
    const states: LimitState[] = []
    for (let i = 0; i < 5; i++) states.push(await limiter.take([limit]))
    expect(states.map(outcome)).toEqual([
      [false, 2],
      [false, 1],
      [false, 0],
      [true, 0],
      [true, 0],
    ])
    expect(new Set(states.map(({ resetAtMs }) => resetAtMs)).size).toBe(1)
    for (const { resetInMs, limit: told } of states) {
      expect(resetInMs).toBeGreaterThanOrEqual(0)
      expect(resetInMs).toBeLessThanOrEqual(windowMs)
      expect(told).toBe(limit)
    }
  })

  test('lets a request through at the very end of the window, and begins the next one with it', async () => {
    const { limiter, pass } = opened()
    const limit = limitOf(1)
    await limiter.take([limit])
    const refused = await limiter.take([limit])
    expect(refused.isRefused).toBe(true)
    await pass(refused.resetInMs)
    const next = await limiter.take([limit])
    expect(outcome(next)).toEqual([false, 0])
    expect(next.resetAtMs).toBeGreaterThanOrEqual(refused.resetAtMs + windowMs)
  })

  test('a refused request does not put off the end', async () => {
    const { limiter, pass } = opened()
    const limit = limitOf(1)
    const { resetAtMs } = await limiter.take([limit])
    for (let i = 0; i < 3; i++) {
      await pass(windowMs / 10)
      expect(await limiter.take([limit])).toMatchObject({ isRefused: true, resetAtMs })
    }
  })

  test('counts many at once exactly', async () => {
    const { limiter } = opened()
    const limit = limitOf(40, { windowMs: 60_000 })
    const states = await Promise.all(Array.from({ length: 100 }, () => limiter.take([limit])))
    expect(states.filter(({ isRefused }) => !isRefused)).toHaveLength(40)
  })

  test('keeps cells apart, also with names that mean something elsewhere', async () => {
    const { limiter } = opened()
    for (const cell of ['a', 'b', '__proto__', '', 'a b', '{a}', 'ä', '*'])
      expect(outcome(await limiter.take([limitOf(1, { cell })]))).toEqual([false, 0])
  })

  test('a limit that was changed acts on the next request, and a shorter window does not wait for a longer one', async () => {
    const { limiter } = opened()
    const limit = limitOf(5, { windowMs: 3_600_000 })
    await limiter.take([limit])
    expect(await limiter.take([{ ...limit, requests: 1 }])).toMatchObject({ isRefused: true, remaining: 0 })
    expect(outcome(await limiter.take([{ ...limit, requests: 3 }]))).toEqual([false, 1])
    const shorter = await limiter.take([{ ...limit, requests: 1, windowMs: 1000 }])
    expect(shorter.isRefused).toBe(false)
    expect(shorter.resetInMs).toBeLessThanOrEqual(1000)
  })
}

function describeSeveralLimits(opened: () => OpenLimiter): void {
  test('counts against none of several limits when one refuses', async () => {
    const { limiter } = opened()
    const [wide, narrow] = [limitOf(10), limitOf(1)]
    await limiter.take([wide, narrow])
    for (let i = 0; i < 5; i++) expect((await limiter.take([wide, narrow])).limit).toBe(narrow)
    expect(outcome(await limiter.take([wide]))).toEqual([false, 8])
  })

  test('tells the limit with the least left, and of those that refuse the one that does so for longest', async () => {
    const { limiter } = opened()
    const [first, second] = [limitOf(3), limitOf(3, { windowMs: 10 * windowMs })]
    expect((await limiter.take([first, second])).limit).toBe(first)
    await limiter.take([second])
    expect((await limiter.take([first, second])).limit).toBe(second)
    await limiter.take([first])
    expect(await limiter.take([first, second])).toMatchObject({ isRefused: true, limit: second })
  })
}

function describeAttempts(opened: () => OpenLimiter): void {
  const fail = async (id: string, times: number) => {
    for (let i = 0; i < times; i++) await opened().limiter.noteFailedAttempt(id)
  }

  test('lets five attempts fail without a wait, then makes each wait twice as long as the one before', async () => {
    const { limiter } = opened()
    await fail('who', attemptRule.freeFailures - 1)
    expect(await limiter.attemptWaitMs('who')).toBe(0)
    for (const expected of [2000, 4000, 8000]) {
      await fail('who', 1)
      const waitMs = await limiter.attemptWaitMs('who')
      expect(waitMs).toBeLessThanOrEqual(expected)
      expect(waitMs).toBeGreaterThan(expected / 2)
    }
    expect(await limiter.attemptWaitMs('another')).toBe(0)
  })

  test('never makes anyone wait longer than a quarter of an hour', async () => {
    await fail('who', 100)
    const waitMs = await opened().limiter.attemptWaitMs('who')
    expect(waitMs).toBeLessThanOrEqual(attemptRule.waitMaxMs)
    expect(waitMs).toBeGreaterThan(attemptRule.waitMaxMs - 60_000)
  })

  test('forgets failures when the right attempt was made', async () => {
    const { limiter } = opened()
    await fail('who', 20)
    await limiter.forgetFailedAttempts('who')
    expect(await limiter.attemptWaitMs('who')).toBe(0)
    await fail('who', attemptRule.freeFailures - 1)
    expect(await limiter.attemptWaitMs('who')).toBe(0)
  })

  test('ends the wait when it is over, and remembers the failures before it', async () => {
    const { limiter, pass } = opened()
    await fail('who', attemptRule.freeFailures)
    await pass(await limiter.attemptWaitMs('who'))
    expect(await limiter.attemptWaitMs('who')).toBe(0)
    await fail('who', 1)
    expect(await limiter.attemptWaitMs('who')).toBeGreaterThan(attemptRule.firstWaitMs)
  })
}
