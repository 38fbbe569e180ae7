import { expect, test } from 'vitest'
import { MailBytes } from './mail-bytes.ts'

const bytes = (length: number, first: number) =>
  Buffer.from(Array.from({ length }, (_, at) => (first + at) % 256))

test('chunks of every size are one mail again, in a number of pieces that the sender does not decide about', async () => {
  const gathered = new MailBytes()
  const chunks = [1, 3, 9_000, 5, 70_000, 2, 2, 16_384, 1].map((length, at) => bytes(length, at))
  // Views of a larger buffer, as sockets give them.
  const views = Array.from({ length: 20_000 }, (_, at) => Buffer.alloc(64, at))
  for (const chunk of [...chunks, ...views]) await gathered.add(chunk)
  const pieces = gathered.take()
  expect(Buffer.concat(pieces).equals(Buffer.concat([...chunks, ...views]))).toBe(true)
  expect(pieces.length).toBeLessThan(50)
})

test('a chunk of a few bytes keeps nothing of the buffer that it is a part of', async () => {
  const gathered = new MailBytes()
  for (let count = 0; count < 10; count++) await gathered.add(Buffer.alloc(60_000).subarray(0, 10_000))
  const kept = new Set(gathered.take().map(({ buffer }) => buffer))
  const sum = [...kept].reduce((all, { byteLength }) => all + byteLength, 0)
  expect(sum).toBeLessThan(200_000)
})

test('others have the event loop while a large mail is there at once', async () => {
  const gathered = new MailBytes()
  let turns = 0
  const count = () => {
    turns += 1
    next = setImmediate(count)
  }
  let next = setImmediate(count)
  for (let at = 0; at < 100; at++) await gathered.add(Buffer.alloc(64 * 1024))
  clearImmediate(next)
  expect(turns).toBeGreaterThan(90)
})
