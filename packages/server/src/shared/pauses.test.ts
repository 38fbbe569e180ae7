import { setTimeout as wait } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { Pauses } from './pauses.ts'
import { WaitingCallers } from './waiting-callers.ts'

test('work rests until a caller has the response', async () => {
  const callers = new WaitingCallers()
  const order: string[] = []
  callers.enter()
  const request = wait(2).then(() => {
    order.push('response')
    callers.leave()
  })
  await new Pauses(0, callers).take()
  order.push('work')
  await request
  expect(order).toEqual(['response', 'work'])
})

test('work rests for longer than it worked while people are here, also between their requests', async () => {
  const callers = new WaitingCallers()
  callers.enter()
  callers.leave()
  expect([callers.areThere(), callers.wereThere(60_000), callers.wereThere(0)]).toEqual([false, true, false])
  const order: string[] = []
  const recent = { areThere: () => false, wereThere: () => true }
  const rested = new Pauses(20, recent).take().then(() => order.push('work'))
  await wait(5)
  order.push('request')
  await rested
  expect(order).toEqual(['request', 'work'])
})

test('callers who never stop asking do not stop the work', async () => {
  const callers = new WaitingCallers()
  callers.enter()
  await new Pauses(0, callers).take()
  expect(callers.areThere()).toBe(true)
  callers.leave()
  expect(callers.areThere()).toBe(false)
})
