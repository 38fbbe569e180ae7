import { describe, expect, test } from 'vitest'
import type { Write } from '../../../src/ports/change.ts'
import type { TenantStore } from '../../../src/ports/storage.ts'
import { removalOf } from '../../../src/shared/removal-of.ts'
import { VersionConflict } from '../../../src/storage/errors.ts'
import type { TenantId } from '../../../src/storage/records.ts'
import { erasedPerCommitMax, isErasedBody } from '../../../src/storage/rules/erased.ts'
import { claimAll, type Harness, type Open, rejection, useFreshStorage } from './harness.contract.ts'
import { add, at, insertOf, resultOf, sample, sampleEvent } from './samples.contract.ts'

const all = { page: 1, limit: 100 }
/** Two pages and a bit, so that the first commit leaves many rows. */
const many = 2 * erasedPerCommitMax + 20
const erasedAt = at(5_000)

const eraseCustomer: Write = { op: 'erase', kind: 'customers', id: 'cus_1', at: erasedAt }
const eraseConversation: Write = { op: 'erase', kind: 'conversations', id: 'con_big', at: erasedAt }

function commitWrites(store: TenantStore, ...writes: Write[]): Promise<void> {
  return store.commit({ writes, events: [] })
}

interface Story {
  store: TenantStore
  id: TenantId
}

/**
 * A customer with a conversation of many messages and a second, small one; a bystander in whose conversation that
 * customer wrote too; events and replies about all. The last rows here are erased last.
 */
async function storeBigStory({ store, id }: Story) {
  await add(store, 'webhooks', [{ _id: 'w1', events: ['message.sent', 'conversation.created'] }])
  await add(store, 'customers', [{ _id: 'cus_1' }, { _id: 'cus_2' }])
  await add(store, 'conversations', [
    { _id: 'con_big', customerId: 'cus_1', subject: 'Private first' },
    { _id: 'con_small', customerId: 'cus_1', subject: 'Private last' },
    { _id: 'con_other', customerId: 'cus_2', subject: 'Private other', messageCount: 2 },
  ])
  const sender = { type: 'customer', _id: 'cus_1', name: 'Ada' } as const
  const other = { type: 'customer', _id: 'cus_2', name: 'Grace' } as const
  await add(
    store,
    'messages',
    Array.from({ length: many }, (_, i) => ({
      _id: `big_${String(i).padStart(5, '0')}`,
      conversationId: 'con_big',
      content: 'Secret text',
      createdAt: at(i),
      clientMessageId: `client_${i}`,
      sender,
    })),
  )
  await add(store, 'messages', [
    { _id: 'small', conversationId: 'con_small', content: 'Secret small', clientMessageId: 'c1', sender },
    { _id: 'msg_other', conversationId: 'con_other', content: 'Harmless', sender: other, createdAt: at(1) },
    {
      _id: 'guest',
      conversationId: 'con_other',
      content: 'Secret guest',
      clientMessageId: 'c2',
      sender,
      createdAt: at(2),
    },
  ])
  await add(store, 'idempotency', [
    { _id: 'reply_small', subjects: ['small', 'con_small'] },
    { _id: 'reply_last', subjects: [`big_${String(many - 1).padStart(5, '0')}`] },
    { _id: 'reply_kept', subjects: ['msg_other', 'cus_2'] },
  ])
  const sentEvents = [
    sampleEvent({ type: 'message.sent', about: 'small', subjects: ['small', 'con_small'] }),
    // This event was sent when the conversation belonged to another customer.
    sampleEvent({ type: 'conversation.created', about: 'con_small', subjects: ['con_small', 'cus_2'] }),
    sampleEvent({ type: 'message.sent', about: 'guest', subjects: ['guest', 'con_other', 'cus_2'] }),
  ]
  const otherEvent = sampleEvent({
    type: 'message.sent',
    about: 'msg_other',
    subjects: ['msg_other', 'con_other', 'cus_2'],
  })
  await store.commit({ writes: [], events: [...sentEvents, otherEvent] })
  return { id, sentEvents, otherEvent }
}

/** Finishes an erasure as the task does; returns the number of rows of each page. */
async function eraseRest(store: TenantStore, kind: 'customers' | 'conversations', id: string) {
  const pages: number[] = []
  for (;;) {
    const count = await store.eraseNext({ kind, id, at: erasedAt, limit: erasedPerCommitMax })
    if (count === 0) return pages
    pages.push(count)
  }
}

