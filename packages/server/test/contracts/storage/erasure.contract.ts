import { type DomainEvent, foldedFacts } from '@crmkit/core'
import { describe, expect, test } from 'vitest'
import type { TenantStore } from '../../../src/ports/storage.ts'
import type { TenantId } from '../../../src/storage/records.ts'
import { claimAll, type Open, useFreshStorage } from './harness.contract.ts'
import { add, at, sample, sampleEvent } from './samples.contract.ts'

const all = { page: 1, limit: 100 }

function erased({ _id, type, timestamp }: DomainEvent, about: string): string {
  return JSON.stringify({ id: _id, event: type, timestamp, data: { _id: about, erased: true } })
}

/** A customer with two conversations and their messages, a bystander with the same, and events about all. */
async function storeStory(store: TenantStore) {
  await add(store, 'webhooks', [
    {
      _id: 'w1',
      events: [
        'customer.created',
        'conversation.created',
        'message.sent',
        'customer.deleted',
        'conversation.deleted',
      ],
    },
  ])
  await add(store, 'customers', [{ _id: 'cus_1' }, { _id: 'cus_2' }])
  await add(store, 'conversations', [
    { _id: 'con_1', customerId: 'cus_1', subject: 'Private one' },
    { _id: 'con_2', customerId: 'cus_1', subject: 'Private two' },
    { _id: 'con_3', customerId: 'cus_2', subject: 'Private three' },
  ])
  await add(
    store,
    'messages',
    ['con_1', 'con_1', 'con_2', 'con_3'].map((conversationId, i) => ({
      _id: `msg_${i}`,
      conversationId,
      content: `Secret ${i}`,
    })),
  )
  await add(store, 'idempotency', [
    { _id: 'reply_cus', subjects: ['cus_1'] },
    { _id: 'reply_con', subjects: ['con_2', 'usr_1'] },
    { _id: 'reply_msg', subjects: ['msg_0'] },
    { _id: 'reply_other', subjects: ['cus_2', 'con_3'] },
  ])
  const events = {
    customer: sampleEvent({ about: 'cus_1' }),
    conversation: sampleEvent({ type: 'conversation.created', about: 'con_1', subjects: ['con_1', 'cus_1'] }),
    message: sampleEvent({ type: 'message.sent', about: 'msg_2', subjects: ['msg_2', 'con_2'] }),
    bystander: sampleEvent({ type: 'message.sent', about: 'msg_3', subjects: ['msg_3', 'con_3', 'cus_2'] }),
  }
  await store.commit({ writes: [], events: Object.values(events) })
  return events
}

