import { type EventType, eventTypes } from '@crmkit/core'
import { describe, expect, test } from 'vitest'
import type { Storage, TenantStore } from '../../../src/ports/storage.ts'
import { encodeCursor } from '../../../src/storage/cursor.ts'
import { InvalidCursor } from '../../../src/storage/errors.ts'
import { firstEventPosition } from '../../../src/storage/event-position.ts'
import type { LoggedEvent } from '../../../src/storage/records.ts'
import { type Open, rejection, useFreshStorage } from './harness.contract.ts'
import { add, at, sampleEvent } from './samples.contract.ts'

const idsOf = (events: readonly { _id: string }[]) => events.map(({ _id }) => _id)

/** Runs until every committed event has its position. */
async function sequence({ system }: Storage): Promise<void> {
  while ((await system.sequenceEvents(50)).count > 0);
}

async function readAll(store: TenantStore, options: { types?: EventType[]; limit?: number } = {}) {
  const { types = [...eventTypes], limit = 3 } = options
  const all: LoggedEvent[] = []
  for (;;) {
    const page = await store.events.read({ after: all.at(-1)?.position, types, limit })
    if (page.length === 0) return all
    all.push(...page)
  }
}

export function describeEventLog(open: Open): void {
  describe('the event log', () => {
    const harness = useFreshStorage(open)
    const settle = () => sequence(harness.storage)

    test('a tenant’s events are in the order of the commits, each once, whatever the page size', async () => {
      const [a, b] = [harness.newTenant(), harness.newTenant()]
      const events = Array.from({ length: 7 }, () => sampleEvent())
      for (const event of events) {
        await a.store.commit({ writes: [], events: [event] })
        await b.store.commit({ writes: [], events: [sampleEvent()] })
        await settle()
      }
      for (const limit of [1, 3, 7, 100])
        expect(idsOf(await readAll(a.store, { limit }))).toEqual(idsOf(events))
      expect(await readAll(b.store)).toHaveLength(7)
      const [{ position, ...first } = {}] = await readAll(a.store)
      expect(first).toStrictEqual({ ...events[0], tenantId: a.id })
      expect(position).toMatch(/^[\w-]+$/)
    })

    test('the events of one commit keep their order', async () => {
      const { store } = harness.newTenant()
      const events = (['conversation.created', 'conversation.assigned', 'message.sent'] as const).map(
        (type) => sampleEvent({ type }),
      )
      await store.commit({ writes: [], events })
      await settle()
      expect(idsOf(await readAll(store))).toEqual(idsOf(events))
    })

    test('only the requested types are returned, and no types return nothing', async () => {
      const { store } = harness.newTenant()
      const types = ['user.created', 'customer.created', 'user.updated', 'customer.created'] as const
      const events = types.map((type) => sampleEvent({ type }))
      await store.commit({ writes: [], events })
      await settle()
      const users = await readAll(store, { types: ['user.updated', 'user.created'], limit: 1 })
      expect(idsOf(users)).toEqual([events[0]?._id, events[2]?._id])
      expect(await store.events.read({ types: [], limit: 10 })).toEqual([])
    })

    test('an event whose commit came late comes after the events that were read before, also when its id is older', async () => {
      const { store } = harness.newTenant()
      const late = sampleEvent()
      const early = sampleEvent()
      await store.commit({ writes: [], events: [early] })
      await settle()
      const [seen] = await readAll(store)
      await store.commit({ writes: [], events: [late] })
      await settle()
      const rest = await store.events.read({ after: seen?.position, types: eventTypes, limit: 10 })
      expect(idsOf(rest)).toEqual([late._id])
    })

    test('the end position of the log comes before all events that are committed later', async () => {
      const { store } = harness.newTenant()
      expect(await store.events.newestPosition()).toBeUndefined()
      await store.commit({
        writes: [],
        events: [sampleEvent(), sampleEvent({ type: 'user.created' }), sampleEvent()],
      })
      await settle()
      const newest = await store.events.newestPosition()
      expect(newest).toBe((await readAll(store)).at(-1)?.position)
      expect(await store.events.read({ after: newest, types: eventTypes, limit: 10 })).toEqual([])
      const next = sampleEvent()
      await store.commit({ writes: [], events: [next] })
      await settle()
      expect(idsOf(await store.events.read({ after: newest, types: eventTypes, limit: 10 }))).toEqual([
        next._id,
      ])
    })

    test('a position that the log has not given is refused', async () => {
      const { store } = harness.newTenant()
      await store.commit({ writes: [], events: [sampleEvent()] })
      await settle()
      const made = [
        '',
        'garbage',
        `${firstEventPosition}=`,
        encodeCursor('events', { value: 999_999, id: '' }),
        encodeCursor('events', { value: -1, id: '' }),
        encodeCursor('events', { value: 0.5, id: '' }),
        encodeCursor('customers:createdAt', { value: at(1), id: 'cus_1' }),
      ]
      for (const after of made) {
        const error = await rejection(store.events.read({ after, types: eventTypes, limit: 1 }))
        expect(error, after).toBeInstanceOf(InvalidCursor)
      }
      expect(
        await store.events.read({ after: firstEventPosition, types: eventTypes, limit: 9 }),
      ).toHaveLength(1)
    })

    test('an erased event stays at its position in its erased form', async () => {
      const { store } = harness.newTenant()
      await add(store, 'customers', [{ _id: 'cus_1' }])
      await store.commit({ writes: [], events: [sampleEvent({ about: 'cus_1' }), sampleEvent()] })
      await settle()
      const before = await readAll(store)
      await store.commit({
        writes: [{ op: 'erase', kind: 'customers', id: 'cus_1', at: at(900) }],
        events: [],
      })
      const after = await readAll(store)
      expect(after.map(({ position }) => position)).toEqual(before.map(({ position }) => position))
      expect(JSON.parse(after[0]?.body ?? '').data).toEqual({ _id: 'cus_1', erased: true })
    })

    test('the log continues after events that retention has removed, and never gives a position twice', async () => {
      const { store } = harness.newTenant()
      await store.commit({ writes: [], events: [sampleEvent({ timestamp: at(1) })] })
      await settle()
      const [old] = await readAll(store)
      await harness.storage.system.removeExpired({ now: at(10), logsBefore: at(10), limit: 10 })
      expect(await readAll(store)).toEqual([])
      expect(await store.events.read({ after: old?.position, types: eventTypes, limit: 1 })).toEqual([])
      const next = sampleEvent()
      await store.commit({ writes: [], events: [next] })
      await settle()
      const rest = await store.events.read({ after: old?.position, types: eventTypes, limit: 10 })
      expect(idsOf(rest)).toEqual([next._id])
      expect(rest[0]?.position).not.toBe(old?.position)
    })

    test('a reader that follows the log misses no event while many commit and sequencers start and stop', async () => {
      const tenants = [harness.newTenant(), harness.newTenant(), harness.newTenant()]
      const { system } = harness.storage
      let isWriting = true
      let isRead = false
      const writers = tenants.flatMap(({ store }) =>
        Array.from({ length: 4 }, async () => {
          for (let n = 0; n < 12; n++) {
            const events = Array.from({ length: 1 + (n % 3) }, () => sampleEvent())
            await store.commit({ writes: [], events })
          }
        }),
      )
      // Three sequencers at once, of which one ends early: the result must not depend on being alone.
      const sequencers = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY, 5].map(async (rounds) => {
        for (let round = 0; round < rounds && isWriting; round++) {
          await system.sequenceEvents(7)
          // An adapter without work may return within the same event-loop tick, in which no writer makes progress.
          await new Promise((resolve) => setImmediate(resolve))
        }
      })
      const followed = tenants.map(async ({ store }) => {
        const read: LoggedEvent[] = []
        for (;;) {
          const isLast = isRead
          const page = await store.events.read({ after: read.at(-1)?.position, types: eventTypes, limit: 5 })
          read.push(...page)
          if (isLast && page.length === 0) return read
          if (page.length === 0) await new Promise((resolve) => setImmediate(resolve))
        }
      })
      await Promise.all(writers)
      isWriting = false
      await Promise.all(sequencers)
      await settle()
      isRead = true
      for (const [index, { store }] of tenants.entries()) {
        const read = (await followed[index]) ?? []
        expect(new Set(idsOf(read)).size).toBe(4 * 24)
        expect(read).toEqual(await readAll(store, { limit: 100 }))
      }
    })
  })
}
