import { randomUUID } from 'node:crypto'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { TenantId } from '../../src/storage/records.ts'
import { call, registerTenant, upload } from '../support/call.ts'
import { type OpenStream, openStream } from '../support/open-stream.ts'
import { useService } from '../support/use-service.ts'
import { switchWidgetOn, type Widget, WidgetVisitor } from '../support/widget-visitor.ts'

// The chat widget as a visitor's browser uses it. Paths are below /api/v1/widget/.

const running = useService()
let owner: Awaited<ReturnType<typeof registerTenant>>
let widget: Widget
const streams: OpenStream[] = []

beforeEach(async () => {
  owner = await registerTenant(running.url)
  widget = await switchWidgetOn(running.url, owner.token)
})
afterEach(() => {
  for (const stream of streams.splice(0)) stream.close()
})

async function newVisitor(profile?: object): Promise<WidgetVisitor> {
  const visitor = new WidgetVisitor(running.url)
  const response = await visitor.begin(widget.key, { profile })
  expect(response.status).toBe(201)
  return visitor
}

async function asTeam(method: string, path: string, body?: unknown) {
  const response = await call(running.url, { method, path: `/api/v1/${path}`, token: owner.token, body })
  expect(response.body).toMatchObject({ success: true })
  return response.body
}

async function follow(token: string, path = '/api/v1/widget/stream', headers = {}): Promise<OpenStream> {
  const stream = await openStream(running.url, { token, path, headers })
  streams.push(stream)
  return stream
}

const messages = (id: string) => `conversations/${id}/messages`
const chat = (id: string) => `/api/v1/widget/conversations/${id}/messages`
const listOf = async (visitor: WidgetVisitor) =>
  (await visitor.send('GET', '/api/v1/widget/conversations')).body.data

describe('GET /api/v1/widget/config', () => {
  const path = () => `/api/v1/widget/config?key=${widget.key}`

  it('shows colour, greeting, presence and rules and nothing else, and caches keep it for a minute', async () => {
    await widget.set({ color: '#3457d5', greeting: 'Hello' })
    await asTeam('PUT', 'users/me', { availability: 'away' })
    const first = await call(running.url, { path: path() })
    expect(first.body.data).toEqual({
      color: '#3457d5',
      greeting: 'Hello',
      online: false,
      identityRequired: false,
      team: null,
      replyTime: null,
      texts: {},
      askEmail: false,
    })
    expect(first.headers.get('cache-control')).toBe('public, max-age=60')
    const etag = first.headers.get('etag') ?? ''
    expect(etag).toMatch(/^"[\w-]+"$/)
    const again = await call(running.url, { path: path(), headers: { 'if-none-match': etag } })
    expect([again.status, again.body]).toEqual([304, undefined])
    await asTeam('PUT', 'users/me', { availability: 'online' })
    const online = await call(running.url, { path: path(), headers: { 'if-none-match': etag } })
    expect([online.status, online.body.data.online]).toEqual([200, true])
  })

  it('refuses a missing key, an unknown one, and a widget that is switched off', async () => {
    const none = await call(running.url, { path: '/api/v1/widget/config' })
    expect([none.status, none.body.details[0].field]).toEqual([422, 'key'])
    const unknown = await call(running.url, { path: '/api/v1/widget/config?key=wpk_unknown' })
    expect(unknown.status).toBe(404)
    await widget.set({ enabled: false })
    const off = await call(running.url, { path: path() })
    expect([off.status, off.body.code]).toEqual([403, 'PERMISSION_DENIED'])
  })
})