export function describeErasure(open: Open): void {
  describe('erasure', () => {
    const harness = useFreshStorage(open)

    test('of a customer deletes its conversations, messages and replies about them, and nothing else', async () => {
      const { store } = harness.newTenant()
      await storeStory(store)
      await store.commit({
        writes: [{ op: 'erase', kind: 'customers', id: 'cus_1', at: at(900) }],
        events: [],
      })
      const gone = [
        store.customers.find('cus_1'),
        ...['con_1', 'con_2'].map((id) => store.conversations.find(id)),
        ...['msg_0', 'msg_1', 'msg_2'].map((id) => store.messages.find(id)),
        ...['reply_cus', 'reply_con', 'reply_msg'].map((id) => store.idempotency.find(id)),
      ]
      expect(await Promise.all(gone)).toEqual(gone.map(() => undefined))
      const lists = await Promise.all([
        store.customers.list({ ...all, sort: 'createdAt', search: 'lovelace' }),
        store.conversations.list({ ...all, sort: 'createdAt', search: 'private' }),
        store.conversations.list({ ...all, sort: 'createdAt', search: 'secret' }),
        store.conversations.list({ ...all, sort: '-updatedAt', label: 'billing' }),
        store.conversations.list({ ...all, sort: '-updatedAt', customerId: 'cus_1' }),
        store.messages.list({ ...all, conversationId: 'con_1', sort: 'createdAt' }),
      ])
      expect(lists.map(({ rows }) => rows.map(({ _id }) => _id))).toEqual([
        ['cus_2'],
        ['con_3'],
        ['con_3'],
        ['con_3'],
        [],
        [],
      ])
      const remaining = [
        store.customers.find('cus_2'),
        store.messages.find('msg_3'),
        store.idempotency.find('reply_other'),
      ]
      expect((await Promise.all(remaining)).every(Boolean)).toBe(true)
    })

    test.each(['customers', 'conversations'] as const)(
      'of %s leaves of the attachments of their messages only the rows that wait for the removal of the bytes',
      async (kind) => {
        const { id: tenantId, store } = harness.newTenant()
        await storeStory(store)
        await add(store, 'attachments', [
          { _id: 'att_0', messageId: 'msg_0', filename: 'passport of Ada.png' },
          { _id: 'att_1', messageId: 'msg_0', filename: 'photo of Ada.png' },
          { _id: 'att_3', messageId: 'msg_3' },
          { _id: 'att_free' },
        ])
        await add(store, 'idempotency', [{ _id: 'reply_att', subjects: ['att_0'] }])
        const id = kind === 'customers' ? 'cus_1' : 'con_1'
        await store.commit({ writes: [{ op: 'erase', kind, id, at: at(900) }], events: [] })
        for (const erasedId of ['att_0', 'att_1']) {
          const row = await store.attachments.find(erasedId)
          expect(row).toMatchObject({ erasedAt: at(900), filename: '', size: 0, sha256: '' })
          expect(JSON.stringify(row)).not.toMatch(/Ada|pdf/)
        }
        expect(await store.idempotency.find('reply_att')).toBeUndefined()
        expect(await store.attachments.find('att_3')).toMatchObject({ erasedAt: null })
        expect(await store.attachments.find('att_free')).toMatchObject({ erasedAt: null })
        const due = await harness.storage.system.across.dueAttachments.due(at(900), 10)
        expect(due.map((found) => [found.tenantId, found.row._id]).sort()).toEqual([
          [tenantId, 'att_0'],
          [tenantId, 'att_1'],
        ])
      },
    )

    test('of a customer deletes its messages in conversations of others, and their message counts decrease', async () => {
      const { store } = harness.newTenant()
      await storeStory(store)
      const sender = { type: 'customer', _id: 'cus_1', name: 'Ada' } as const
      const other = { type: 'customer', _id: 'cus_2', name: 'Grace' } as const
      await add(store, 'messages', [
        { _id: 'by_1', conversationId: 'con_3', sender },
        { _id: 'by_2', conversationId: 'con_3', sender: other },
      ])
      const sent = sampleEvent({ type: 'message.sent', about: 'by_1', subjects: ['by_1', 'con_3', 'cus_1'] })
      await store.commit({ writes: [], events: [sent] })
      const before = await store.conversations.find('con_3')
      await store.commit({
        writes: [{ op: 'erase', kind: 'customers', id: 'cus_1', at: at(900) }],
        events: [],
      })
      expect(await store.messages.find('by_1')).toBeUndefined()
      expect(await store.messages.find('by_2')).toBeDefined()
      expect(await store.conversations.find('con_3')).toMatchObject({
        messageCount: Number(before?.messageCount) - 1,
      })
      expect((await store.events.find(sent._id))?.body).toBe(erased(sent, 'by_1'))
    })

    test('of a customer takes what they said last out of a conversation of somebody else, which folds its rest again', async () => {
      const { store } = harness.newTenant()
      await storeStory(store)
      const told = (name: string, _id: string) => ({ type: 'customer', _id, name }) as const
      const said = {
        conversationId: 'con_3',
        direction: 'inbound',
        contentType: 'text',
        email: null,
      } as const
      const first = {
        ...said,
        _id: 'by_2',
        sender: told('Grace', 'cus_2'),
        content: 'Harmless',
        createdAt: at(800_001),
      }
      const last = {
        ...said,
        _id: 'by_1',
        sender: told('Ada', 'cus_1'),
        content: 'Secret',
        createdAt: at(800_002),
      }
      const { messages } = sample
      const written = foldedFacts(
        { seq: 2 },
        [last, first].map((row) => messages('ten' as TenantId, row)),
      )
      await add(store, 'messages', [first, last])
      const { version: expectVersion } = (await store.conversations.find('con_3'))!
      const set = { ...written, seq: 2, importedSeq: 0, waitingSince: at(800_001) }
      const write = { op: 'update', kind: 'conversations', id: 'con_3', expectVersion, set } as const
      await store.commit({ writes: [write], events: [] })
      expect(await store.conversations.find('con_3')).toMatchObject({ lastMessage: { preview: 'Secret' } })
      await store.commit({
        writes: [{ op: 'erase', kind: 'customers', id: 'cus_1', at: at(800_003) }],
        events: [],
      })
      const after = await store.conversations.find('con_3')
      expect(JSON.stringify(after)).not.toContain('Secret')
      expect(after).toMatchObject({
        lastMessage: { _id: 'by_2', preview: 'Harmless', at: at(800_001) },
        lastMessageAt: at(800_001),
        lastCustomerMessageAt: at(800_001),
        waitingSince: at(800_001),
      })
    })

    test('of a customer takes the words away with which they began a conversation that was given to somebody else', async () => {
      const { store } = harness.newTenant()
      await storeStory(store)
      const sender = { type: 'customer', _id: 'cus_1', name: 'Ada' } as const
      const words = { subject: 'Ada cannot sleep', page: 'https://shop.example/pills' }
      const rating = { score: 1, comment: 'Ada says no', at: at(2) }
      await add(store, 'conversations', [
        { _id: 'given', customerId: 'cus_2', ...words, rating },
        { _id: 'freed', customerId: null, ...words },
        { _id: 'joined', customerId: 'cus_2', subject: 'Grace began it' },
      ])
      await add(store, 'messages', [
        { _id: 'joined_1', conversationId: 'joined', createdAt: at(1) },
        ...['given', 'freed', 'joined'].flatMap((conversationId) => [
          { _id: `${conversationId}_2`, conversationId, sender, createdAt: at(2) },
          { _id: `${conversationId}_3`, conversationId, createdAt: at(3) },
        ]),
      ])
      const events = ['given', 'freed', 'joined'].map((about) =>
        sampleEvent({ type: 'conversation.created', about, subjects: [about, 'cus_2'] }),
      )
      await store.commit({ writes: [], events })
      await add(
        store,
        'idempotency',
        ['given', 'joined'].map((about) => ({ _id: `reply_${about}`, subjects: [about] })),
      )
      // An import wrote the conversation again after it was given away.
      const imported = { entityKind: 'conversations', customerId: 'cus_2', conversationId: 'given' } as const
      const values = { subject: words.subject, status: 'open' }
      await add(store, 'importLinks', [
        { _id: 'link', ...imported, entityId: 'given', importedValues: values },
      ])
      await add(store, 'importUndo', [{ _id: 'undo', ...imported, entityId: 'given', before: values }])
      await store.commit({
        writes: [{ op: 'erase', kind: 'customers', id: 'cus_1', at: at(900) }],
        events: [],
      })
      expect((await store.importLinks.find('link'))?.importedValues).toEqual({ status: 'open' })
      expect(await store.importUndo.find('undo')).toBeUndefined()
      const gone = { subject: '(no subject)', page: null, rating: null }
      expect(await store.conversations.find('given')).toMatchObject(gone)
      expect(await store.conversations.find('freed')).toMatchObject(gone)
      expect(await store.conversations.find('joined')).toMatchObject({ subject: 'Grace began it' })
      const isErased = events.map(async (event, index) => {
        const about = ['given', 'freed', 'joined'][index] ?? ''
        return (await store.events.find(event._id))?.body === erased(event, about)
      })
      expect(await Promise.all(isErased)).toEqual([true, true, false])
      expect(await store.idempotency.find('reply_given')).toBeUndefined()
      expect(await store.idempotency.find('reply_joined')).toBeDefined()
      const search = { ...all, sort: 'createdAt', search: 'sleep' } as const
      expect((await store.conversations.list(search)).rows).toEqual([])
    })

    test('of a customer deletes the customers that were merged into it, with all their children', async () => {
      const { store } = harness.newTenant()
      const events = await storeStory(store)
      await add(store, 'customers', [{ _id: 'cus_3', mergedFrom: ['cus_1'] }])
      await store.commit({
        writes: [{ op: 'remove', kind: 'customers', id: 'cus_1', expectVersion: 1 }],
        events: [],
      })
      await store.commit({
        writes: [{ op: 'erase', kind: 'customers', id: 'cus_3', at: at(900) }],
        events: [],
      })
      expect(await store.conversations.find('con_1')).toBeUndefined()
      expect(await store.messages.find('msg_2')).toBeUndefined()
      expect((await store.events.find(events.customer._id))?.body).toBe(erased(events.customer, 'cus_1'))
      expect(await store.customers.find('cus_2')).toBeDefined()
    })

    test('of a customer leaves only ids in earlier events about it, and ends their pending attempts', async () => {
      const { store } = harness.newTenant()
      const events = await storeStory(store)
      await store.commit({
        writes: [{ op: 'erase', kind: 'customers', id: 'cus_1', at: at(900) }],
        events: [],
      })
      expect((await store.events.find(events.customer._id))?.body).toBe(erased(events.customer, 'cus_1'))
      expect((await store.events.find(events.conversation._id))?.body).toBe(
        erased(events.conversation, 'con_1'),
      )
      expect((await store.events.find(events.message._id))?.body).toBe(erased(events.message, 'msg_2'))
      expect((await store.events.find(events.bystander._id))?.body).toBe(events.bystander.body)
      const { rows } = await store.attempts.list({ webhookId: 'w1', ...all })
      for (const row of rows) {
        const isBystander = row.eventId === events.bystander._id
        const expected = isBystander
          ? { status: 'pending', error: null }
          : {
              status: 'failed',
              errorCode: 'ERASED',
              error: expect.any(String),
              deliveredAt: at(900),
              nextAttemptAt: null,
            }
        expect(row).toMatchObject(expected)
      }
      const claimed = await claimAll(harness, 1)
      expect(claimed.map(({ event }) => event._id)).toEqual([events.bystander._id])
    })

    test('does not change the events of its own commit', async () => {
      const { store } = harness.newTenant()
      await storeStory(store)
      const event = sampleEvent({ type: 'customer.deleted', about: 'cus_1' })
      await store.commit({
        writes: [{ op: 'erase', kind: 'customers', id: 'cus_1', at: at(900) }],
        events: [event],
      })
      expect((await store.events.find(event._id))?.body).toBe(event.body)
      const { rows } = await store.attempts.list({ webhookId: 'w1', status: 'pending', ...all })
      expect(rows.map(({ eventId }) => eventId)).toContain(event._id)
    })

    test('of a conversation deletes its messages and keeps its customer', async () => {
      const { store } = harness.newTenant()
      const events = await storeStory(store)
      await store.commit({
        writes: [{ op: 'erase', kind: 'conversations', id: 'con_2', at: at(900) }],
        events: [],
      })
      expect(await store.conversations.find('con_2')).toBeUndefined()
      expect(await store.messages.find('msg_2')).toBeUndefined()
      expect(await store.idempotency.find('reply_con')).toBeUndefined()
      expect(await store.conversations.find('con_1')).toBeDefined()
      expect(await store.customers.find('cus_1')).toBeDefined()
      expect((await store.events.find(events.message._id))?.body).toBe(erased(events.message, 'msg_2'))
      expect((await store.events.find(events.customer._id))?.body).toBe(events.customer.body)
    })

    test('ends a running attempt, whose result is then dropped', async () => {
      const { store } = harness.newTenant()
      await storeStory(store)
      const claimed = await claimAll(harness, 60_000)
      await store.commit({
        writes: [{ op: 'erase', kind: 'customers', id: 'cus_1', at: at(900) }],
        events: [],
      })
      const written = await harness.storage.system.finishAttempts(
        claimed.map(({ tenantId, attempt, lockToken }) => ({
          tenantId,
          webhookId: attempt.webhookId,
          attemptId: attempt._id,
          lockToken,
          status: 'success' as const,
          statusCode: 200,
          deliveredAt: at(950),
          responseTime: 1,
          error: null,
          errorCode: null,
          timings: null,
          remoteAddress: null,
          next: null,
        })),
      )
      expect(written).toBe(1)
    })

    test('in one tenant leaves the same ids of another tenant alone', async () => {
      const [a, b] = [harness.newTenant(), harness.newTenant()]
      await storeStory(a.store)
      const events = await storeStory(b.store)
      await a.store.commit({
        writes: [{ op: 'erase', kind: 'customers', id: 'cus_1', at: at(900) }],
        events: [],
      })
      expect(await b.store.customers.find('cus_1')).toBeDefined()
      expect(await b.store.messages.find('msg_0')).toBeDefined()
      expect(await b.store.idempotency.find('reply_cus')).toBeDefined()
      expect((await b.store.events.find(events.customer._id))?.body).toBe(events.customer.body)
      expect((await b.store.attempts.list({ webhookId: 'w1', status: 'failed', ...all })).total).toBe(0)
    })
  })
}
