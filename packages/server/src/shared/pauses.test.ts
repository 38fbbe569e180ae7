import { setTimeout as wait } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { Pauses } from './pauses.ts'
import { WaitingCallers } from './waiting-callers.ts'

test('work rests until a caller has the response', async () => {
  const callers = new WaitingCallers()
  const order: string[] = []
  const request = callers.during(async () => {
    await wait(2)
    order.push('response')
  })
  await new Pauses(0, callers).take()
  order.push('work')
  await request
  expect(order).toEqual(['response', 'work'])
})

test('callers who never stop asking do not stop the work', async () => {
  const callers = new WaitingCallers()
  let respond: () => void = () => {}
  const request = callers.during(() => new Promise<void>((resolve) => (respond = resolve)))
  await new Pauses(0, callers).take()
  expect(callers.areThere()).toBe(true)
  respond()
  await request
  expect(callers.areThere()).toBe(false)
})

test('a caller whose request fails no longer waits', async () => {
  const callers = new WaitingCallers()
  await expect(callers.during(() => Promise.reject(new Error('refused')))).rejects.toThrow('refused')
  expect(callers.areThere()).toBe(false)
})