describe('a conversation', () => {
  it('is begun by the first message, which makes the customer, in one commit and in the order of the events [widget]', async () => {
    const visitor = await newVisitor({ firstName: 'Vera', email: 'vera@example.com' })
    expect((await asTeam('GET', 'customers')).data).toEqual([])
    const begun = await visitor.ask('Where is my order?\nIt is number 4711.')
    expect(begun).toMatchObject({
      subject: 'Where is my order?',
      status: 'open',
      agent: null,
      unreadCount: 0,
    })
    expect(begun.message).toMatchObject({
      direction: 'inbound',
      content: 'Where is my order?\nIt is number 4711.',
    })
    const log = await eventsOfTeam(3)
    expect(log.map(({ event }) => event)).toEqual([
      'customer.created',
      'conversation.created',
      'message.received',
    ])
    const shown = (await asTeam('GET', `conversations/${begun._id}`)).data
    expect(shown).toMatchObject({ channel: 'chat', source: 'widget', messageCount: 1, page: null })
    expect(shown.customerId.profile).toMatchObject({ firstName: 'Vera', email: 'vera@example.com' })
    expect(JSON.stringify([shown, log])).not.toContain('visitorId')
  })

  it('shows the page without its query, and the name Visitor for someone without one', async () => {
    const visitor = new WidgetVisitor(running.url)
    const page = 'https://shop.example.com/pricing?token=secret#top'
    expect((await visitor.begin(widget.key, { page })).body.data).toMatchObject({
      verified: false,
      customer: { _id: null, firstName: null },
    })
    const begun = await visitor.ask('Hello')
    const shown = (await asTeam('GET', `conversations/${begun._id}`)).data
    expect(shown.page).toBe('https://shop.example.com/pricing')
    expect(shown.customerId.profile.firstName).toBe('Visitor')
  })

  it('holds no id of the tenant, its users or its customers, and no note', async () => {
    const visitor = await newVisitor()
    const begun = await visitor.ask('Hello')
    await asTeam('PUT', 'users/me', { firstName: 'Olive', lastName: 'Ownersson' })
    await asTeam('PUT', `conversations/${begun._id}`, { assignedTo: owner.user._id, labels: ['vip'] })
    await asTeam('POST', messages(begun._id), { content: 'A secret note', type: 'note' })
    const html = '<p>Your <b>order</b> &amp; more</p><p>Line two</p>'
    await asTeam('POST', messages(begun._id), { content: html, contentType: 'html' })
    const list = await visitor.send('GET', chat(begun._id))
    expect(list.body.data.map(({ content }: { content: string }) => content)).toEqual([
      'Hello',
      'Your order & more\n\nLine two',
    ])
    expect(list.body.data[1]).toMatchObject({ sender: { type: 'user', name: 'Olive' }, contentType: 'text' })
    expect(list.body.pagination).toMatchObject({ total: 2, nextCursor: null })
    const conversations = await visitor.send('GET', '/api/v1/widget/conversations')
    expect(conversations.body.data).toMatchObject([{ agent: { name: 'Olive' }, unreadCount: 1 }])
    const text = JSON.stringify([list.body, conversations.body])
    for (const hidden of ['secret', 'usr_', 'cus_', 'ten_', 'inb_', 'Ownersson', 'vip', 'vis_'])
      expect(text).not.toContain(hidden)
  })

  it('is paged past notes without a gap, in both orders', async () => {
    const visitor = await newVisitor()
    const { _id } = await visitor.ask('1')
    for (const content of ['2', '3', '4', '5']) {
      await asTeam('POST', messages(_id), { content: `note ${content}`, type: 'note' })
      await asTeam('POST', messages(_id), { content })
    }
    for (const order of ['asc', 'desc'] as const) {
      const read: string[] = []
      let cursor = ''
      do {
        const query = `${chat(_id)}?limit=2&order=${order}${cursor && `&cursor=${cursor}`}`
        const { body } = await visitor.send('GET', query)
        read.push(...body.data.map(({ content }: { content: string }) => content))
        cursor = body.pagination.nextCursor ?? ''
      } while (cursor !== '')
      expect(read).toEqual(order === 'asc' ? ['1', '2', '3', '4', '5'] : ['5', '4', '3', '2', '1'])
    }
    const second = await visitor.send('GET', `${chat(_id)}?limit=2&page=2`)
    expect(second.body.data.map(({ content }: { content: string }) => content)).toEqual(['3', '4'])
  })

  it('is read, rated and reopened by its visitor, with one event for each change', async () => {
    const visitor = await newVisitor()
    const { _id } = await visitor.ask('Hello')
    await asTeam('POST', messages(_id), { content: 'Answer' })
    expect((await listOf(visitor))[0].unreadCount).toBe(1)
    const read = await visitor.send('POST', `/api/v1/widget/conversations/${_id}/read`)
    expect(read.body.data).toMatchObject({ unreadCount: 0, readAt: { customer: expect.any(String) } })
    const again = await visitor.send('POST', `/api/v1/widget/conversations/${_id}/read`)
    expect(again.body.data.readAt).toEqual(read.body.data.readAt)
    const body = { rating: 5, comment: 'Quick' }
    const rated = await visitor.send('POST', `/api/v1/widget/conversations/${_id}/rating`, body)
    expect(rated.body.data.rating).toMatchObject({ score: 5, comment: 'Quick' })
    await asTeam('PUT', `conversations/${_id}`, { status: 'closed' })
    const sent = { content: 'One more thing', clientMessageId: 'more' }
    expect((await visitor.send('POST', chat(_id), sent)).status).toBe(201)
    expect((await listOf(visitor))[0].status).toBe('open')
    const log = await eventsOfTeam(10)
    expect(log.map(({ event }) => event)).toEqual([
      'customer.created',
      'conversation.created',
      'message.received',
      'message.sent',
      'conversation.updated',
      'conversation.updated',
      'conversation.updated',
      'conversation.closed',
      'message.received',
      'conversation.updated',
    ])
  })
})

