import { expect, test } from 'vitest'
import type { PlannedQueue, TenantId } from '../../storage/records.ts'
import { defaultDeliveryLimits } from './delivery-limits.ts'
import { type QueuePick, QueueRotation } from './queue-rotation.ts'

const now = Date.parse('2026-11-21T09:30:00.000Z')

function planned(tenant: string, webhook: string, changes: Partial<PlannedQueue> = {}): PlannedQueue {
  const nextAt = new Date(now - 1000).toISOString()
  const url = `https://${tenant}-${webhook}.example/hook`
  return { tenantId: tenant as TenantId, webhookId: webhook, isRetry: false, url, nextAt, ...changes }
}

function open(deliveryQueues: PlannedQueue[], limits = {}) {
  const rotation = new QueueRotation({ ...defaultDeliveryLimits, ...limits })
  for (const deliveryQueue of deliveryQueues) rotation.learn(deliveryQueue)
  const names = (picks: QueuePick[]) =>
    Object.fromEntries(
      picks.map(({ deliveryQueue, limit }) => [
        `${deliveryQueue.tenantId}/${deliveryQueue.webhookId}${deliveryQueue.isRetry ? '/retry' : ''}`,
        limit,
      ]),
    )
  /** Takes so many slots; every delivery queue has more attempts than that. */
  const take = (slots: number) => {
    const picks = rotation.pick(slots, now)
    for (const pickedQueue of picks) rotation.settle(pickedQueue, { count: pickedQueue.limit, nextAtMs: now })
    return picks
  }
  const end = (picks: QueuePick[], isTimeout = false) => {
    for (const { deliveryQueue, limit } of picks)
      for (let i = 0; i < limit; i++) rotation.end(deliveryQueue, { isTimeout })
  }
  return { rotation, take, end, names }
}

test('slots go round-robin over tenants, and within each over its webhooks', () => {
  const { take, names } = open([
    planned('a', '1'),
    planned('a', '2'),
    planned('a', '3'),
    planned('b', '1'),
    planned('c', '1'),
  ])
  expect(names(take(3))).toEqual({ 'a/1': 1, 'b/1': 1, 'c/1': 1 })
  expect(names(take(6))).toEqual({ 'a/2': 1, 'a/3': 1, 'b/1': 2, 'c/1': 2 })
})

test('a webhook begins with few slots, gets more with every response and never more than its limit', () => {
  const { take, end } = open([planned('a', '1')])
  const sizes = [1, 2, 3, 4].map(() => {
    const picks = take(100)
    end(picks)
    return picks[0]?.limit
  })
  expect(sizes).toEqual([4, 16, 16, 16])
})

test('a webhook that times out keeps one slot, and gets the others back when it responds', () => {
  const { take, end } = open([planned('a', '1')])
  end(take(100))
  end(take(100), true)
  const one = take(100)
  expect(one[0]?.limit).toBe(1)
  end(one)
  expect(take(100)[0]?.limit).toBe(2)
})

test('both delivery queues of a webhook share its slots', () => {
  const { take, names } = open([planned('a', '1'), planned('a', '1', { isRetry: true })])
  expect(names(take(100))).toEqual({ 'a/1': 4 })
})

test('first attempts come before retries, and one slot of eight is for a retry', () => {
  const deliveryQueues = Array.from({ length: 20 }, (_, i) => planned(`t${i}`, '1'))
  const { take, names } = open([...deliveryQueues, planned('r', '1', { isRetry: true })])
  const picks = names(take(16))
  expect(picks['r/1/retry']).toBe(2)
  expect(Object.keys(picks)).toHaveLength(15)
})

test('webhooks of all tenants at one origin share its slots in a round-robin', () => {
  const url = 'https://hub.example/'
  const deliveryQueues = Array.from({ length: 40 }, (_, i) => planned(`t${i}`, '1', { url: `${url}${i}` }))
  const { take, end, names } = open(deliveryQueues, { perOrigin: 10 })
  const seen = new Set<string>()
  for (let round = 0; round < 4; round++) {
    const picks = take(64)
    expect(picks.reduce((sum, { limit }) => sum + limit, 0)).toBe(10)
    expect(take(64)).toEqual([])
    for (const name of Object.keys(names(picks))) seen.add(name)
    end(picks)
  }
  expect(seen.size).toBe(40)
})

// A delivery queue that is admitted for a free slot of its origin and cannot use it must pass it on.
test('a free slot of an origin is not lost on a webhook that is at its own limit', () => {
  const url = 'https://hub.example/'
  const { rotation, take, end } = open(
    [planned('a', '1', { url }), planned('a', '1', { url, isRetry: true }), planned('b', '1', { url })],
    { perOrigin: 6 },
  )
  const first = take(6)
  expect(take(6)).toEqual([])
  const [pickedQueue] = first
  if (pickedQueue) rotation.end(pickedQueue.deliveryQueue, { isTimeout: true })
  expect(take(6).reduce((sum, { limit }) => sum + limit, 0)).toBe(1)
  end(first.slice(1))
})

test('a delivery queue sleeps until its time, or until an earlier time that it gets later', () => {
  const at = (ms: number) => new Date(now + ms).toISOString()
  const { rotation } = open([planned('a', '1', { nextAt: at(60_000) })])
  expect(rotation.pick(10, now)).toEqual([])
  expect(rotation.nextAtMs()).toBe(now + 60_000)
  rotation.learn(planned('a', '1', { nextAt: at(2000) }))
  rotation.learn(planned('a', '1', { nextAt: at(9000) }))
  expect(rotation.nextAtMs()).toBe(now + 2000)
  expect(rotation.pick(10, now + 1999)).toEqual([])
  expect(rotation.pick(10, now + 2000)).toHaveLength(1)
})

test('a time that a delivery queue gets during its claim is not forgotten', () => {
  const { rotation } = open([planned('a', '1')])
  const [pickedQueue] = rotation.pick(10, now)
  rotation.learn(planned('a', '1'))
  if (pickedQueue) rotation.settle(pickedQueue, { count: 0, nextAtMs: null })
  expect(rotation.pick(10, now)).toHaveLength(1)
})

test('drained delivery queues leave nothing in memory', () => {
  const { rotation, end } = open([planned('a', '1')])
  const picks = rotation.pick(10, now)
  for (const pickedQueue of picks) rotation.settle(pickedQueue, { count: pickedQueue.limit, nextAtMs: null })
  end(picks)
  expect(rotation.pick(10, now)).toEqual([])
  expect(rotation.nextAtMs()).toBeNull()
  expect(rotation.size).toBe(0)
})
