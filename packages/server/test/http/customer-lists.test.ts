// Runs on both databases by day: filters and orders of lists.

import { expect, test } from 'vitest'
import type { TenantId } from '../../src/storage/records.ts'
import { call, createKey, registerTenant } from '../support/call.ts'
import { useService } from '../support/use-service.ts'

const running = useService()

async function newTenant() {
  const { token, tenant } = await registerTenant(running.url)
  const send = (method: string, path: string, body?: object, by = token) =>
    call(running.url, { method, path: `/api/v1${path}`, token: by, ...(body && { body }) })
  const post = async (path: string, body: object) => (await send('POST', path, body)).body.data
  const customer = async (fields: object) => (await post('/customers', fields))._id as string
  const inboxId = (await send('GET', '/inboxes')).body.data[0]._id as string
  const store = running.service.storage.forTenant(tenant._id as TenantId)
  return {
    token,
    send,
    post,
    customer,
    store,
    /** Returns the id of a new conversation of a customer. */
    conversation: async (customerId: string, message?: object) =>
      (await post('/conversations', { subject: 'Help', inboxId, customerId, ...(message && { message }) }))
        ._id as string,
    get: async (id: string) => (await send('GET', `/customers/${id}`)).body.data,
    list: async (query: string) =>
      (await send('GET', `/customers?${query}`)).body.data as {
        _id: string
        openConversations: number | null
      }[],
    /** Moves the last contact back, without a trace. */
    setContact: (id: string, lastContactAt: string) =>
      store.commit({ writes: [{ op: 'patch', kind: 'customers', id, set: { lastContactAt } }], events: [] }),
  }
}

const idsOf = (rows: readonly { _id: string }[]) => rows.map(({ _id }) => _id)
const inbound = { content: 'Where is it?', direction: 'inbound' }

test('company finds the customers of a company by its whole name, in any case and with every other filter', async () => {
  const { customer, list, send } = await newTenant()
  const ada = await customer({ firstName: 'Ada', company: 'Analytical Engines', tier: 'gold' })
  const bob = await customer({ firstName: 'Bob', company: 'ANALYTICAL engines' })
  const kim = await customer({ firstName: 'Kim', company: 'Analytical', tags: ['Analytical Engines'] })
  const company = (name: string) => list(`sort=createdAt&company=${encodeURIComponent(name)}`)
  expect(idsOf(await company(' analytical ENGINES '))).toEqual([ada, bob])
  expect(idsOf(await company('Analytical'))).toEqual([kim])
  expect(await company('Engines')).toEqual([])
  expect(idsOf(await list('company=analytical+engines&tier=gold&search=ada'))).toEqual([ada])
  await send('PUT', `/customers/${ada}`, { company: null })
  expect(idsOf(await company('analytical engines'))).toEqual([bob])
})

test('lastContactAt is the time of an inbound message, changes after an hour, and leaves version and events', async () => {
  const { customer, conversation, get, post, send, setContact, store } = await newTenant()
  const id = await customer({ firstName: 'Ada' })
  const con = await conversation(id)
  expect((await get(id)).lastContactAt).toBeNull()
  await post(`/conversations/${con}/messages`, { content: 'Can I help?' })
  await post(`/conversations/${con}/messages`, { content: 'Call her', type: 'note' })
  expect((await get(id)).lastContactAt).toBeNull()
  const { version, updatedAt } = (await store.customers.find(id))!
  const first = await post(`/conversations/${con}/messages`, inbound)
  expect((await get(id)).lastContactAt).toBe(first.createdAt)
  await post(`/conversations/${con}/messages`, inbound)
  expect((await get(id)).lastContactAt).toBe(first.createdAt)
  await setContact(id, new Date(Date.now() - 3_700_000).toISOString())
  const later = await post(`/conversations/${con}/messages`, inbound)
  expect((await get(id)).lastContactAt).toBe(later.createdAt)
  const stored = await store.customers.find(id)
  expect([stored?.version, stored?.updatedAt]).toEqual([version, updatedAt])
  const events = (await send('GET', '/events?limit=100')).body.data.map(
    ({ event }: { event: string }) => event,
  )
  expect(events).not.toContain('customer.updated')
})