/** The events about customers, conversations and messages, once there are so many. */
async function eventsOfTeam(count: number): Promise<{ event: string }[]> {
  for (;;) {
    const { data } = await asTeam('GET', 'events?after=earliest&limit=100')
    const found = data.filter(({ event }: { event: string }) => !event.startsWith('user.'))
    if (found.length >= count) return found
  }
}

describe('a repeated request', () => {
  it('finds its first message: one after the other, at once, and in the conversation itself [widget]', async () => {
    const visitor = await newVisitor()
    const body = { message: 'Hello', clientMessageId: randomUUID() }
    const all = await Promise.all(
      Array.from({ length: 8 }, () => visitor.send('POST', '/api/v1/widget/conversations', body)),
    )
    expect(all.map(({ status }) => status).sort()).toEqual([200, 200, 200, 200, 200, 200, 200, 201])
    const [begun] = all.map((response) => response.body.data)
    expect(new Set(all.map((response) => response.body.data._id)).size).toBe(1)
    const { clientMessageId } = body
    const inside = await visitor.send('POST', chat(begun._id), { content: 'Hello', clientMessageId })
    expect([inside.status, inside.body.data._id]).toEqual([200, begun.message._id])
    const other = { content: 'Twice', clientMessageId: randomUUID() }
    const twice = await Promise.all(
      Array.from({ length: 5 }, () => visitor.send('POST', chat(begun._id), other)),
    )
    expect(twice.map(({ status }) => status).sort()).toEqual([200, 200, 200, 200, 201])
    expect((await visitor.send('GET', chat(begun._id))).body.pagination.total).toBe(2)
    expect((await asTeam('GET', 'customers')).pagination.total).toBe(1)
  })
})

