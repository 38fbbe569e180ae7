import { afterEach, beforeEach, expect, test } from 'vitest'
import {
  add,
  insertOf,
  sample,
  sampleAttempt,
  sampleEvent,
} from '../../../../test/contracts/storage/samples.contract.ts'
import { migratedDatabase, withDatabase } from '../../../../test/support/mongo-database.ts'
import type { Storage, TenantStore } from '../../../ports/storage.ts'
import type { TenantId } from '../../../storage/records.ts'
import { openMongoStorage } from '../mongo-storage.ts'

const tenantId = 'ten_1' as TenantId
const all = { page: 1, limit: 100 }

let url: string

let remove: () => Promise<void>
/** Two processes: `here` changes webhooks, and `there` remembers them as they were. */
let [here, there]: Storage[] = []
let [store, staleStore]: TenantStore[] = []

beforeEach(async () => {
  ;({ url, remove } = migratedDatabase())
  here = await openMongoStorage({ url })
  await here.migrate()
  there = await openMongoStorage({ url })
  store = here.forTenant(tenantId)
  staleStore = there.forTenant(tenantId)
})
afterEach(async () => {
  await Promise.all([here?.close(), there?.close()])
  await remove()
})

async function emit(by = staleStore!): Promise<string> {
  const event = sampleEvent()
  await by.commit({ writes: [], events: [event] })
  return event._id
}

const sequence = () => here!.system.sequenceEvents(100)
const plannedFor = async (webhookId: string) =>
  (await store!.attempts.list({ webhookId, ...all })).rows.map(({ eventId }) => eventId).sort()
const change = (id: string, set: object, expectVersion = 1) =>
  store!.commit({ writes: [{ op: 'update', kind: 'webhooks', id, expectVersion, set }], events: [] })

test('an event of a process that has not learned of a new webhook gets its attempt with its position, exactly once', async () => {
  await emit()
  await add(store!, 'webhooks', [{ _id: 'w1' }])
  const eventId = await emit()
  const heard: number[] = []
  here!.onCommitted(({ deliveries }) => void heard.push(deliveries))
  await sequence()
  expect(await plannedFor('w1')).toEqual([eventId])
  expect(heard).toEqual([1])
  await sequence()
  expect(await plannedFor('w1')).toEqual([eventId])
  const { deliveryQueues } = await here!.system.listDeliveryQueues({ limit: 10 })
  expect(deliveryQueues).toHaveLength(1)
})

test('events that were committed before a webhook are not sent to it, however late they get their positions', async () => {
  await add(store!, 'webhooks', [{ _id: 'w1' }])
  const first = await emit()
  await add(store!, 'webhooks', [{ _id: 'w2' }])
  await sequence()
  expect(await plannedFor('w1')).toEqual([first])
  expect(await plannedFor('w2')).toEqual([])
})

test('a change of a webhook first corrects the earlier events of a process that has not learned of the change before it', async () => {
  await emit()
  await add(store!, 'webhooks', [{ _id: 'w1' }])
  const second = await emit()
  await add(store!, 'webhooks', [{ _id: 'w2' }])
  const last = await emit()
  expect(await plannedFor('w1')).toEqual([second])
  await sequence()
  expect(await plannedFor('w1')).toEqual([second, last].sort())
  expect(await plannedFor('w2')).toEqual([last])
})

test('a webhook that was paused keeps the attempts of earlier events and gets none of later ones', async () => {
  await add(store!, 'webhooks', [{ _id: 'w1' }])
  const before = await emit()
  await change('w1', { isActive: false })
  await emit()
  expect(await plannedFor('w1')).toHaveLength(2)
  await sequence()
  expect(await plannedFor('w1')).toEqual([before])
  const due = await withDatabase(url, (connection) => connection.collection('dueAttempts').countDocuments())
  expect(due).toBe(1)
})

