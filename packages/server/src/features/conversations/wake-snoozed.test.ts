import { newConversation, storedConversation } from '@crmkit/core'
import { expect, test } from 'vitest'
import { add } from '../../../test/contracts/storage/samples.contract.ts'
import { useDeliveryHarness } from '../../../test/support/delivery-harness.ts'
import { createWakeSnoozed } from './wake-snoozed.ts'

const { openTenant, openReceiver, storage, ids, startWorker } = useDeliveryHarness()

async function snoozed(
  store: Awaited<ReturnType<typeof openTenant>>['store'],
  snoozedUntil: string | null,
  customerId: string | null = null,
) {
  const id = ids.next('con')
  const made = newConversation(
    { subject: 'a', inboxId: 'inb_1' },
    { id, tenantId: store.tenantId, now: '2026-01-01T00:00:00.000Z' },
  )
  const row = { ...made, customerId, status: 'snoozed' as const, snoozedUntil, wakeOnReply: false }
  await store.commit({ writes: [{ op: 'insert', kind: 'conversations', row }], events: [] })
  return id
}

const longAgo = '2026-01-02T00:00:00.000Z'
const step = (store = storage()) =>
  createWakeSnoozed({ storage: store, clock: { nowMs: () => Date.now() }, ids })

test('opens due conversations, however old and however many, and no others', async () => {
  const { store } = await openTenant()
  const due = await Promise.all(Array.from({ length: 120 }, () => snoozed(store, longAgo)))
  const later = new Date(Date.now() + 60_000).toISOString()
  const notDue = [await snoozed(store, later), await snoozed(store, null)]
  expect(await step().runDue()).toBe(Date.parse(later))
  for (const id of due) {
    expect(await store.conversations.find(id)).toMatchObject({
      status: 'open',
      snoozedUntil: null,
      wakeOnReply: true,
    })
  }
  const timeline = await store.activities.list({ conversationId: due[0] ?? '', page: 1, limit: 5 })
  expect(timeline.rows).toMatchObject([
    { action: 'status_changed', actor: { type: 'system' }, changes: { status: { to: 'open' } } },
  ])
  for (const id of notDue) expect((await store.conversations.find(id))?.status).toBe('snoozed')
})

test('notifies the webhooks of the change', async () => {
  const receiver = await openReceiver()
  const { store, addWebhook } = await openTenant()
  await addWebhook(receiver.url, {}, ['conversation.updated'])
  const id = await snoozed(store, longAgo)
  await startWorker()
  await step().runDue()
  const [request] = await receiver.waitFor(1)
  const body = JSON.parse(request?.body ?? '')
  expect(body).toMatchObject({ event: 'conversation.updated', data: { _id: id, status: 'open' } })
  expect(body.changes.status).toEqual({ from: 'snoozed', to: 'open' })
  // Exactly a conversation, without the fields of the storage.
  expect(Object.keys(body.data).sort()).toEqual(Object.keys(storedConversation.shape).sort())
})

test('leaves a conversation unchanged that another commit changed in the meantime', async () => {
  const { store } = await openTenant()
  const id = await snoozed(store, longAgo)
  const before = await store.conversations.find(id)
  const real = storage()
  const { dueSnoozes } = real.system.across
  const due: typeof dueSnoozes.due = async (now, limit) => {
    const found = await dueSnoozes.due(now, limit)
    const set = { status: 'closed' as const, snoozedUntil: null }
    const expectVersion = before?.version ?? 0
    const write = { op: 'update', kind: 'conversations', id, expectVersion, set } as const
    await store.commit({ writes: [write], events: [] })
    return found
  }
  const racing = {
    forTenant: real.forTenant.bind(real),
    system: {
      ...real.system,
      across: { ...real.system.across, dueSnoozes: { ...dueSnoozes, due } },
    },
  }
  await createWakeSnoozed({ storage: racing, clock: { nowMs: () => Date.now() }, ids }).runDue()
  expect((await store.conversations.find(id))?.status).toBe('closed')
})

test('neither opens nor announces a conversation whose customer is being erased', async () => {
  const { store } = await openTenant()
  const [customer] = await add(store, 'customers', [{}])
  const id = await snoozed(store, longAgo, customer?._id)
  // As an erasure does that takes more than one commit.
  await add(store, 'tasks', [{ type: 'eraseCustomer', subjectId: customer?._id ?? '' }])
  const { system } = storage()
  const before = await store.events.newestPosition()
  expect((await system.across.dueSnoozes.due(longAgo, 9)).map(({ row }) => row._id)).toEqual([id])
  await step().runDue()
  const page = { kind: 'conversations', tenantId: store.tenantId, after: '', limit: 9 } as const
  expect((await system.readRows(page)).rows).toMatchObject([{ _id: id, status: 'snoozed', version: 1 }])
  expect(await store.events.newestPosition()).toBe(before)
})

test('opens a conversation behind a page of those whose customer is being erased', async () => {
  const { store } = await openTenant()
  const [customer] = await add(store, 'customers', [{}])
  const hidden = Array.from({ length: 60 }, () => snoozed(store, longAgo, customer?._id))
  await Promise.all(hidden)
  const id = await snoozed(store, '2026-01-03T00:00:00.000Z')
  await add(store, 'tasks', [{ type: 'eraseCustomer', subjectId: customer?._id ?? '' }])
  await step().runDue()
  expect((await store.conversations.find(id))?.status).toBe('open')
})