describe('a visitor who writes no words', () => {
  it('sends files alone, which begin a conversation by the name of the first, and continue it', async () => {
    const visitor = await newVisitor()
    const uploaded = async () => {
      const form = { file: new File(['A photo'], 'photo.txt') }
      return (await visitor.send('POST', '/api/v1/widget/attachments', undefined, { form })).body.data._id
    }
    const first = { clientMessageId: 'a', attachments: [await uploaded()] }
    const begun = await visitor.send('POST', '/api/v1/widget/conversations', first)
    expect([begun.status, begun.body.data]).toMatchObject([
      201,
      { subject: 'photo.txt', message: { content: '', attachments: [{ filename: 'photo.txt' }] } },
    ])
    const { _id } = begun.body.data
    const second = { content: ' ', clientMessageId: 'b', attachments: [await uploaded()] }
    expect((await visitor.send('POST', chat(_id), second)).body.data).toMatchObject({ content: '' })
    const { lastMessage } = (await asTeam('GET', `conversations/${_id}`)).data
    expect(lastMessage).toMatchObject({ preview: null, files: 1 })
  })

  it.each([[{}], [{ attachments: [] }]])('and sends no file is refused: %j', async (files) => {
    const visitor = await newVisitor()
    const { _id } = await visitor.ask('Hello')
    const problemsOf = async (path: string, body: object) =>
      (await visitor.send('POST', path, { ...body, ...files, clientMessageId: 'x' })).body.details
    expect(await problemsOf('/api/v1/widget/conversations', {})).toMatchObject([
      { field: 'message', rule: 'required' },
    ])
    expect(await problemsOf(chat(_id), {})).toMatchObject([{ field: 'content', rule: 'required' }])
    expect(await problemsOf(chat(_id), { content: ' ' })).toMatchObject([{ field: 'content', rule: 'min' }])
  })
})

describe('two visitors', () => {
  it('cannot see, read, rate or write to the conversations and files of each other [widget]', async () => {
    const [ann, bob] = [await newVisitor(), await newVisitor()]
    const file = new File(['A photo'], 'photo.txt')
    const uploaded = await ann.send('POST', '/api/v1/widget/attachments', undefined, { form: { file } })
    expect(uploaded.body.data.url).toBe(`/api/v1/widget/attachments/${uploaded.body.data._id}`)
    const first = { message: 'Mine', clientMessageId: 'a', attachments: [uploaded.body.data._id] }
    const stolen = await bob.send('POST', '/api/v1/widget/conversations', first)
    expect([stolen.status, stolen.body.details[0].rule]).toEqual([422, 'reference'])
    const begun = (await ann.send('POST', '/api/v1/widget/conversations', first)).body.data
    const attachment = `/api/v1/widget/attachments/${uploaded.body.data._id}`
    expect((await ann.send('GET', attachment)).body).toBe('A photo')
    await bob.ask('Other')
    const { requestId: _, ...unknown } = (await bob.send('GET', chat('con_unknown'))).body
    for (const [method, path, body] of [
      ['GET', chat(begun._id), undefined],
      ['POST', chat(begun._id), { content: 'x', clientMessageId: 'x' }],
      ['POST', `/api/v1/widget/conversations/${begun._id}/read`, undefined],
      ['POST', `/api/v1/widget/conversations/${begun._id}/typing`, { isTyping: true }],
      ['POST', `/api/v1/widget/conversations/${begun._id}/rating`, { rating: 1 }],
      ['GET', attachment, undefined],
    ] as const) {
      const response = await bob.send(method, path, body)
      const { requestId: _id, ...shown } = response.body
      expect([path, response.status, shown]).toEqual([path, 404, unknown])
    }
    expect(await listOf(bob)).toHaveLength(1)
  })

  it('see no file of a note and no upload of the team, and the team cannot take theirs', async () => {
    const visitor = await newVisitor()
    const { _id } = await visitor.ask('Hello')
    const file = () => new File(['Internal'], 'internal.txt')
    const own = await upload(running.url, { token: owner.token, file: file() })
    const noted = { content: 'See file', type: 'note', attachments: [own._id] }
    await asTeam('POST', messages(_id), noted)
    expect((await visitor.send('GET', `/api/v1/widget/attachments/${own._id}`)).status).toBe(404)
    const replied = await upload(running.url, { token: owner.token, file: file() })
    await asTeam('POST', messages(_id), { content: 'Your file', attachments: [replied._id] })
    expect((await visitor.send('GET', `/api/v1/widget/attachments/${replied._id}`)).body).toBe('Internal')
    const theirs = await visitor.send('POST', '/api/v1/widget/attachments', undefined, {
      form: { file: file() },
    })
    const taken = { content: 'x', attachments: [theirs.body.data._id] }
    const path = `/api/v1/${messages(_id)}`
    const refused = await call(running.url, { method: 'POST', path, token: owner.token, body: taken })
    expect(refused.status).toBe(422)
  })
})

