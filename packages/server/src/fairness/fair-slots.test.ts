import { expect, test } from 'vitest'
import { FairSlots } from './fair-slots.ts'

test('the tenants that wait for a slot alternate, and work that fails frees its slot', async () => {
  const slots = new FairSlots(1)
  const order: string[] = []
  const note = (name: string) => async () => {
    order.push(name)
  }
  const failed = slots.run('a', () => Promise.reject(new Error('broken')))
  const rest = ['a1', 'a2', 'a3', 'b1'].map((name) => slots.run(name.charAt(0), note(name)))
  await expect(failed).rejects.toThrow('broken')
  await Promise.all(rest)
  expect(order).toEqual(['a1', 'b1', 'a2', 'a3'])
})
