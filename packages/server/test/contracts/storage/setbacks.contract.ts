import { describe, expect, test } from 'vitest'
import { claimAll, type Open, useFreshStorage } from './harness.contract.ts'
import { add, at, sampleAttempt, sampleEvent } from './samples.contract.ts'

const hour = 3600

/** Planned attempts when the clock is set back to a moment before their planning. */
export function describeSetbacks(open: Open): void {
  describe('after the clock was set back', () => {
    const harness = useFreshStorage(open)
    const plannedAt = at(5 * hour)
    const replan = (second: number, limit = 100) =>
      harness.storage.system.replanAttempts({ now: at(second), limit })

    async function addAttempts(count: number, waitSeconds = 4) {
      const { store } = harness.newTenant()
      await add(store, 'webhooks', [{ _id: 'whk_1' }])
      const event = sampleEvent({ timestamp: plannedAt })
      await store.commit({ writes: [], events: [event] })
      for (let i = 1; i < count; i++) {
        const nextAttemptAt = at(5 * hour + waitSeconds)
        const planned = {
          _id: `log_${i}`,
          status: 'pending',
          attempt: 2,
          createdAt: plannedAt,
          nextAttemptAt,
        } as const
        await store.attempts.record(sampleAttempt(store.tenantId, planned))
      }
      return store
    }

    test('an attempt waits again from now, for its original wait, and no longer', async () => {
      const store = await addAttempts(2)
      expect(await replan(hour)).toBe(2)
      const { deliveryQueues } = await harness.storage.system.listDeliveryQueues({ limit: 10 })
      const times = new Map(deliveryQueues.map(({ isRetry, nextAt }) => [isRetry, nextAt]))
      expect(times.get(true)).toBe(at(hour + 4))
      expect(await store.attempts.find('log_1')).toMatchObject({
        createdAt: at(hour),
        nextAttemptAt: at(hour + 4),
      })
    })

    test('attempts are planned anew once, in pages, and attempts that were planned before now stay as they are', async () => {
      await addAttempts(5)
      expect(await replan(5 * hour)).toBe(0)
      expect(await replan(hour, 2)).toBe(2)
      expect(await replan(hour, 2)).toBe(2)
      expect(await replan(hour, 2)).toBe(1)
      expect(await replan(hour, 2)).toBe(0)
    })

    test('clocks that differ by less than a second change nothing', async () => {
      await addAttempts(2)
      expect(await replan(5 * hour - 1)).toBe(0)
    })

    test('a lease from before the set-back begins anew: it does not last for hours, and a running attempt is not sent twice', async () => {
      await addAttempts(1)
      const [mine] = await claimAll(harness, 15_000)
      await replan(hour)
      const { deliveryQueues } = await harness.storage.system.listDeliveryQueues({ limit: 10 })
      const asked = deliveryQueues.map((deliveryQueue) => ({ ...deliveryQueue, limit: 9 }))
      const claim = async (second: number) => {
        const lease = { now: at(second), leaseMs: 15_000, lockToken: 'again', deliveryQueues: asked }
        return (await harness.storage.system.claimDueAttempts(lease)).flatMap(({ claims }) => claims)
      }
      expect(await claim(hour)).toHaveLength(0)
      const again = await claim(hour + 16)
      expect(again.map(({ attempt }) => attempt._id)).toEqual([mine?.attempt._id])
    })
  })
}