async function finishErasures({ storage }: Harness, store: TenantStore) {
  for (const { task } of await storage.system.listTasks(100)) {
    const kind = task.type === 'eraseCustomer' ? 'customers' : 'conversations'
    await eraseRest(store, kind, task.subjectId)
    await commitWrites(store, { op: 'remove', kind: 'tasks', id: task._id, expectVersion: 1 })
  }
}

/** Every trace of the customer that a reader could still find. */
async function traces(
  harness: Harness,
  { store, sentEvents }: { store: TenantStore; sentEvents: { _id: string }[] },
) {
  const last = `big_${String(many - 1).padStart(5, '0')}`
  const found = await Promise.all([
    store.customers.find('cus_1'),
    ...['con_big', 'con_small'].map((id) => store.conversations.find(id)),
    ...[last, 'big_00000', 'small', 'guest'].map((id) => store.messages.find(id)),
    store.messages.findByClientMessageId('con_big', `client_${many - 1}`),
    store.messages.findByClientMessageId('con_other', 'c2'),
    ...['reply_small', 'reply_last'].map((id) => store.idempotency.find(id)),
  ])
  const pages = await Promise.all([
    store.customers.list({ ...all, sort: 'createdAt', search: 'lovelace' }),
    store.conversations.list({ ...all, sort: 'createdAt' }),
    store.conversations.list({ ...all, sort: '-updatedAt', status: ['open', 'closed'] }),
    store.conversations.list({ ...all, sort: 'priority' }),
    store.conversations.list({ ...all, sort: '-updatedAt', label: 'billing' }),
    store.conversations.list({ ...all, sort: '-updatedAt', customerId: 'cus_1' }),
    store.conversations.list({ ...all, sort: 'createdAt', search: 'private' }),
    store.conversations.list({ ...all, sort: 'createdAt', search: 'secret' }),
  ])
  const messages = await Promise.all(
    ['con_big', 'con_small', 'con_other'].map((conversationId) =>
      store.messages.list({ ...all, conversationId, sort: 'createdAt' }),
    ),
  )
  await harness.storage.system.sequenceEvents(1000)
  const log = await store.events.read({ types: ['message.sent', 'conversation.created'], limit: 100 })
  const events = await Promise.all(sentEvents.map(({ _id }) => store.events.find(_id)))
  const bodies = [...log.filter(({ _id }) => sentEvents.some((event) => event._id === _id)), ...events]
  return {
    found: found.filter((row) => row !== undefined),
    lists: pages.map(({ rows, total }) => [rows.map(({ _id }) => _id).join(), total]),
    messages: messages.map(({ rows, total }) => [rows.map(({ _id }) => _id).join(), total]),
    sentEvents: bodies.filter((event) => event !== undefined && !isErasedBody(event.body)),
  }
}

const noTraces = {
  found: [],
  lists: [
    ['cus_2', 1],
    ...Array.from({ length: 4 }, () => ['con_other', 1]),
    ['', 0],
    ['con_other', 1],
    ['', 0],
  ],
  messages: [
    ['', 0],
    ['', 0],
    ['msg_other', 1],
  ],
  sentEvents: [],
}

