import { describe, expect, test } from 'vitest'
import { claimAll, type Open, useFreshStorage } from './harness.contract.ts'
import { add, at, sampleAttempt, sampleEvent } from './samples.contract.ts'

const hour = 3600

/** What becomes of planned attempts when the clock is set back behind the moment of their planning. */
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

    test('an attempt waits anew from now, as long as it was to wait, and no longer', async () => {
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

    test('is done once, in pages, and touches nothing that was planned before now', async () => {
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

    test('a lease from before it begins anew: it does not last for hours, and nobody sends what is under way', async () => {
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
