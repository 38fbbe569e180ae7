import { Failure } from '@crmkit/core'
import { expect, test } from 'vitest'
import { createHashQueue } from './hash-queue.ts'

const address = (customer: number, network = 0) =>
  `2001:db8:${customer.toString(16)}:${network.toString(16)}::1`

/** A queue whose work ends when the test says so, one at a time, and what has begun so far. */
function startQueue(limits: { waitingMax: number; waitingPerCustomerMax: number }) {
  const queue = createHashQueue({ concurrentMax: 1, ...limits })
  const begun: string[] = []
  const ends: (() => void)[] = []
  const add = (name: string, at: string, isKnown = false) =>
    queue({ address: at, isKnown }, () => {
      begun.push(name)
      return new Promise<void>((resolve) => ends.push(resolve))
    }).then(
      () => 'done',
      (error: unknown) => (error instanceof Failure ? error.code : String(error)),
    )
  async function finishAll(): Promise<void> {
    for (let next = ends.shift(); next !== undefined; next = ends.shift()) {
      next()
      await new Promise((resolve) => setImmediate(resolve))
    }
  }
  return { add, begun, finishAll }
}

test('serves customers round-robin, and the addresses of one /48 as one customer', async () => {
  const { add, begun, finishAll } = startQueue({ waitingMax: 100, waitingPerCustomerMax: 50 })
  void add('running', address(9))
  for (let i = 0; i < 20; i++) void add('flood', address(1, i))
  void add('right', address(2))
  await finishAll()
  expect(begun.indexOf('right')).toBeLessThanOrEqual(2)
  expect(begun).toHaveLength(22)
})

test('gives every second slot to addresses that are known to their account, and no more', async () => {
  const { add, begun, finishAll } = startQueue({ waitingMax: 100, waitingPerCustomerMax: 50 })
  void add('running', address(9))
  for (let i = 0; i < 20; i++) void add('other', address(i))
  for (let i = 0; i < 20; i++) void add('known', address(100 + i), true)
  await finishAll()
  expect(begun.slice(1, 21).filter((name) => name === 'known')).toHaveLength(10)
})

test('refuses a customer that has too much waiting, and keeps a slot for one that has nothing', async () => {
  const { add, finishAll } = startQueue({ waitingMax: 8, waitingPerCustomerMax: 4 })
  void add('running', address(9))
  const flood = [1, 1, 1, 1, 1, 2, 2, 2, 2].map((customer) => add('flood', address(customer)))
  const right = add('right', address(3))
  const known = add('known', address(1), true)
  await finishAll()
  const outcomes = await Promise.all(flood)
  expect(outcomes.filter((outcome) => outcome === 'SERVICE_UNAVAILABLE')).toHaveLength(2)
  expect(await Promise.all([right, known])).toEqual(['done', 'done'])
})

test('refuses when as many customers wait as may, each with a time to try again', async () => {
  const queue = createHashQueue({ concurrentMax: 1, waitingMax: 3, waitingPerCustomerMax: 2 })
  const { promise, resolve } = Promise.withResolvers<void>()
  const asked = [0, 1, 2, 3, 4].map((n) => queue({ address: address(n), isKnown: false }, () => promise))
  const refused = await asked[4]?.catch((error: unknown) => error)
  expect(refused).toMatchObject({ code: 'SERVICE_UNAVAILABLE', headers: { 'Retry-After': '2' } })
  resolve()
  await Promise.all(asked.slice(0, 4))
})
