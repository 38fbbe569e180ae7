import { makeEvent } from '@crmkit/core'
import { expect, test } from 'vitest'
import { useDeliveryHarness } from '../../../test/support/delivery-harness.ts'
import type { Actor } from '../caller.ts'
import type { StreamContext } from '../stream-handler.ts'
import { handleStreamEvents } from './stream-events.ts'

const { openTenant } = useDeliveryHarness()

// A stream that was woken by a commit once got the result of a read from before it, and waited until the next poll.
test('a reader never gets the result of a read that began before it was woken', async () => {
  const { store } = await openTenant()
  const gate = Promise.withResolvers<void>()
  let isSlow = false
  const read: typeof store.events.read = async (from) => {
    const found = await store.events.read(from)
    if (isSlow) await gate.promise
    return found
  }
  const actor = { type: 'apiKey', _id: 'key_1', permissions: ['read:customers'] } as unknown as Actor
  const ctx = { store: { ...store, events: { ...store.events, read } }, actor } as unknown as StreamContext
  const feed = await handleStreamEvents(ctx, { query: {}, params: {}, body: undefined } as never)
  const ask = () => feed.read({ after: feed.start, actor })
  isSlow = true
  const early = ask()
  await new Promise(setImmediate)
  const at = new Date().toISOString()
  const about = { id: 'evt_1', type: 'customer.created', now: at, subjects: [], data: {} } as const
  await store.commit({ writes: [], events: [makeEvent(about)] })
  isSlow = false
  expect(await ask()).toHaveLength(1)
  gate.resolve()
  expect(await early).toHaveLength(0)
})
