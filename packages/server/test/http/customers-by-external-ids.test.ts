// Runs on both databases by day: unique keys, and many rows of one commit.

import { expect, test } from 'vitest'
import { call, createKey, registerTenant } from '../support/call.ts'
import { imported } from '../support/customer-doors.ts'
import { makeMailInbox } from '../support/mail-inbox.ts'
import { useService } from '../support/use-service.ts'

const running = useService()

type Row = { result: string; customer: { _id: string; externalIds: string[] } | null; problems: Problem[] }
type Problem = { field: string; rule: string; in: string }

async function newTenant(token?: string) {
  token ??= (await registerTenant(running.url)).token as string
  const send = (method: string, path: string, body?: object) =>
    call(running.url, { method, path: `/api/v1${path}`, token, ...(body && { body }) })
  return {
    token,
    send,
    put: (customers: object[]) => send('PUT', '/customers/by-external-id/bulk', { customers }),
    rows: async (customers: object[]): Promise<Row[]> => {
      const { status, body } = await send('PUT', '/customers/by-external-id/bulk', { customers })
      expect(status, JSON.stringify(body)).toBe(200)
      expect(body.data.map(({ index }: { index: number }) => index)).toEqual([...customers.keys()])
      return body.data
    },
    customers: async () => (await send('GET', '/customers?limit=100')).body.data as { _id: string }[],
    events: async () =>
      (await send('GET', '/events?limit=100&types=customer.created,customer.updated')).body.data as {
        event: string
        data: { _id: string }
        changes?: object
      }[],
  }
}

const results = (rows: Row[]) => rows.map(({ result }) => result)
const rules = (rows: Row[]) =>
  rows.map(({ problems }) => problems.map(({ field, rule }) => `${field} ${rule}`).sort())

test('PUT /api/v1/customers/by-external-id/bulk creates, updates, keeps and refuses by row, with an event for each change [own.findOrCreate]', async () => {
  const { rows, events, send } = await newTenant()
  const known = await send('PUT', '/customers/by-external-id/shop/1', { firstName: 'Ada', tier: 'gold' })
  const data = await rows([
    { source: 'shop', id: '1', tier: 'silver' },
    { source: 'shop', id: '2', firstName: ' Grace ', email: '', status: 'inactive' },
    { source: 'shop', id: '3', firstName: 'Kim', email: 'no e-mail', colour: 'red' },
    { source: 'crm', id: '1', company: 'Acme' },
    { source: 'a shop', id: '4', firstName: 'Lee' },
    { id: '5', firstName: 'Max' },
  ])
  expect(data).toMatchObject([
    { customer: { _id: known.body.data._id, tier: 'silver', profile: { firstName: 'Ada' } }, problems: [] },
    {
      customer: { externalIds: ['shop:2'], status: 'inactive', profile: { firstName: 'Grace', email: null } },
    },
    { customer: null },
    { customer: null },
    { customer: null },
    { customer: null },
  ])
  expect(results(data)).toEqual(['updated', 'created', 'refused', 'refused', 'refused', 'refused'])
  expect(rules(data)).toEqual([
    [],
    [],
    ['colour unknown_field', 'email email'],
    ['firstName at_least_one'],
    ['source format'],
    ['source required'],
  ])
  expect(JSON.stringify(data[2])).not.toMatch(/no e-mail|red/)
  const ids = data.slice(0, 2).map(({ customer }) => customer?._id)
  // MongoDB gives events their places after the commit.
  await expect
    .poll(async () => (await events()).map(({ event, data: { _id } }) => [event, _id]))
    .toEqual([
      ['customer.created', ids[0]],
      ['customer.updated', ids[0]],
      ['customer.created', ids[1]],
    ])
  expect((await events())[1]?.changes).toEqual({ tier: { from: 'gold', to: 'silver' } })
})

test('a repeat changes nothing and sends no event', async () => {
  const { rows, events, customers } = await newTenant()
  const sent = Array.from({ length: 100 }, (_, n) => ({
    source: 'shop',
    id: `${n}`,
    email: `p${n}@example.com`,
    tags: ['shop'],
    customFields: { n },
  }))
  const first = await rows(sent)
  expect(new Set(results(first))).toEqual(new Set(['created']))
  const again = await rows(sent)
  expect(new Set(results(again))).toEqual(new Set(['unchanged']))
  expect(again.map(({ customer }) => customer)).toEqual(first.map(({ customer }) => customer))
  expect(await customers()).toHaveLength(100)
  expect(results(await rows([{ source: 'shop', id: '7', jobTitle: 'Last' }]))).toEqual(['updated'])
  await expect.poll(async () => (await events()).length).toBe(100)
})