describe('a visitor whose conversation the team gave to another customer', () => {
  it('writes on as that customer, and learns nothing about them', async () => {
    const visitor = await newVisitor({ firstName: 'Ann' })
    const { _id } = await visitor.ask('Hello')
    const known = { firstName: 'Grace', lastName: 'Hopper', email: 'grace@people.example' }
    const grace = (await asTeam('POST', 'customers', known)).data._id
    await asTeam('PUT', `conversations/${_id}`, { customerId: grace })
    const stream = await follow(visitor.token ?? '')
    const sent = await visitor.send('POST', chat(_id), { content: 'It is me', clientMessageId: 'b' })
    await asTeam('POST', messages(_id), { content: 'By phone', direction: 'inbound' })
    await stream.waitFor(2)
    const seen = [
      sent.body,
      stream.text(),
      (await visitor.send('GET', chat(_id))).body,
      await listOf(visitor),
    ]
    expect(JSON.stringify(seen)).not.toMatch(/grace|hopper/i)
    const { data } = await asTeam('GET', messages(_id))
    expect(data.map((message: { sender: { _id: string } }) => message.sender._id).slice(1)).toEqual([
      grace,
      grace,
    ])
  })
})

describe('a visitor whose conversation the team took from its customer', () => {
  it('writes on as the own customer, whose last contact it is, and with whom the words are erased', async () => {
    const visitor = await newVisitor({ firstName: 'Ann' })
    const { _id } = await visitor.ask('Hello')
    const ann = (await asTeam('GET', `conversations/${_id}`)).data.customerId._id
    await asTeam('PUT', `conversations/${_id}`, { customerId: null })
    await asTeam('POST', messages(_id), { content: 'Who are you?' })
    // It is written once an hour.
    const set = { lastContactAt: '2026-01-01T00:00:00.000Z' }
    const store = running.service.storage.forTenant(owner.tenant._id as TenantId)
    await store.commit({ writes: [{ op: 'patch', kind: 'customers', id: ann, set }], events: [] })
    const sent = await visitor.send('POST', chat(_id), { content: 'Guess', clientMessageId: 'g' })
    expect(sent.status).toBe(201)
    const [, , newest] = (await asTeam('GET', messages(_id))).data
    expect(newest).toMatchObject({ content: 'Guess', sender: { type: 'customer', _id: ann, name: 'Ann' } })
    expect((await asTeam('GET', `customers/${ann}`)).data.lastContactAt).toBe(newest.createdAt)
    await asTeam('POST', `customers/${ann}/block`, {})
    const refused = await visitor.send('POST', chat(_id), { content: 'Again', clientMessageId: 'h' })
    expect(refused.status).toBe(409)
    await asTeam('DELETE', `customers/${ann}`)
    const left = (await asTeam('GET', messages(_id))).data
    expect(left.map(({ content }: { content: string }) => content)).toEqual(['Who are you?'])
  })
})