test('an inbound first message sets lastContactAt, and a change of the customer keeps it', async () => {
  const { customer, conversation, get, send } = await newTenant()
  const id = await customer({ firstName: 'Ada' })
  await conversation(id, inbound)
  const { lastContactAt } = await get(id)
  expect(lastContactAt).toEqual(expect.any(String))
  const changed = await send('PUT', `/customers/${id}`, { jobTitle: 'Boss' })
  expect(changed.body.data).toMatchObject({ jobTitle: 'Boss', lastContactAt })
  expect((await get(id)).lastContactAt).toBe(lastContactAt)
})

test('lists are sorted and filtered by the last contact; who has never written is the earliest and in no time', async () => {
  const { customer, list, setContact } = await newTenant()
  const [never, early, late] = [
    await customer({ firstName: 'Never' }),
    await customer({ firstName: 'Early' }),
    await customer({ firstName: 'Late' }),
  ]
  await setContact(late, '2026-03-01T00:00:00.000Z')
  await setContact(early, '2026-02-01T00:00:00.000Z')
  expect(idsOf(await list('sort=-lastContactAt'))).toEqual([late, early, never])
  expect(idsOf(await list('sort=lastContactAt'))).toEqual([never, early, late])
  const at = (text: string) => encodeURIComponent(text)
  const from = (since: string, until: string) =>
    list(`sort=lastContactAt&lastContactSince=${at(since)}&lastContactUntil=${at(until)}`)
  expect(idsOf(await list(`lastContactSince=${at('2026-03-01T00:00:00Z')}`))).toEqual([late])
  expect(idsOf(await list(`lastContactUntil=${at('2026-03-01T00:00:00Z')}`))).toEqual([early])
  expect(idsOf(await from('2026-02-01T00:00:00Z', '2026-03-01T00:00:01Z'))).toEqual([early, late])
})

test('include=openConversations counts what is not closed, and nothing for who may not read conversations', async () => {
  const { token, customer, conversation, list, send } = await newTenant()
  const [busy, calm] = [await customer({ firstName: 'B' }), await customer({ firstName: 'C' })]
  const [first] = [await conversation(busy), await conversation(busy), await conversation(busy)]
  await send('PUT', `/conversations/${first}`, { status: 'closed' })
  const counts = (rows: { _id: string; openConversations: number | null }[]) =>
    rows.map(({ _id, openConversations }) => [_id, openConversations])
  expect(counts(await list('sort=createdAt&include=openConversations'))).toEqual([
    [busy, 2],
    [calm, 0],
  ])
  expect(counts(await list('sort=createdAt'))).toEqual([
    [busy, null],
    [calm, null],
  ])
  const key = await createKey(running.url, token, ['read:customers'])
  const read = await send('GET', '/customers?sort=createdAt&include=openConversations', undefined, key)
  expect(counts(read.body.data)).toEqual([
    [busy, null],
    [calm, null],
  ])
  expect((await send('GET', '/customers?include=everything')).status).toBe(422)
})

test('a merge keeps the later contact, and its end gives both customers their own', async () => {
  const { customer, get, send, setContact } = await newTenant()
  const [target, source] = [await customer({ firstName: 'T' }), await customer({ firstName: 'S' })]
  const [early, late] = ['2026-02-01T00:00:00.000Z', '2026-03-01T00:00:00.000Z']
  await setContact(target, early)
  await setContact(source, late)
  const merged = await send('POST', `/customers/${target}/merge`, { sourceId: source })
  expect(merged.body.data.lastContactAt).toBe(late)
  await send('POST', `/customers/${target}/unmerge`, { sourceId: source })
  expect([(await get(target)).lastContactAt, (await get(source)).lastContactAt]).toEqual([early, late])
})