test('a row that names the customer of an earlier row is refused, also by another id of the same customer', async () => {
  const { rows, send, customers } = await newTenant()
  const [one, two] = await rows([
    { source: 'shop', id: 'ä', firstName: 'Ada' },
    { source: 'crm', id: '1', firstName: 'Ada L.' },
  ])
  const sourceId = one?.customer?._id
  const merged = await send('POST', `/customers/${two?.customer?._id}/merge`, { sourceId })
  expect(merged.status).toBe(200)
  const data = await rows([
    { source: 'shop', id: 'new', company: 'Refused: nothing names it' },
    { source: 'shop', id: 'new', firstName: 'Grace' },
    { source: 'shop', id: 'new', firstName: 'Refused' },
    { source: 'shop', id: 'ä'.normalize('NFD'), tier: 'gold' },
    { source: 'crm', id: '1', tier: 'silver' },
  ])
  expect(results(data)).toEqual(['refused', 'created', 'refused', 'updated', 'refused'])
  expect(rules(data)).toEqual([['firstName at_least_one'], [], ['id duplicate'], [], ['id duplicate']])
  expect(data[3]?.customer).toMatchObject({ _id: two?.customer?._id, tier: 'gold' })
  expect(await customers()).toHaveLength(2)
})

test('an e-mail that a row replaces becomes a former address, as with the PUT of one', async () => {
  const { rows, send } = await newTenant()
  const [made] = await rows([{ source: 'shop', id: '1', email: 'old@example.com' }])
  await rows([{ source: 'shop', id: '1', email: 'new@example.com' }])
  const { addresses } = (await send('GET', `/customers/${made?.customer?._id}`)).body.data
  expect(addresses).toMatchObject([
    { address: 'new@example.com', until: null },
    { address: 'old@example.com', source: 'changed', until: expect.any(String) },
  ])
})

test('after a deletion a row makes a new customer', async () => {
  const { rows, send } = await newTenant()
  const row = { source: 'shop', id: '1', firstName: 'Ada' }
  const [first] = await rows([row])
  expect((await send('DELETE', `/customers/${first?.customer?._id}`)).status).toBe(200)
  const [second] = await rows([row])
  expect(second).toMatchObject({ result: 'created', customer: { externalIds: ['shop:1'] } })
  expect(second?.customer?._id).not.toBe(first?.customer?._id)
})

test('requests at the same time make one customer for each id', async () => {
  const { rows, customers } = await newTenant()
  const ids = ['a', 'b', 'c', 'd']
  // Each request begins at another id.
  const sent = (n: number) =>
    [...ids.slice(n % 4), ...ids.slice(0, n % 4)].map((id) => ({
      source: 'shop',
      id,
      firstName: `From ${n}`,
    }))
  const all = await Promise.all(Array.from({ length: 8 }, (_, n) => rows(sent(n))))
  const made = await customers()
  expect(made).toHaveLength(4)
  const shown = all.flatMap((rows) => rows.map(({ customer }) => customer?._id))
  expect(new Set(shown)).toEqual(new Set(made.map(({ _id }) => _id)))
})

test('the ids of another tenant name customers of one’s own', async () => {
  const [one, other] = [await newTenant(), await newTenant()]
  const row = { source: 'shop', id: '1', firstName: 'Theirs' }
  const [theirs] = await other.rows([row])
  const [ours] = await one.rows([{ ...row, firstName: 'Ours' }])
  expect(ours?.result).toBe('created')
  expect(ours?.customer?._id).not.toBe(theirs?.customer?._id)
  expect(results(await other.rows([row]))).toEqual(['unchanged'])
})

test('a row finds the customer of an import by the id that the import gave', async () => {
  const inbox = await makeMailInbox(running)
  const { rows } = await newTenant(inbox.owner.token)
  const source = imported(inbox, 'file', () => ({}))
  const path = await source.connect()
  const form = { module: 'Contacts', file: new File(['Id,First Name\n1,Ada'], 'people.csv') }
  const { token } = inbox.owner
  const uploaded = await call(running.url, { method: 'POST', path: `${path}/files`, token, form })
  expect(uploaded.status).toBe(201)
  expect((await source.run()).modules.Contacts).toMatchObject({ created: 1 })
  const id = `${path.split('/').at(-1)}:Contacts:1`
  const [contact] = await rows([{ source: 'file', id, jobTitle: 'Analyst' }])
  expect(contact).toMatchObject({ result: 'updated', customer: { profile: { firstName: 'Ada' } } })
})

test.each([
  ['no customers', []],
  ['101 customers', Array.from({ length: 101 }, (_, n) => ({ source: 'shop', id: `${n}`, firstName: 'A' }))],
])('%s are refused as a whole', async (_, customers) => {
  const { put } = await newTenant()
  const { status, body } = await put(customers)
  expect([status, body.details?.[0]?.field]).toEqual([422, 'customers'])
})

test('a key needs write:customers', async () => {
  const { token } = await newTenant()
  const reader = await newTenant(await createKey(running.url, token, ['read:customers']))
  expect((await reader.put([{ source: 'shop', id: '1', firstName: 'A' }])).status).toBe(403)
})
