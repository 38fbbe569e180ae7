import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { jobNames } from '../../src/main/compose/job-registry.ts'
import type { JobQueue } from '../../src/ports/job-queue.ts'

/** The contract of every job queue. `open` gives a queue that nothing else uses. */
export function describeJobQueueContract(name: string, open: () => Promise<JobQueue>): void {
  describe(`${name} fulfils the contract of a job queue`, () => {
    let queue: JobQueue
    beforeEach(async () => {
      queue = await open()
    })
    afterEach(() => queue.stop())

    test('wakes the receiver of every job at once', async () => {
      const calls = recordCalls()
      await queue.start(calls.receive)
      for (const kind of jobNames) queue.wake(kind)
      await calls.waitFor(jobNames.length)
      expect([...calls.kinds].sort()).toEqual([...jobNames].sort())
      // A connection between processes is ready a moment later.
      await expect.poll(() => queue.isHealthy()).toBe(true)
    })

    test('wakes at a moment in the future, also when a later one was requested first', async () => {
      const calls = recordCalls()
      await queue.start(calls.receive)
      queue.wake('snoozes', Date.now() + 3_600_000)
      queue.wake('deliveries', Date.now() + 20)
      queue.wake('snoozes', Date.now() + 20)
      await calls.waitFor(2)
      expect(new Set(calls.kinds)).toEqual(new Set(['deliveries', 'snoozes']))
    })

    test('accepts a moment that has passed or is very far', async () => {
      const calls = recordCalls()
      await queue.start(calls.receive)
      queue.wake('sweep', Date.now() + 10 * 365 * 86_400_000)
      queue.wake('deliveries', Date.now() - 1000)
      await calls.waitFor(1)
      expect(calls.kinds).toContain('deliveries')
    })

    test('never runs two calls of one job at once, and runs it again when a wake-up arrives meanwhile', async () => {
      let running = 0
      let most = 0
      const gate = Promise.withResolvers<void>()
      const calls = recordCalls(async () => {
        most = Math.max(most, ++running)
        await gate.promise
        running -= 1
      })
      await queue.start(calls.receive)
      queue.wake('deliveries')
      await calls.waitFor(1)
      for (let i = 0; i < 100; i++) queue.wake('deliveries')
      gate.resolve()
      await calls.waitFor(2)
      expect(most).toBe(1)
    })

    test('a slow job does not delay the others', async () => {
      const gate = Promise.withResolvers<void>()
      const calls = recordCalls((kind) => (kind === 'deliveries' ? gate.promise : Promise.resolve()))
      await queue.start(calls.receive)
      queue.wake('deliveries')
      await calls.waitFor(1)
      queue.wake('snoozes')
      await calls.waitFor(2)
      expect(calls.kinds).toContain('snoozes')
      gate.resolve()
    })

    test('wakes the receiver again after a call that failed', async () => {
      const calls = recordCalls(() => Promise.reject(new Error('no')))
      await queue.start(calls.receive)
      queue.wake('deliveries')
      await calls.waitFor(1)
      queue.wake('deliveries')
      await calls.waitFor(2)
      expect(new Set(calls.kinds)).toEqual(new Set(['deliveries']))
    })

    test('stop waits for the running call, and no call begins afterwards', async () => {
      const gate = Promise.withResolvers<void>()
      let hasEnded = false
      const calls = recordCalls(async () => {
        await gate.promise
        hasEnded = true
      })
      await queue.start(calls.receive)
      queue.wake('deliveries')
      await calls.waitFor(1)
      queue.wake('deliveries')
      queue.wake('snoozes', Date.now() + 5)
      const stopped = queue.stop()
      gate.resolve()
      await stopped
      expect(hasEnded).toBe(true)
      const { length } = calls.kinds
      queue.wake('sweep')
      await new Promise((resolve) => setTimeout(resolve, 30))
      expect(calls.kinds).toHaveLength(length)
    })

    test('a wake-up before the start or after the stop is no error', async () => {
      expect(() => queue.wake('sweep')).not.toThrow()
      await queue.start(async () => undefined)
      await queue.stop()
      expect(() => queue.wake('sweep', Date.now() + 1)).not.toThrow()
    })
  })
}

function recordCalls(work: (kind: string) => Promise<void> = async () => undefined) {
  const kinds: string[] = []
  let waiting: { count: number; resolve: () => void }[] = []
  return {
    kinds,
    receive: (kind: string) => {
      kinds.push(kind)
      for (const waiter of waiting) if (kinds.length >= waiter.count) waiter.resolve()
      waiting = waiting.filter((waiter) => kinds.length < waiter.count)
      return work(kind)
    },
    waitFor: async (count: number) => {
      if (kinds.length < count) await new Promise<void>((resolve) => waiting.push({ count, resolve }))
    },
  }
}
