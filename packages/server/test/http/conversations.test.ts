// Runs on both databases by day: lists and search.

import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { TenantStore } from '../../src/ports/storage.ts'
import { call, createKey, registerTenant } from '../support/call.ts'
import { useService } from '../support/use-service.ts'

const running = useService()
let token: string
let store: TenantStore
let inboxId: string
let customerId: string
let id: string

const send = async (method: string, path: string, body?: unknown) =>
  call(running.url, { method, path, token, body })
const data = async (method: string, path: string, body?: unknown) => {
  const response = await send(method, path, body)
  expect(response.body).toMatchObject({ success: true })
  return response.body.data
}
const put = (body: unknown) => data('PUT', `/api/v1/conversations/${id}`, body)
const get = () => data('GET', `/api/v1/conversations/${id}`)
const say = (body: unknown) => data('POST', `/api/v1/conversations/${id}/messages`, body)
const inbound = (content = 'Hello?') => say({ content, direction: 'inbound' })

beforeAll(async () => {
  const owner = await registerTenant(running.url)
  token = owner.token
  store = running.service.storage.forTenant(owner.tenant._id)
  inboxId = (await data('GET', '/api/v1/inboxes'))[0]._id
  customerId = (await data('POST', '/api/v1/customers', { firstName: 'Ada', lastName: 'Lovelace' }))._id
})
beforeEach(async () => {
  id = (await data('POST', '/api/v1/conversations', { subject: 'Help', inboxId, customerId }))._id
})

describe('reading', () => {
  it('shows customer and assignee in full in a GET by id, and their ids in lists', async () => {
    const { user } = (await data('GET', '/api/auth/me')) as { user: { _id: string } }
    const changed = await put({ assignedTo: user._id })
    expect(changed).toMatchObject({ customerId, assignedTo: user._id })
    expect(await get()).toMatchObject({
      customerId: { _id: customerId, tier: 'bronze' },
      assignedTo: { _id: user._id },
    })
    const listed = await data('GET', `/api/v1/conversations?assignedTo=${user._id}`)
    expect(listed).toMatchObject([{ _id: id, customerId, assignedTo: user._id }])
  })

  it('shows a credential without read:customers only the customer’s name', async () => {
    const key = await createKey(running.url, token, ['read:conversations'])
    const response = await call(running.url, { path: `/api/v1/conversations/${id}`, token: key })
    expect(response.body.data.customerId).toEqual({
      _id: customerId,
      profile: { firstName: 'Ada', lastName: 'Lovelace' },
    })
  })

  it('filters by several statuses and by missing values, and pages with cursors', async () => {
    await put({ status: 'pending' })
    const ids = async (query: string) =>
      (await data('GET', `/api/v1/conversations?${query}`)).map((one: { _id: string }) => one._id)
    expect(await ids('status=pending,snoozed')).toContain(id)
    expect(await ids('status=closed')).not.toContain(id)
    expect(await ids('assignedTo=none&limit=100')).toContain(id)
    const all = await ids('limit=100&sort=createdAt')
    const walked: string[] = []
    let cursor: string | null = ''
    while (cursor !== null) {
      const page = await send(
        'GET',
        `/api/v1/conversations?limit=1&sort=createdAt${cursor && `&cursor=${cursor}`}`,
      )
      walked.push(...page.body.data.map((one: { _id: string }) => one._id))
      cursor = page.body.pagination.nextCursor
    }
    expect(walked).toEqual(all)
  })

  it.each([
    'page=0',
    'limit=101',
    'limit=x',
    'sort=name',
    'cursor=made-up',
    'status=new',
    'updatedSince=yesterday',
  ])('refuses %s, naming the parameter', async (query) => {
    const response = await send('GET', `/api/v1/conversations?${query}`)
    expect(response.status).toBe(422)
    expect(response.body.details[0]).toMatchObject({ field: query.split('=')[0], in: 'query' })
  })
})