export function describeErasurePages(open: Open): void {
  describe('an erasure of more than one commit', () => {
    const harness = useFreshStorage(open)

    test('of a customer is complete for every reader after the first commit, and at the end', async () => {
      const { store, id } = harness.newTenant()
      const { sentEvents, otherEvent } = await storeBigStory({ store, id })
      expect((await traces(harness, { store, sentEvents })).found).toHaveLength(11)
      await commitWrites(store, eraseCustomer)
      expect(await traces(harness, { store, sentEvents })).toEqual(noTraces)
      const pages = await eraseRest(store, 'customers', 'cus_1')
      // The rest existed, and was deleted in pages.
      expect(pages.length).toBeGreaterThan(1)
      expect(Math.max(...pages)).toBeLessThanOrEqual(erasedPerCommitMax + 1)
      expect(await traces(harness, { store, sentEvents })).toEqual(noTraces)
      await finishErasures(harness, store)
      expect(await harness.storage.system.listTasks(100)).toEqual([])
      // Without its task nothing is hidden any more, so no row may be left.
      expect(await traces(harness, { store, sentEvents })).toEqual(noTraces)
      expect((await store.events.find(otherEvent._id))?.body).toBe(otherEvent.body)
      expect(await store.conversations.find('con_other')).toMatchObject({ messageCount: 1 })
      expect(await store.idempotency.find('reply_kept')).toBeDefined()
    })

    test('of a conversation hides its messages at once and keeps other messages of its customer', async () => {
      const { store, id } = harness.newTenant()
      await storeBigStory({ store, id })
      await commitWrites(store, eraseConversation)
      const last = `big_${String(many - 1).padStart(5, '0')}`
      expect(await store.messages.find(last)).toBeUndefined()
      expect(await store.messages.findByClientMessageId('con_big', `client_${many - 1}`)).toBeUndefined()
      expect(
        await store.messages.list({ ...all, conversationId: 'con_big', sort: 'createdAt' }),
      ).toMatchObject({
        rows: [],
        total: 0,
      })
      expect(await store.messages.find('small')).toBeDefined()
      await finishErasures(harness, store)
      expect(await store.messages.find(last)).toBeUndefined()
      expect(await store.conversations.find('con_small')).toBeDefined()
      expect(await store.messages.find('guest')).toBeDefined()
    })

    test('hides an attachment with its message, whose row then only waits until its bytes are removed', async () => {
      const { store, id } = harness.newTenant()
      await storeBigStory({ store, id })
      const last = `big_${String(many - 1).padStart(5, '0')}`
      await add(store, 'attachments', [
        { _id: 'att_last', messageId: last, filename: 'Secret.png' },
        { _id: 'att_guest', messageId: 'guest', filename: 'Secret too.png' },
        { _id: 'att_kept', messageId: 'msg_other' },
      ])
      await commitWrites(store, eraseCustomer)
      expect(await store.attachments.find('att_last')).toBeUndefined()
      expect(await store.attachments.find('att_kept')).toMatchObject({ erasedAt: null })
      const set = { filename: 'New.png' }
      const write = { op: 'update', kind: 'attachments', id: 'att_last', expectVersion: 1, set } as const
      expect(await rejection(commitWrites(store, write))).toBeInstanceOf(VersionConflict)
      const dueIds = async () =>
        (await harness.storage.system.across.dueAttachments.due(erasedAt, 10)).map(({ row }) => row._id)
      expect(await dueIds()).not.toContain('att_last')
      await finishErasures(harness, store)
      expect((await dueIds()).sort()).toEqual(['att_guest', 'att_last'])
      for (const attachmentId of await dueIds()) {
        const row = await store.attachments.find(attachmentId)
        expect(row).toMatchObject({ erasedAt, filename: '', messageId: null, sha256: '' })
        // The job that removes the bytes can write to the row.
        await commitWrites(store, removalOf('attachments', row!))
      }
      expect(await store.attachments.find('att_kept')).toMatchObject({
        erasedAt: null,
        messageId: 'msg_other',
      })
    })

    test.each([
      ['conversation', { op: 'erase', kind: 'conversations', id: 'con_named', at: at(900) }],
      ['customer with a conversation', { op: 'erase', kind: 'customers', id: 'cus_named', at: at(900) }],
    ] as const)('of a %s takes its id out of every call that only names it', async (_, erasure) => {
      const { store } = harness.newTenant()
      await add(store, 'customers', [{ _id: 'cus_named' }, { _id: 'cus_other' }])
      await add(store, 'conversations', [
        { _id: 'con_named', customerId: 'cus_named' },
        { _id: 'con_other', customerId: 'cus_other' },
      ])
      const ids = Array.from({ length: erasedPerCommitMax + 10 }, (_, index) => `cal_${index}`)
      const owners = [null, 'cus_other']
      const naming = ids.map((_id, index) => {
        return { _id, conversationId: 'con_named', customerId: owners[index % 2] ?? null }
      })
      const untouched = { _id: 'cal_other', conversationId: 'con_other', customerId: 'cus_other' }
      await add(store, 'calls', [...naming, untouched])
      await commitWrites(store, erasure)
      await finishErasures(harness, store)
      const found = await Promise.all(ids.map((id) => store.calls.find(id)))
      expect(new Set(found.map((row) => row?.conversationId))).toEqual(new Set([null]))
      expect(await store.calls.find('cal_other')).toMatchObject({ conversationId: 'con_other', version: 1 })
    })

    test('stores and shows rows whose owner is empty while an erasure is unfinished', async () => {
      const { store, id } = harness.newTenant()
      await storeBigStory({ store, id })
      await commitWrites(store, eraseCustomer)
      const send = sample.mailSends(id, { _id: 'sml_1', conversationId: '' })
      await commitWrites(store, insertOf('mailSends', send))
      expect(await store.mailSends.find('sml_1')).toMatchObject({ _id: 'sml_1' })
    })

    test('refuses writes to hidden rows, and new children of them', async () => {
      const { store, id } = harness.newTenant()
      await storeBigStory({ store, id })
      await commitWrites(store, eraseCustomer)
      const message = sample.messages(id, { _id: 'late', conversationId: 'con_small' })
      const guest = { type: 'customer', _id: 'cus_1', name: 'Ada' } as const
      const attempts: Write[][] = [
        [{ op: 'patch', kind: 'conversations', id: 'con_small', increment: { messageCount: 1 } }],
        [
          {
            op: 'update',
            kind: 'conversations',
            id: 'con_small',
            expectVersion: 1,
            set: { customerId: 'cus_2' },
          },
        ],
        [{ op: 'remove', kind: 'conversations', id: 'con_small', expectVersion: 1 }],
        [{ op: 'erase', kind: 'conversations', id: 'con_small', at: erasedAt }],
        [insertOf('messages', message)],
        [
          insertOf(
            'messages',
            sample.messages(id, { _id: 'late', conversationId: 'con_other', sender: guest }),
          ),
        ],
        [insertOf('conversations', sample.conversations(id, { _id: 'late', customerId: 'cus_1' }))],
        [
          {
            op: 'update',
            kind: 'conversations',
            id: 'con_other',
            expectVersion: 1,
            set: { customerId: 'cus_1' },
          },
        ],
        [{ op: 'update', kind: 'messages', id: 'small', expectVersion: 1, set: { status: 'read' } }],
        [{ op: 'erase', kind: 'customers', id: 'cus_1', at: erasedAt }],
        [{ op: 'patch', kind: 'customers', id: 'cus_1' }],
      ]
      for (const writes of attempts) {
        const refusal = await rejection(store.commit({ writes, events: [] }))
        expect(refusal, JSON.stringify(writes)).toBeInstanceOf(VersionConflict)
      }
      await commitWrites(store, insertOf('messages', { ...message, conversationId: 'con_other' }))
      await finishErasures(harness, store)
      expect(await store.messages.find('late')).toBeDefined()
      expect(await store.conversations.find('con_other')).toBeDefined()
    })

    test('sends receivers nothing but the fact of the erasure, and ends the pending attempts', async () => {
      const { store, id } = harness.newTenant()
      const { sentEvents, otherEvent } = await storeBigStory({ store, id })
      await commitWrites(store, eraseCustomer)
      const claimed = await claimAll(harness, 60_000)
      for (const { event } of claimed) {
        expect([event._id, isErasedBody(event.body)]).toEqual([event._id, event._id !== otherEvent._id])
      }
      const ended = claimed
        .filter(({ event }) => event._id !== otherEvent._id)
        .map((claim) => resultOf(claim, { status: 'failed', errorCode: 'ERASED', statusCode: null }))
      await harness.storage.system.finishAttempts(ended)
      // The failure says nothing about the receiver.
      expect(await store.webhooks.counts(['w1'])).toEqual([])
      await finishErasures(harness, store)
      const { rows } = await store.attempts.list({ webhookId: 'w1', ...all })
      const ends = new Map(rows.map(({ eventId, errorCode }) => [eventId, errorCode]))
      expect(sentEvents.map(({ _id }) => ends.get(_id))).toEqual(sentEvents.map(() => 'ERASED'))
      expect(ends.get(otherEvent._id)).toBeNull()
    })

    test('stores a new reply in place of a hidden one when the request is repeated', async () => {
      const { store, id } = harness.newTenant()
      await storeBigStory({ store, id })
      await commitWrites(store, eraseCustomer)
      const again = sample.idempotency(id, { _id: 'reply_last', subjects: ['cus_2'], reply: '{"new":1}' })
      await commitWrites(store, insertOf('idempotency', again))
      await finishErasures(harness, store)
      expect(await store.idempotency.find('reply_last')).toMatchObject({ reply: '{"new":1}' })
    })

    test('keeps a tombstone for each external id, so that a sync does not re-create the rows, and nothing else', async () => {
      const [{ store }, other] = [harness.newTenant(), harness.newTenant()]
      await add(store, 'customers', [{ _id: 'cus_1' }, { _id: 'cus_2' }])
      await add(store, 'conversations', [
        { _id: 'con_1', customerId: 'cus_1', externalIds: ['zoho:1', 'hubspot:2'] },
        { _id: 'con_2', customerId: 'cus_2', externalIds: ['zoho:3'] },
      ])
      await add(store, 'messages', [
        { conversationId: 'con_1', externalId: 'zoho:9' },
        { conversationId: 'con_1', externalId: 'zoho:9' },
        { conversationId: 'con_1', externalId: null },
      ])
      await commitWrites(store, eraseCustomer)
      await finishErasures(harness, store)
      const externalIds = ['zoho:1', 'hubspot:2', 'zoho:3', 'zoho:9']
      const among = (tenant: TenantStore, kind: 'conversations' | 'messages') =>
        tenant.erasedLinks.listAmong({ kind, externalIds })
      expect(await among(store, 'conversations')).toEqual(['zoho:1', 'hubspot:2'])
      expect(await among(store, 'messages')).toEqual(['zoho:9'])
      expect(await among(other.store, 'conversations')).toEqual([])
      // Erased a second time after the row was created again.
      await add(store, 'conversations', [{ _id: 'con_1', externalIds: ['zoho:1'] }])
      await commitWrites(store, { op: 'erase', kind: 'conversations', id: 'con_1', at: erasedAt })
      expect(await among(store, 'conversations')).toEqual(['zoho:1', 'hubspot:2'])
    })

    test('continues only where an erasure was begun, and in its own tenant', async () => {
      const [a, b] = [harness.newTenant(), harness.newTenant()]
      await storeBigStory(a)
      await storeBigStory(b)
      const next = { kind: 'customers', id: 'cus_1', at: erasedAt, limit: 100 } as const
      expect(await a.store.eraseNext(next)).toBe(0)
      await commitWrites(a.store, eraseCustomer)
      expect(await b.store.eraseNext(next)).toBe(0)
      expect(await b.store.conversations.find('con_small')).toBeDefined()
      expect(
        (await b.store.messages.list({ ...all, conversationId: 'con_big', sort: 'createdAt' })).total,
      ).toBe(many)
      expect(await a.store.eraseNext(next)).toBeGreaterThan(0)
    })

    test('is continued by two callers at once without a row that counts twice', async () => {
      const { store, id } = harness.newTenant()
      const { sentEvents } = await storeBigStory({ store, id })
      await commitWrites(store, eraseCustomer)
      await Promise.all([1, 2, 3].map(() => eraseRest(store, 'customers', 'cus_1')))
      await finishErasures(harness, store)
      expect(await traces(harness, { store, sentEvents })).toEqual(noTraces)
      expect(await store.conversations.find('con_other')).toMatchObject({ messageCount: 1 })
    })

    test('takes one message out of a conversation that stays, with the events and replies about it', async () => {
      const { store, id } = harness.newTenant()
      const { sentEvents, otherEvent } = await storeBigStory({ store, id })
      await commitWrites(store, { op: 'erase', kind: 'messages', id: 'small', at: erasedAt })
      expect(await store.messages.find('small')).toBeUndefined()
      expect(await store.conversations.find('con_small')).toBeDefined()
      expect(await store.messages.find('guest')).toBeDefined()
      const [small, , guest] = await Promise.all(sentEvents.map(({ _id }) => store.events.find(_id)))
      expect([small, guest].map((event) => isErasedBody(event?.body ?? ''))).toEqual([true, false])
      expect(await store.idempotency.find('reply_small')).toBeUndefined()
      expect(await store.events.find(otherEvent._id)).toMatchObject({ body: otherEvent.body })
    })

    test('redacts what is stored about rows that stay: all of it, or what names a text until a moment', async () => {
      const { store } = harness.newTenant()
      await add(store, 'webhooks', [{ _id: 'w1', events: ['message.sent'] }])
      const bodyOf = (_id: string, to: string) =>
        JSON.stringify({ id: _id, event: 'message.sent', timestamp: at(1), data: { _id: 'm', to } })
      const made = ['Ada@Mail.example', 'bob@mail.example', 'ada@mail.example'].map((to, second) => {
        const event = sampleEvent({ type: 'message.sent', about: 'msg_1', subjects: ['msg_1', 'con_1'] })
        return { ...event, timestamp: at(second), body: bodyOf(event._id, to) }
      })
      await store.commit({ writes: [], events: made })
      await add(store, 'idempotency', [
        { _id: 'reply_ada', subjects: ['con_1'], reply: '{"to":"ada@mail.example"}' },
        { _id: 'reply_bob', subjects: ['con_1'], reply: null },
      ])
      const erased = async () =>
        Promise.all(made.map(async ({ _id }) => isErasedBody((await store.events.find(_id))?.body ?? '')))
      const naming = { about: ['con_1'], naming: 'ada@mail.example', at: at(1), limit: 100 }
      while ((await store.eraseNext(naming)) > 0);
      expect(await erased()).toEqual([true, false, false])
      expect(await store.idempotency.find('reply_ada')).toBeUndefined()
      expect(await store.idempotency.find('reply_bob')).toBeDefined()
      while ((await store.eraseNext({ ...naming, about: ['msg_1'], naming: null })) > 0);
      expect(await erased()).toEqual([true, true, true])
      expect(await store.eraseNext({ ...naming, naming: null })).toBe(1)
      expect(await store.idempotency.find('reply_bob')).toBeUndefined()
    })
  })
}
