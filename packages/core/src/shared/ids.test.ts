import { expect, it } from 'vitest'
import { createIdFactory } from './ids.ts'

const pattern = /^cus_[0-9A-HJKMNP-TV-Z]{26}$/

it('makes a prefix and a ULID of the current time', () => {
  const id = createIdFactory(() => 1_469_918_176_385).next('cus')
  expect(id).toMatch(pattern)
  // The ULID specification's own example of this millisecond.
  expect(id.slice(0, 14)).toBe('cus_01ARYZ6S41')
})

it('sorts every id after the previous one while the clock stops or runs backwards', () => {
  let now = 2_000_000_000_000
  const ids = createIdFactory(() => now)
  const made: string[] = []
  for (let i = 0; i < 5000; i++) {
    if (i % 1000 === 999) now -= 60_000
    made.push(ids.next('cus'))
  }
  expect(made).toEqual([...made].sort())
  expect(new Set(made).size).toBe(made.length)
  expect(made.every((id) => pattern.test(id))).toBe(true)
})

it('sorts ids of later milliseconds after earlier ones', () => {
  let now = 1_700_000_000_000
  const ids = createIdFactory(() => now++)
  const made = Array.from({ length: 100 }, () => ids.next('evt'))
  expect(made).toEqual([...made].sort())
})

it('makes different ids in two processes at the same time', () => {
  const [first, second] = [createIdFactory(() => 1), createIdFactory(() => 1)]
  expect(first.next('cus')).not.toBe(second.next('cus'))
})

it('draws other digits for each factory, also for more of them than are drawn at once', () => {
  const made = Array.from({ length: 1000 }, () => createIdFactory(() => 1).next('cus'))
  expect(new Set(made).size).toBe(made.length)
})