describe('states', () => {
  it('allows a move from any status to any other, and records when the conversation was closed', async () => {
    expect(await put({ status: 'closed' })).toMatchObject({ status: 'closed', closedAt: expect.any(String) })
    expect(await put({ status: 'pending' })).toMatchObject({ status: 'pending', closedAt: null })
    expect(await put({ status: 'open' })).toMatchObject({ status: 'open' })
  })

  it('changes nothing for an empty PUT or for the current values', async () => {
    const before = await put({})
    expect(await put({ status: 'open', priority: 'medium', subject: ' Help ' })).toEqual(before)
  })

  it('accepts a snooze only with its status and in the future, and clears it with any other status [state.snoozed]', async () => {
    for (const [body, rule] of [
      [{ snoozedUntil: '2999-01-01T00:00:00Z' }, 'status'],
      [{ status: 'snoozed', snoozedUntil: '2020-01-01T00:00:00Z' }, 'future'],
    ] as const) {
      const response = await send('PUT', `/api/v1/conversations/${id}`, body)
      expect(response.body.details).toMatchObject([{ field: 'snoozedUntil', rule }])
    }
    const snoozed = await put({
      status: 'snoozed',
      snoozedUntil: '2999-01-01T01:00:00+01:00',
      wakeOnReply: false,
    })
    expect(snoozed).toMatchObject({ snoozedUntil: '2999-01-01T00:00:00.000Z', wakeOnReply: false })
    expect(await put({ status: 'open' })).toMatchObject({ snoozedUntil: null, wakeOnReply: true })
  })

  it('opens a due snooze by itself, soon [state.snoozed]', async () => {
    await put({ status: 'snoozed', snoozedUntil: '2999-01-01T00:00:00.000Z' })
    const { version: expectVersion = 0 } = (await store.conversations.find(id)) ?? {}
    const until = Date.now()
    const set = { snoozedUntil: new Date(until).toISOString() }
    const write = { op: 'update', kind: 'conversations', id, expectVersion, set } as const
    await store.commit({ writes: [write], events: [] })
    let conversation = await get()
    while (conversation.status === 'snoozed') conversation = await get()
    expect(conversation).toMatchObject({ status: 'open', snoozedUntil: null })
    // Two seconds on a calm machine.
    expect(Date.now() - until).toBeLessThan(20_000)
  })

  it.each(['closed', 'pending', 'snoozed'])(
    'opens a %s conversation on an inbound message [state.snoozed]',
    async (status) => {
      await put({ status })
      await inbound()
      expect(await get()).toMatchObject({ status: 'open', messageCount: 1, closedAt: null })
    },
  )

  it('keeps a snooze that does not wake on replies', async () => {
    await put({ status: 'snoozed', wakeOnReply: false })
    await inbound()
    expect(await get()).toMatchObject({ status: 'snoozed', messageCount: 1 })
  })

  it('opens on inbound messages and counts every one, also many at once with a PUT between them', async () => {
    await put({ status: 'closed' })
    await Promise.all([...Array.from({ length: 25 }, (_, i) => inbound(`${i}`)), put({ priority: 'urgent' })])
    expect(await get()).toMatchObject({ status: 'open', messageCount: 25, priority: 'urgent' })
  })
})

