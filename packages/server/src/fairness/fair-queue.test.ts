import { expect, test } from 'vitest'
import { FairQueue } from './fair-queue.ts'

test('owners alternate however much work one of them has, and the work of each keeps its order', () => {
  const queue = new FairQueue<string>()
  for (const item of ['a1', 'a2', 'a3', 'b1', 'b2', 'c1']) queue.push(item.charAt(0), item)
  const order = Array.from({ length: 6 }, () => queue.shift())
  expect(order).toEqual(['a1', 'b1', 'c1', 'a2', 'b2', 'a3'])
  expect([queue.isEmpty, queue.shift()]).toEqual([true, undefined])
})
