// Runs on both databases by day: a search in bounded time.

import { beforeAll, describe, expect, it } from 'vitest'
import type { TenantId } from '../../src/storage/records.ts'
import { addColleague } from '../support/add-colleague.ts'
import { call, createKey, registerTenant } from '../support/call.ts'
import { useService } from '../support/use-service.ts'

const running = useService()
let token: string
let tenantId: TenantId
let inboxId: string
let ada: string
let grace: string
let refund: string
let parcel: string
let shut: string

const send = (method: string, path: string, body?: unknown, by = token) =>
  call(running.url, { method, path, token: by, body })
const data = async (method: string, path: string, body?: unknown, by = token) => {
  const response = await send(method, path, body, by)
  expect(response.body).toMatchObject({ success: true })
  return response.body.data
}
/** Asks again while a busy machine had no time for all of it. */
async function ask(q: string, more = '', by = token) {
  for (;;) {
    const response = await send('GET', `/api/v1/search?q=${encodeURIComponent(q)}${more}`, undefined, by)
    if (!Object.values(response.body.data?.isPartial ?? {}).includes(true)) return response
  }
}
const search = async (q: string, more = '', by = token) => (await ask(q, more, by)).body.data

interface Hits {
  customers: { customer: { _id: string } }[] | null
  conversations: { conversation: { _id: string } }[] | null
  messages: { conversationId: string }[] | null
}
const idsOf = ({ customers, conversations, messages }: Hits) => ({
  customers: customers?.map((row) => row.customer._id) ?? null,
  conversations: conversations?.map((row) => row.conversation._id) ?? null,
  messages: messages?.map((row) => row.conversationId) ?? null,
})
const find = async (q: string, more = '', by = token) => idsOf(await search(q, more, by))
const conversationsOf = async (q: string, by = token) => (await find(q, '', by)).conversations

beforeAll(async () => {
  const tenant = await registerTenant(running.url)
  token = tenant.token
  tenantId = tenant.tenant._id
  inboxId = (await data('GET', '/api/v1/inboxes'))[0]._id
  const customer = async (body: object) => (await data('POST', '/api/v1/customers', body))._id
  ada = await customer({
    firstName: 'Ada',
    lastName: 'Lovelace',
    email: 'countess@engines.example',
    phone: '+44 20 7946 0958',
    company: 'Difference Works',
  })
  grace = await customer({ firstName: 'Grace', lastName: 'Hopper', email: 'grace@navy.example' })
  const conversation = async (body: object) =>
    (await data('POST', '/api/v1/conversations', { inboxId, ...body }))._id
  refund = await conversation({
    subject: 'Refund for the loom',
    customerId: ada,
    labels: ['Big deal'],
    message: { content: 'Where is my parcel with the brass gears?', direction: 'inbound' },
  })
  parcel = await conversation({
    subject: 'Parcel is late',
    customerId: grace,
    message: { content: 'A moth sat in the relay.', direction: 'inbound' },
  })
  shut = await conversation({ subject: 'Moth again', customerId: grace, labels: ['bugs'] })
  await data('POST', `/api/v1/conversations/${shut}/messages`, {
    content: 'Only we see the moth',
    type: 'note',
  })
  await data('PUT', `/api/v1/conversations/${shut}`, { status: 'closed' })
})