test('a webhook whose events were changed gets those that it asks for', async () => {
  await add(store!, 'webhooks', [{ _id: 'w1' }])
  const before = await emit()
  await change('w1', { events: ['customer.deleted'] })
  await emit()
  const deleted = sampleEvent({ type: 'customer.deleted' })
  await staleStore!.commit({ writes: [], events: [deleted] })
  await sequence()
  expect(await plannedFor('w1')).toEqual([before, deleted._id].sort())
})

test('no attempt of a deleted webhook is left by a process that still knew it', async () => {
  await add(store!, 'webhooks', [{ _id: 'w1' }])
  await emit()
  await store!.commit({
    writes: [{ op: 'remove', kind: 'webhooks', id: 'w1', expectVersion: 1 }],
    events: [],
  })
  await emit()
  await sequence()
  const counts = await withDatabase(url, async (connection) =>
    Promise.all(['attempts', 'dueAttempts'].map((name) => connection.collection(name).countDocuments())),
  )
  expect(counts).toEqual([0, 0])
})

test('an attempt that a person asked for, or that is being made, stays when its webhook changes', async () => {
  await add(store!, 'webhooks', [{ _id: 'w1' }])
  await emit()
  const { deliveryQueues } = await here!.system.listDeliveryQueues({ limit: 10 })
  await change('w1', { events: ['message.sent'] })
  const [leased, asked] = [await emit(), await emit()]
  const limited = deliveryQueues.map((queue) => ({ ...queue, limit: 2 }))
  const lease = { now: '2999-01-01T00:00:00.000Z', leaseMs: 60_000, lockToken: 'lock' }
  const [claimed] = await here!.system.claimDueAttempts({ ...lease, deliveryQueues: limited })
  expect(claimed?.claims.map(({ attempt }) => attempt.eventId)).toContain(leased)
  const late = { webhookId: 'w1', eventId: asked, createdAt: '2999-01-01T00:00:00.000Z' }
  const attempt = sampleAttempt(tenantId, { ...late, status: 'pending', attempt: 1 })
  await store!.commit({ writes: [], events: [], attempts: [attempt] })
  await sequence()
  expect((await plannedFor('w1')).filter((id) => id === leased)).toEqual([leased])
  expect((await plannedFor('w1')).filter((id) => id === asked)).toEqual([asked])
})

test('events and changes of webhooks by two processes at once: no event misses a webhook that was there before it', async () => {
  const created = new Map<string, { from: number; until: number }>()
  const emitted = new Map<string, { from: number; until: number }>()
  const timed = async (
    times: Map<string, { from: number; until: number }>,
    id: string,
    work: Promise<unknown>,
  ) => {
    const from = performance.now()
    await work
    times.set(id, { from, until: performance.now() })
  }
  let isOver = false
  const emitOne = async (by: TenantStore) => {
    const event = sampleEvent()
    await timed(emitted, event._id, by.commit({ writes: [], events: [event] }))
  }
  const emitting = [store!, staleStore!].map(async (by) => {
    while (!isOver) await emitOne(by)
  })
  const sequencing = (async () => {
    while (!isOver) await sequence()
  })()
  for (let index = 0; index < 20; index++) {
    const webhook = sample.webhooks(tenantId, { _id: `w${index}` })
    const by = [store!, staleStore!][index % 2]!
    await timed(created, webhook._id, by.commit({ writes: [insertOf('webhooks', webhook)], events: [] }))
  }
  await Promise.all([store!, staleStore!].map(emitOne))
  isOver = true
  await Promise.all([...emitting, sequencing])
  await sequence()
  const rows = await withDatabase(url, (connection) => connection.collection('attempts').find().toArray())
  const planned = rows.map(({ row }) => `${row.eventId} ${row.webhookId}`)
  expect(new Set(planned).size).toBe(planned.length)
  for (const [webhookId, webhook] of created) {
    for (const [eventId, event] of emitted) {
      const isPlanned = planned.includes(`${eventId} ${webhookId}`)
      if (event.from > webhook.until) expect(isPlanned).toBe(true)
      if (event.until < webhook.from) expect(isPlanned).toBe(false)
    }
  }
})
