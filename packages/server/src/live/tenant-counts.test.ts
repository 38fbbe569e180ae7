import { expect, test } from 'vitest'
import { useDeliveryHarness } from '../../test/support/delivery-harness.ts'
import { silentLog } from '../../test/support/silent-log.ts'
import { systemClock } from '../shared/clock.ts'
import type { LiveReader } from './live-readers.ts'
import { TenantCounts } from './tenant-counts.ts'

const { openTenant } = useDeliveryHarness()

// On MongoDB each of 500 streams once waited for the reads of all before it.
test('streams that begin together are counted together, and each gets its counts before it goes on', async () => {
  const { store, tenantId } = await openTenant()
  let reads = 0
  const read: typeof store.events.read = (from) => {
    reads += 1
    return store.events.read(from)
  }
  const counts = new TenantCounts(
    { ...store, events: { ...store.events, read } },
    { clock: systemClock, log: silentLog },
  )
  const begin = async (index: number) => {
    const frames: string[] = []
    const reader: LiveReader = {
      tenantId,
      user: { _id: `usr_${index % 10}`, createdAt: new Date().toISOString() },
      sessionId: `ses_${index}`,
      hears: () => true,
      isAdmin: () => true,
      send: (frame) => frames.push(frame) > 0,
    }
    const end = await counts.begin(reader)
    expect(frames).toHaveLength(1)
    return end
  }
  const first = await begin(0)
  reads = 0
  const ends = await Promise.all(Array.from({ length: 50 }, (_, index) => begin(index)))
  expect(reads).toBe(1)
  for (const end of [first, ...ends]) end()
  expect(counts.isUnused).toBe(true)
})