describe('GET /api/v1/search', () => {
  it('finds people, conversations of every status, and messages, notes among them', async () => {
    expect(await find('moth')).toEqual({ customers: [], conversations: [shut], messages: [shut, parcel] })
    const { messages } = await search('moth')
    expect(messages[0]).toMatchObject({
      subject: 'Moth again',
      type: 'note',
      direction: 'internal',
      customer: { _id: grace, profile: { firstName: 'Grace' } },
    })
  })

  it('finds a customer by name, e-mail, phone and company, says which, and the conversations of the name', async () => {
    const matched = async (q: string) =>
      (await search(q)).customers.map((row: { customer: { _id: string }; matched: string }) => [
        row.customer._id,
        row.matched,
      ])
    expect(await matched('lovelace')).toEqual([[ada, 'name']])
    expect(await matched('countess@engines')).toEqual([[ada, 'email']])
    expect(await matched('020 7946 0958')).toEqual([])
    expect(await matched('7946-0958')).toEqual([[ada, 'phone']])
    expect(await matched('difference')).toEqual([[ada, 'company']])
    const { conversations } = await search('lovelace')
    expect(conversations).toMatchObject([{ conversation: { _id: refund, unread: {} }, matched: 'customer' }])
    expect(await conversationsOf('difference')).toEqual([])
    expect((await search('refund')).conversations).toMatchObject([{ matched: 'subject' }])
  })

  it('shows each hit in its text, as ranges of the snippet', async () => {
    const { messages } = await search('brass parcel')
    const [{ snippet, ranges }] = messages
    expect(snippet).toBe('Where is my parcel with the brass gears?')
    const hits = ranges.map(([start, end]: [number, number]) => snippet.slice(start, end))
    expect(hits).toEqual(['parcel', 'brass'])
  })

  it('has only the groups that are asked for, and no more rows than are asked for', async () => {
    expect(await find('moth', '&types=messages&limit=1')).toEqual({
      customers: null,
      conversations: null,
      messages: [shut],
    })
    expect((await search('moth', '&limit=1')).isPartial).toEqual({
      customers: false,
      conversations: false,
      messages: false,
    })
  })

  it('refuses blanks, long texts, unknown groups and limits', async () => {
    for (const query of ['', 'q=', 'q=%20%20', `q=${'x'.repeat(201)}`, 'q=a&types=mails', 'q=a&limit=21']) {
      const { status, body } = await send('GET', `/api/v1/search?${query}`)
      expect([query, status, body.code]).toEqual([query, 422, 'VALIDATION_ERROR'])
    }
  })

  describe('to a key without read:customers', () => {
    let key: string
    beforeAll(async () => {
      key = await createKey(running.url, token, ['read:conversations'])
    })

    it('finds no customers, and refuses them by name', async () => {
      expect(await find('lovelace', '', key)).toEqual({
        customers: null,
        conversations: [refund],
        messages: [],
      })
      const { status, body } = await ask('lovelace', '&types=customers', key)
      expect([status, body.code]).toEqual([403, 'PERMISSION_DENIED'])
    })

    it('says nothing about e-mails, phones and companies', async () => {
      for (const q of [
        'countess',
        'engines.example',
        '7946',
        '442079460958',
        'difference',
        'from:countess',
        'from:engines',
      ]) {
        expect([q, await conversationsOf(q, key)]).toEqual([q, []])
      }
      expect(await conversationsOf('from:lovelace', key)).toEqual([refund])
      const [hit] = (await search('gears', '', key)).messages
      expect(hit.customer).toEqual({ _id: ada, profile: { firstName: 'Ada', lastName: 'Lovelace' } })
    })

    it('has nothing unread, and is nobody to be assigned', async () => {
      expect(await conversationsOf('is:unread', key)).toEqual([])
      expect(await conversationsOf('assigned:me', key)).toEqual([])
    })
  })

  describe('operators', () => {
    it('narrow words, and alone they list the latest conversations', async () => {
      expect((await find('moth from:grace')).messages).toEqual([shut, parcel])
      expect((await find('moth from:ada')).messages).toEqual([])
      expect(await conversationsOf('from:navy.example')).toEqual([shut, parcel])
      expect((await search('from:hopper')).conversations).toMatchObject([
        { matched: null },
        { matched: null },
      ])
      expect((await find('from:hopper')).customers).toEqual([grace])
      expect((await find('from:hopper is:open')).customers).toEqual([])
    })

    it('know states, labels, inboxes and people', async () => {
      const colleague = await addColleague(running, { tenantId, role: 'agent' })
      await data('PUT', `/api/v1/conversations/${parcel}`, { assignedTo: colleague.userId })
      expect(await conversationsOf('is:closed')).toEqual([shut])
      expect(await conversationsOf('is:closed is:open from:grace')).toEqual([shut, parcel])
      expect(await conversationsOf('label:"BIG DEAL"')).toEqual([refund])
      expect(await conversationsOf('label:"big deal" label:bugs')).toEqual([shut, refund])
      expect(await conversationsOf(`in:${inboxId} is:closed`)).toEqual([shut])
      expect(await conversationsOf('in:nowhere')).toEqual([])
      expect(await conversationsOf('label:nothing')).toEqual([])
      expect(await conversationsOf(`assigned:${colleague.userId}`)).toEqual([parcel])
      expect(await conversationsOf('assigned:me', colleague.token)).toEqual([parcel])
      expect(await conversationsOf('is:unassigned is:open')).toEqual([refund])
      expect(await conversationsOf('assigned:none is:open')).toEqual([refund])
      await data('POST', `/api/v1/conversations/${parcel}/messages`, {
        content: 'Late?',
        direction: 'inbound',
      })
      expect(await conversationsOf('is:unread', colleague.token)).toEqual([parcel])
      expect(await conversationsOf('is:waiting')).toEqual([parcel, refund])
      expect(await conversationsOf('is:waiting parcel')).toEqual([parcel])
      await data('POST', `/api/v1/conversations/${parcel}/messages`, { content: 'It arrives today.' })
      expect(await conversationsOf('is:waiting')).toEqual([refund])
    })

    it('know times, of the last message and of messages', async () => {
      const year = new Date().getUTCFullYear()
      expect(await conversationsOf(`before:${year}-01-01`)).toEqual([])
      expect((await find(`after:${year}-01-01 parcel`)).messages).toEqual([refund])
      expect((await find(`before:${year + 1}-01-01T00:00:00+02:00 parcel`)).messages).toEqual([refund])
      expect((await find(`before:${year}-01-01 parcel`)).messages).toEqual([])
    })

    it('find files beside words only', async () => {
      const form = { file: new File(['A moth'], 'moth.txt') }
      const upload = await call(running.url, { method: 'POST', path: '/api/v1/attachments', token, form })
      const attachments = [upload.body.data._id]
      await data('POST', `/api/v1/conversations/${refund}/messages`, {
        content: 'The gears, drawn',
        attachments,
      })
      expect(await find('gears has:file')).toEqual({ customers: [], conversations: [], messages: [refund] })
      const { status, body } = await ask('has:file is:open')
      expect([status, body.details]).toMatchObject([422, [{ field: 'q', rule: 'required', in: 'query' }]])
    })

    it('that are unknown are text', async () => {
      await data('POST', `/api/v1/conversations/${shut}/messages`, {
        content: 'is:xyz and colour:blue',
        type: 'note',
      })
      expect((await find('is:xyz')).messages).toEqual([shut])
      expect((await find('colour:blue')).messages).toEqual([shut])
      expect((await find('is:xyz before:yesterday')).messages).toEqual([])
    })
  })
})

describe('the search of GET /api/v1/conversations', () => {
  /** Asks again while a busy machine had no time for all of it. */
  async function listed(search: string, by = token): Promise<string[]> {
    const path = `/api/v1/conversations?search=${encodeURIComponent(search)}`
    for (;;) {
      const { body } = await send('GET', path, undefined, by)
      expect(body).toMatchObject({ success: true })
      if (!body.pagination.totalIsEstimate) return body.data.map(({ _id }: { _id: string }) => _id)
    }
  }

  it('finds the conversations of a customer, whose words do not mix with those of other places', async () => {
    expect(await listed('ada lovelace')).toEqual([refund])
    expect(await listed('countess@engines.example')).toEqual([refund])
    expect(await listed('7946-0958')).toEqual([refund])
    expect(await listed('lovelace refund')).toEqual([])
    expect(await listed('difference')).toEqual([])
  })

  it('says nothing about addresses to a key without read:customers', async () => {
    const key = await createKey(running.url, token, ['read:conversations'])
    expect(await listed('lovelace', key)).toEqual([refund])
    expect(await listed('countess', key)).toEqual([])
    expect(await listed('7946', key)).toEqual([])
  })
})
