import { expect, test } from 'vitest'
import { WaitingBytes } from './waiting-bytes.ts'

test('one owner alone may hold everything, and no byte more', () => {
  const bytes = new WaitingBytes(100)
  const [first, second] = [bytes.hold('a'), bytes.hold('a')]
  expect([first.add(60), second.add(40), second.add(1)]).toEqual([true, true, false])
  first.end()
  expect([second.add(60), second.add(1)]).toEqual([true, false])
})

test('an owner has half while another one holds something', () => {
  const bytes = new WaitingBytes(100)
  const [a, b] = [bytes.hold('a'), bytes.hold('b')]
  expect([b.add(1), a.add(51), a.add(50), a.add(1)]).toEqual([true, false, true, false])
  b.end()
  expect(a.add(1)).toBe(true)
})

test('an owner that was refused because another one held everything comes next', () => {
  const bytes = new WaitingBytes(100)
  const [a, b] = [bytes.hold('a'), bytes.hold('b')]
  expect([a.add(100), b.add(10)]).toEqual([true, false])
  a.end()
  const again = bytes.hold('a')
  expect([again.add(51), again.add(50), b.add(50)]).toEqual([false, true, true])
})
