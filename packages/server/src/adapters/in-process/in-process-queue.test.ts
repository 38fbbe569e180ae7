import { expect, test } from 'vitest'
import { createInProcessQueue } from './in-process-queue.ts'

test('a hundred wake-ups in one tick make one call', async () => {
  const queue = createInProcessQueue()
  let calls = 0
  const called = Promise.withResolvers<void>()
  await queue.start(async () => {
    calls += 1
    called.resolve()
  })
  for (let i = 0; i < 100; i++) queue.wake('deliveries')
  await called.promise
  await queue.stop()
  expect(calls).toBeLessThanOrEqual(2)
})