describe('the stream', () => {
  it('brings the replies of the team and the own messages of other tabs, and nothing of another visitor', async () => {
    const [ann, bob] = [await newVisitor(), await newVisitor()]
    const { _id } = await ann.ask('Hello')
    const other = await bob.ask('Hello')
    const stream = await follow(ann.token ?? '')
    await asTeam('POST', messages(other._id), { content: 'For Bob' })
    await asTeam('POST', messages(_id), { content: 'A note', type: 'note' })
    await asTeam('POST', messages(_id), { content: 'For Ann' })
    await ann.send('POST', chat(_id), { content: 'Thanks', clientMessageId: 't' })
    await asTeam('PUT', `conversations/${_id}`, { status: 'closed' })
    const arrived = await stream.waitFor(3)
    expect(stream.text()).toMatch(/^retry: 1000\nid: \S+\n\n/)
    const bodies = arrived.map(({ data }) => JSON.parse(data))
    expect(bodies.map(({ event, data }) => [event, data.content ?? data.status])).toEqual([
      ['message.sent', 'For Ann'],
      ['message.received', 'Thanks'],
      ['conversation.updated', 'closed'],
    ])
    expect(Object.keys(bodies[0])).toEqual(['id', 'event', 'timestamp', 'data'])
    expect(stream.text()).not.toMatch(/cus_|usr_|ten_|inb_|vis_|Bob/)
  })

  it('continues after a cut without a gap and without a repetition, by its own ids and by long poll [widget]', async () => {
    const visitor = await newVisitor()
    const { _id } = await visitor.ask('Hello')
    // On MongoDB an event gets its position a moment after its commit.
    await eventsOfTeam(3)
    const now = await visitor.send('GET', '/api/v1/widget/events')
    expect(now.body.data).toEqual([])
    for (const content of ['1', '2', '3']) await asTeam('POST', messages(_id), { content })
    const { nextCursor } = now.body.pagination
    const resumed = await follow(visitor.token ?? '', undefined, { 'last-event-id': nextCursor })
    const read = await resumed.waitFor(3)
    expect(read.map(({ data }) => JSON.parse(data).data.content)).toEqual(['1', '2', '3'])
    const polled = await visitor.send('GET', `/api/v1/widget/events?after=${read[0]?.id}&wait=25`)
    expect(polled.body.data.map(({ data }: { data: { content: string } }) => data.content)).toEqual([
      '2',
      '3',
    ])
    const end = polled.body.pagination.nextCursor
    const waiting = visitor.send('GET', `/api/v1/widget/events?after=${end}&wait=25`)
    await asTeam('POST', messages(_id), { content: '4' })
    expect((await waiting).body.data).toMatchObject([{ event: 'message.sent', data: { content: '4' } }])
    const invalid = await visitor.send('GET', '/api/v1/widget/events?after=made-up')
    expect([invalid.status, invalid.body.details[0].field]).toEqual([422, 'after'])
  })

  it('shows the team that the visitor types, without an id and without an event', async () => {
    const visitor = await newVisitor()
    const { _id } = await visitor.ask('Hello')
    const team = await follow(owner.token, '/api/v1/events/stream')
    const chosen = await openStream(running.url, { token: owner.token, query: 'types=message.received' })
    streams.push(chosen)
    await visitor.send('POST', `/api/v1/widget/conversations/${_id}/typing`, { isTyping: true })
    await visitor.send('POST', chat(_id), { content: 'Done', clientMessageId: 'd' })
    const typing = { id: '', event: 'typing', data: JSON.stringify({ conversationId: _id, isTyping: true }) }
    await expect.poll(() => team.text()).toContain('Done')
    expect(await team.waitFor(1)).toContainEqual(typing)
    await expect.poll(() => chosen.text()).toContain('Done')
    expect(chosen.text()).not.toContain('typing')
  })

  it('is limited to five at a time for a session, and a sixth reads without waiting', async () => {
    const visitor = await newVisitor()
    for (let open = 0; open < 5; open++) await follow(visitor.token ?? '')
    expect((await visitor.send('GET', '/api/v1/widget/stream')).status).toBe(429)
    const polled = await visitor.send('GET', '/api/v1/widget/events?wait=0')
    expect([polled.status, typeof polled.body.pagination.nextCursor]).toEqual([200, 'string'])
    const after = polled.body.pagination.nextCursor
    expect((await visitor.send('GET', `/api/v1/widget/events?wait=1&after=${after}`)).status).toBe(429)
  })
})
