import { describe, expect, test } from 'vitest'
import { type Open, useFreshStorage } from './harness.contract.ts'
import { at } from './samples.contract.ts'

const leaseMs = 10_000

export function describeLeases(open: Open): void {
  describe('leases', () => {
    const harness = useFreshStorage(open)
    const take = (holder: string, second: number, name = 'work') =>
      harness.storage.system.takeLease({ name, holder, now: at(second), leaseMs })

    test('of many that ask at once, one holds', async () => {
      const holders = Array.from({ length: 20 }, (_, i) => `holder_${i}`)
      const answers = await Promise.all(holders.map((holder) => take(holder, 0)))
      expect(answers.filter(Boolean)).toHaveLength(1)
      const again = await Promise.all(holders.map((holder) => take(holder, 10)))
      expect(again.filter(Boolean)).toHaveLength(1)
    })

    test('the holder renews it, and others wait until it has ended', async () => {
      expect(await take('a', 0)).toBe(true)
      expect(await take('b', 9.999)).toBe(false)
      expect(await take('a', 9)).toBe(true)
      expect(await take('b', 18.999)).toBe(false)
      expect(await take('b', 19)).toBe(true)
      expect(await take('a', 20)).toBe(false)
    })

    test('leases of other names are free', async () => {
      expect(await take('a', 0, 'one')).toBe(true)
      expect(await take('b', 0, 'two')).toBe(true)
    })

    test('its holder releases it for the next one, and nobody else does', async () => {
      const { system } = harness.storage
      await take('a', 0)
      await system.releaseLease({ name: 'work', holder: 'b' })
      expect(await take('b', 1)).toBe(false)
      await system.releaseLease({ name: 'work', holder: 'a' })
      expect(await take('b', 1)).toBe(true)
      await system.releaseLease({ name: 'unknown', holder: 'a' })
    })

    test('one from before the clock was set back does not last for ever', async () => {
      await take('a', 86_400)
      expect(await take('b', 0)).toBe(true)
    })

    test('clocks that differ by less than a lease take nothing from each other', async () => {
      await take('a', 9)
      expect(await take('b', 0)).toBe(false)
    })
  })
}
