import { expect, test } from 'vitest'
import { QueueTurns } from './queue-turns.ts'

/** An index of queues, as a storage has one: `a 1` is queue 1 of tenant a. */
function indexOf(waiting: Record<string, number>) {
  return (behind: string) => {
    const [key] = Object.keys(waiting)
      .filter((each) => each > behind && (waiting[each] ?? 0) > 0)
      .sort()
    return Promise.resolve(
      key === undefined ? undefined : { tenantId: key.split(' ')[0] ?? '', key, dueAt: '1' },
    )
  }
}

async function orderOf(waiting: Record<string, number>, mayTake = (_tenantId: string) => true) {
  const turns = new QueueTurns(indexOf(waiting))
  const order: string[] = []
  for (;;) {
    const taken = await turns.next({
      now: '1',
      mayTake,
      take: ({ key }) => {
        waiting[key] = (waiting[key] ?? 0) - 1
        return Promise.resolve(key)
      },
    })
    if (taken === undefined) return order
    order.push(taken)
  }
}

test('tenants alternate however much one of them has, and so do the queues of each', async () => {
  const order = await orderOf({ 'a 1': 3, 'a 2': 1, 'b 1': 2, 'c 1': 1 })
  expect(order).toEqual(['a 1', 'b 1', 'c 1', 'a 2', 'b 1', 'a 1', 'a 1'])
})

test('a tenant that may take nothing is left out, and a tenant whose name begins like another one is not it', async () => {
  expect(await orderOf({ 'a 1': 2, 'ab 1': 1, 'b 1': 1 }, (tenantId) => tenantId !== 'b')).toEqual([
    'a 1',
    'ab 1',
    'a 1',
  ])
})

test('work that is due later, and a queue that gives none, hold up no other one', async () => {
  const heads = [
    { tenantId: 'a', key: 'a 1', dueAt: '2' },
    { tenantId: 'a', key: 'a 2', dueAt: '1' },
    { tenantId: 'b', key: 'b 1', dueAt: '1' },
  ]
  const turns = new QueueTurns((behind) => Promise.resolve(heads.find(({ key }) => key > behind)))
  const next = (refused: readonly string[] = []) =>
    turns.next({
      now: '1',
      mayTake: () => true,
      take: ({ key }) => Promise.resolve(refused.includes(key) ? undefined : key),
    })
  expect([await next(), await next(), await next(['a 2']), await next(['a 2', 'b 1'])]).toEqual([
    'a 2',
    'b 1',
    'b 1',
    undefined,
  ])
})
