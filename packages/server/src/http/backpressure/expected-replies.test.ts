import { expect, test } from 'vitest'
import { ExpectedReplies, type ExpectedReply } from './expected-replies.ts'

const kilobyte = 1024
const reply = (): ExpectedReply => ({ expected: undefined })
const owner = { address: 'one', tenantId: 'a' }

test('a reply counts at its address from its beginning until it is there', () => {
  const replies = new ExpectedReplies()
  const [first, second] = [reply(), reply()]
  replies.add(first, owner)
  replies.add(second, { ...owner, address: 'two' })
  // A stream that reads its next page counts once.
  replies.add(first, owner)
  expect([replies.bytesOf('one'), replies.bytesOf('two')]).toEqual([512 * kilobyte, 512 * kilobyte])
  replies.made(first, 0)
  replies.made(first, 0)
  expect([replies.bytesOf('one'), replies.bytesOf('two')]).toEqual([0, 512 * kilobyte])
})

test('as much is expected of a tenant as its longest reply of late had, and less after each shorter one', () => {
  const replies = new ExpectedReplies()
  const next = (bytes: number, tenantId = 'a') => {
    const one = reply()
    replies.add(one, { ...owner, tenantId })
    const expected = replies.bytesOf('one')
    replies.made(one, bytes)
    return expected / kilobyte
  }
  expect([0, 0, 0, 0, 6_000 * kilobyte, 300 * kilobyte, 0].map((bytes) => next(bytes))).toEqual([
    512, 256, 128, 64, 64, 6_000, 3_000,
  ])
  expect(next(0, 'b')).toBe(512)
})
