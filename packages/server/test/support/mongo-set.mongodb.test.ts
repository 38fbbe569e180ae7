import { afterAll, beforeAll, expect, test } from 'vitest'
import { type MongoSet, startMongoSet } from './mongo-set.ts'

let set: MongoSet
beforeAll(async () => {
  set = await startMongoSet({ electionTimeoutMs: 1_000 })
})
afterAll(() => set?.stop())

test('a test replica set has another primary after the first one stepped down, was killed or was paused', async () => {
  const first = await set.primary()
  await set.stepDown()
  const second = await set.primary()
  expect(second.port).not.toBe(first.port)
  await second.kill()
  const third = await set.primary()
  expect(third.port).not.toBe(second.port)
  await second.restart()
  await third.pause()
  const fourth = await set.primary()
  expect(fourth.port).not.toBe(third.port)
  third.resume()
})

test('a member of a test replica set that ends by itself is started again', async () => {
  const first = await set.primary()
  const { pid } = first
  process.kill(pid, 'SIGABRT')
  await set.primary()
  await expect.poll(() => first.pid).not.toBe(pid)
  await set.settle()
})