describe('messages', () => {
  it('counts replies and inbound messages but no notes, and keeps the first response', async () => {
    await inbound()
    await say({ content: 'For us only', type: 'note' })
    const reply = await say({ content: 'Hi.\r\nHow can we help?  \n' })
    expect(reply).toMatchObject({
      content: 'Hi.\nHow can we help?',
      status: 'sent',
      sender: { type: 'user', name: 'Olive Owner' },
    })
    expect(await get()).toMatchObject({
      messageCount: 2,
      lastMessageAt: reply.createdAt,
      firstResponseAt: reply.createdAt,
    })
    const list = await data('GET', `/api/v1/conversations/${id}/messages`)
    expect(list.map((one: { direction: string }) => one.direction)).toEqual([
      'inbound',
      'internal',
      'outbound',
    ])
    expect(list[0].sender).toEqual({ type: 'customer', _id: customerId, name: 'Ada Lovelace' })
  })

  it('refuses a note whose sender is the customer, also as the first message', async () => {
    const note = { content: 'From outside', type: 'note', direction: 'inbound' }
    const later = await send('POST', `/api/v1/conversations/${id}/messages`, note)
    const first = await send('POST', '/api/v1/conversations', { subject: 'New', inboxId, message: note })
    expect([later.status, later.body.details]).toMatchObject([422, [{ field: 'direction', rule: 'note' }]])
    expect([first.status, first.body.details]).toMatchObject([422, [{ field: 'message.direction' }]])
  })

  it('returns the first message for a repeated clientMessageId, also for many at once', async () => {
    const path = `/api/v1/conversations/${id}/messages`
    const responses = await Promise.all(
      Array.from({ length: 10 }, () => send('POST', path, { content: 'Once', clientMessageId: 'm-1' })),
    )
    expect(new Set(responses.map(({ body }) => body.data._id)).size).toBe(1)
    expect(responses.filter(({ status }) => status === 201)).toHaveLength(1)
    expect(await get()).toMatchObject({ messageCount: 1 })
  })

  it('moves the status of a message only forwards', async () => {
    const { _id } = await say({ content: 'Hi' })
    expect(await data('PUT', `/api/v1/messages/${_id}`, { status: 'read' })).toMatchObject({ status: 'read' })
    const back = await send('PUT', `/api/v1/messages/${_id}`, { status: 'delivered' })
    expect([back.status, back.body.code, back.body.details]).toEqual([
      409,
      'INVALID_STATE',
      { status: 'read', allowed: [] },
    ])
  })

  it('emits message.updated with the change when a program reports a status, and nothing when it is the same', async () => {
    const { _id } = await say({ content: 'Delivered elsewhere' })
    await data('PUT', `/api/v1/messages/${_id}`, { status: 'delivered' })
    await data('PUT', `/api/v1/messages/${_id}`, { status: 'delivered' })
    await data('PUT', `/api/v1/messages/${_id}`, { status: 'read' })
    // On MongoDB events get their positions after their commit.
    const own = async () => {
      const list = await data('GET', '/api/v1/events?types=message.updated')
      return list.filter((event: { data: { _id: string } }) => event.data._id === _id)
    }
    await expect.poll(own).toHaveLength(2)
    const events = await own()
    expect(events.map(({ changes }: { changes: object }) => changes)).toEqual([
      { status: { from: 'sent', to: 'delivered' } },
      { status: { from: 'delivered', to: 'read' } },
    ])
    expect(events[0].data).toMatchObject({ status: 'delivered', conversation: { _id: id } })
  })

  it('removes scripts from HTML, and refuses HTML of which nothing remains', async () => {
    const content = '<p onclick="x()">Hi <a href="javascript:x()">you</a><script>x()</script></p>'
    expect((await say({ content, contentType: 'html' })).content).toBe('<p>Hi <a>you</a></p>')
    const empty = await send('POST', `/api/v1/conversations/${id}/messages`, {
      content: '<script>x()</script>',
      contentType: 'html',
    })
    expect(empty.body.details).toMatchObject([{ field: 'content', rule: 'html' }])
  })

  it('starts a conversation with its first message', async () => {
    const body = { subject: 'New', inboxId, customerId, message: { content: 'Hello', direction: 'inbound' } }
    const made = await data('POST', '/api/v1/conversations', body)
    expect(made).toMatchObject({ status: 'open', source: 'api', messageCount: 1 })
    expect(await data('GET', `/api/v1/conversations/${made._id}/messages`)).toMatchObject([
      { content: 'Hello' },
    ])
  })
})

describe('labels', () => {
  it('merges and removes labels without regard to case, and limits them [conversation.fields]', async () => {
    const path = `/api/v1/conversations/${id}/labels`
    expect((await data('POST', path, { labels: ['Billing', 'billing', ' urgent '] })).labels).toEqual([
      'Billing',
      'urgent',
    ])
    expect((await data('POST', path, { labels: ['BILLING'] })).labels).toEqual(['Billing', 'urgent'])
    expect((await data('DELETE', path, { labels: ['bILLing', 'unknown'] })).labels).toEqual(['urgent'])
    expect(await data('GET', '/api/v1/conversations?label=URGENT')).toMatchObject([{ _id: id }])
    const many = await send('POST', path, { labels: Array.from({ length: 50 }, (_, i) => `l${i}`) })
    expect(many.body.details).toMatchObject([{ field: 'labels', rule: 'max' }])
  })
})

describe('deletion', () => {
  it('hides a deleted customer with its conversations and messages from every read [customers.delete]', async () => {
    const message = await inbound()
    const response = await send('DELETE', `/api/v1/customers/${customerId}`)
    expect(response.body).toEqual({ success: true, message: 'Customer deleted' })
    for (const path of [
      `customers/${customerId}`,
      `conversations/${id}`,
      `messages/${message._id}`,
      `conversations/${id}/messages`,
    ]) {
      expect((await send('GET', `/api/v1/${path}`)).status).toBe(404)
    }
    expect(await data('GET', `/api/v1/conversations?customerId=${customerId}`)).toEqual([])
    const late = await send('POST', '/api/v1/conversations', { subject: 'Late', inboxId, customerId })
    expect(late.body.details).toMatchObject([{ field: 'customerId', rule: 'reference' }])
  })
})
