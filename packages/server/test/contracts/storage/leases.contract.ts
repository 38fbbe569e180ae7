import { describe, expect, test } from 'vitest'
import { type Open, useFreshStorage } from './harness.contract.ts'
import { at } from './samples.contract.ts'

const leaseMs = 10_000

export function describeLeases(open: Open): void {
  describe('leases', () => {
    const harness = useFreshStorage(open)
    const take = (holder: string, second: number, name = 'work') =>
      harness.storage.system.takeLease({ name, holder, now: at(second), leaseMs })

    test('one of many simultaneous claims gets the lease', async () => {
      const holders = Array.from({ length: 20 }, (_, i) => `holder_${i}`)
      const responses = await Promise.all(holders.map((holder) => take(holder, 0)))
      expect(responses.filter(Boolean)).toHaveLength(1)
      const again = await Promise.all(holders.map((holder) => take(holder, 10)))
      expect(again.filter(Boolean)).toHaveLength(1)
    })

    test('the holder renews its lease, and others wait until it has ended', async () => {
      expect(await take('a', 0)).toBe(true)
      expect(await take('b', 9.999)).toBe(false)
      expect(await take('a', 9)).toBe(true)
      expect(await take('b', 18.999)).toBe(false)
      expect(await take('b', 19)).toBe(true)
      expect(await take('a', 20)).toBe(false)
    })

    test('leases of different names are independent', async () => {
      expect(await take('a', 0, 'one')).toBe(true)
      expect(await take('b', 0, 'two')).toBe(true)
    })

    test('only the holder can release a lease for the next one', async () => {
      const { system } = harness.storage
      await take('a', 0)
      await system.releaseLease({ name: 'work', holder: 'b' })
      expect(await take('b', 1)).toBe(false)
      await system.releaseLease({ name: 'work', holder: 'a' })
      expect(await take('b', 1)).toBe(true)
      await system.releaseLease({ name: 'unknown', holder: 'a' })
    })

    test('a lease that has ended is found by its name until it is taken or released', async () => {
      const { system } = harness.storage
      const ended = (second: number, limit = 9) =>
        system.listEndedLeases({ prefix: 'box ', now: at(second), limit })
      for (const name of ['box a', 'box b', 'boxes', 'work']) expect(await take('x', 0, name)).toBe(true)
      expect(await ended(9)).toEqual([])
      expect((await ended(10)).sort()).toEqual(['a', 'b'])
      expect(await ended(10, 1)).toHaveLength(1)
      await take('y', 10, 'box a')
      await system.releaseLease({ name: 'box b', holder: 'x' })
      expect(await ended(11)).toEqual([])
      // The holder gives it up, and leaves it to be found.
      await system.takeLease({ name: 'box a', holder: 'y', now: at(12), leaseMs: 0 })
      expect(await ended(12)).toEqual(['a'])
      expect(await take('z', 12, 'box a')).toBe(true)
    })

    test('a lease from before the clock was set back does not last permanently', async () => {
      await take('a', 86_400)
      expect(await take('b', 0)).toBe(true)
    })

    test('processes whose clocks differ by less than a lease do not take it from each other', async () => {
      await take('a', 9)
      expect(await take('b', 0)).toBe(false)
    })
  })
}
