import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type {
  AttemptCounter,
  AttemptRule,
  LimitState,
  RateLimit,
  RateLimiter,
} from '../../src/ports/rate-limiter.ts'
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

/** The contract of every rate limiter. `open` gives one with counters of its own. */
export function describeRateLimiterContract(name: string, open: () => Promise<OpenLimiter>): void {
  describe(`${name} fulfils the contract of a rate limiter`, () => {
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
  test('allows as many requests as the limit says and refuses the next, with one end for all of them', async () => {
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
    for (const { resetInMs, limit: returned } of states) {
      expect(resetInMs).toBeGreaterThanOrEqual(0)
      expect(resetInMs).toBeLessThanOrEqual(windowMs)
      expect(returned).toBe(limit)
    }
  })

  test('allows a request at the very end of the window, and begins the next window with it', async () => {
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

  test('a request that counts for more takes so much, and is refused when less is left', async () => {
    const { limiter, pass } = opened()
    const limit = limitOf(100)
    const take = async (amount: number) => outcome(await limiter.take([{ ...limit, amount }]))
    expect([await take(60), await take(41), await take(40), await take(1)]).toEqual([
      [false, 40],
      [true, 40],
      [false, 0],
      [true, 0],
    ])
    await pass(windowMs)
    expect(await take(100)).toEqual([false, 0])
  })

  test('a refused request does not delay the end of the window', async () => {
    const { limiter, pass } = opened()
    const limit = limitOf(1)
    const { resetAtMs } = await limiter.take([limit])
    for (let i = 0; i < 3; i++) {
      await pass(windowMs / 10)
      expect(await limiter.take([limit])).toMatchObject({ isRefused: true, resetAtMs })
    }
  })

  test('counts many simultaneous requests exactly', async () => {
    const { limiter } = opened()
    const limit = limitOf(40, { windowMs: 60_000 })
    const states = await Promise.all(Array.from({ length: 100 }, () => limiter.take([limit])))
    expect(states.filter(({ isRefused }) => !isRefused)).toHaveLength(40)
  })

  test('allows again what was given back, and gives back nothing that was not counted', async () => {
    const { limiter } = opened()
    const [limit, unused] = [limitOf(1), limitOf(1)]
    await limiter.giveBack([unused])
    expect(outcome(await limiter.take([unused]))).toEqual([false, 0])
    const { resetAtMs } = await limiter.take([limit])
    await limiter.giveBack([limit])
    expect(await limiter.take([limit])).toMatchObject({ isRefused: false, remaining: 0, resetAtMs })
    expect((await limiter.take([limit])).isRefused).toBe(true)
  })

  test('counts cells separately, also cells whose names have a special meaning elsewhere', async () => {
    const { limiter } = opened()
    for (const cell of ['a', 'b', '__proto__', '', 'a b', '{a}', 'ä', '*'])
      expect(outcome(await limiter.take([limitOf(1, { cell })]))).toEqual([false, 0])
  })

  test('a changed limit acts on the next request, and a shorter window does not wait for a longer one', async () => {
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

  test('returns the limit with the least left, and among refusing limits the one with the latest end', async () => {
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
  const counterOf = (id: string, rule: Partial<AttemptRule> = {}): AttemptCounter => {
    return { id, rule: { ...attemptRule, ...rule } }
  }
  const begin = (...counters: AttemptCounter[]) => opened().limiter.beginAttempt(counters)
  const fail = async (counter: AttemptCounter, times: number) => {
    for (let i = 0; i < times; i++) expect(await begin(counter)).toBeUndefined()
  }

  test('allows five attempts without a wait, then doubles the wait with each attempt', async () => {
    const { pass } = opened()
    const counter = counterOf('who', { firstWaitMs: 100 })
    await fail(counter, attemptRule.freeFailures)
    for (const expected of [100, 200, 400]) {
      const wait = await begin(counter)
      expect(wait?.counter).toBe(counter)
      expect(wait?.waitMs).toBeLessThanOrEqual(expected)
      expect(wait?.waitMs).toBeGreaterThan(0)
      await pass(expected)
      expect(await begin(counter)).toBeUndefined()
    }
    expect(await begin(counterOf('another'))).toBeUndefined()
  })

  test('counts attempts of one moment before any of them ends', async () => {
    const counter = counterOf('at once')
    const begun = await Promise.all(Array.from({ length: 20 }, () => begin(counter)))
    expect(begun.filter((wait) => wait === undefined)).toHaveLength(attemptRule.freeFailures)
  })

  test('no wait is longer than the rule says', async () => {
    const counter = counterOf('who', { firstWaitMs: 1000, waitMaxMs: 1500, freeFailures: 1 })
    await fail(counter, 1)
    for (let i = 0; i < 3; i++) {
      const { waitMs = 0 } = (await begin(counter)) ?? {}
      expect(waitMs).toBeLessThanOrEqual(1500)
      await opened().pass(waitMs)
      expect(await begin(counter)).toBeUndefined()
    }
  })

  test('withdraws the given attempt and no other one', async () => {
    const { limiter } = opened()
    const counter = counterOf('who')
    await fail(counter, attemptRule.freeFailures)
    expect(await begin(counter)).toBeDefined()
    await limiter.withdrawAttempt([counter])
    await fail(counter, 1)
    expect(await begin(counter)).toBeDefined()
    await limiter.withdrawAttempt([counterOf('never begun')])
    expect(await begin(counterOf('never begun', { freeFailures: 1 }))).toBeUndefined()
    expect(await begin(counterOf('never begun', { freeFailures: 1 }))).toBeDefined()
  })

  test('counts against none of several counters when one makes wait, and returns the longest wait', async () => {
    const [narrow, wide] = [counterOf('narrow', { freeFailures: 1 }), counterOf('wide', { freeFailures: 3 })]
    await fail(narrow, 1)
    for (let i = 0; i < 5; i++) expect((await begin(narrow, wide))?.counter).toBe(narrow)
    await fail(wide, 3)
    const longer = counterOf('wide', { freeFailures: 3, firstWaitMs: 60_000 })
    await opened().limiter.withdrawAttempt([longer])
    await fail(longer, 1)
    expect((await begin(narrow, longer))?.counter).toBe(longer)
  })

  test('ends the wait when it is over, and keeps counting the failures before it', async () => {
    const { pass } = opened()
    const counter = counterOf('who', { firstWaitMs: 200 })
    await fail(counter, attemptRule.freeFailures)
    await pass((await begin(counter))?.waitMs ?? 0)
    expect(await begin(counter)).toBeUndefined()
    expect((await begin(counter))?.waitMs).toBeGreaterThan(200)
  })

  test('remembers an id for the given time, and no other id', async () => {
    const { limiter, pass } = opened()
    await limiter.remember('short', 100)
    await limiter.remember('long', 60_000)
    expect(await limiter.remembered(['none', 'long', 'short'])).toEqual(['long', 'short'])
    await pass(150)
    expect(await limiter.remembered(['none', 'long', 'short'])).toEqual(['long'])
    expect(await limiter.remembered([])).toEqual([])
  })
}
