// Runs on both databases by day: pages of messages and drafts, a merge, an erasure, and marks that several requests set at once.

import { request } from 'node:http'
import { brotliDecompressSync } from 'node:zlib'
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { onLeftOut } from '../../src/storage/rules/readable-rows.ts'
import { addColleague, type Colleague } from '../support/add-colleague.ts'
import { call, createKey, registerTenant } from '../support/call.ts'
import { changeStoredRow } from '../support/change-stored-row.ts'
import { type LiveStream, openLiveStream } from '../support/live-stream.ts'
import { useService } from '../support/use-service.ts'

const running = useService()
let owner: Awaited<ReturnType<typeof registerTenant>>
let colleague: Colleague
let stranger: Awaited<ReturnType<typeof registerTenant>>
let inboxId: string
let customerId: string
let id: string
const open: LiveStream[] = []

const all = 'messages,drafts,recipients'

const send = (method: string, path: string, body?: unknown, token: string = owner.token) =>
  call(running.url, { method, path, token, body })
async function data(method: string, path: string, body?: unknown, token?: string) {
  const response = await send(method, path, body, token)
  expect(response.body).toMatchObject({ success: true })
  return response.body.data
}
const at = (path = '', of = id) => `/api/v1/conversations/${of}${path}`
const look = (include: string, token?: string) => send('GET', at(`?include=${include}`), undefined, token)
const say = (content: string, more: object = {}, token: string = colleague.token) =>
  data('POST', at('/messages'), { content, direction: 'inbound', ...more }, token)
const newCustomer = async (firstName: string) =>
  (await data('POST', '/api/v1/customers', { firstName, email: `${firstName}@people.test`.toLowerCase() }))
    ._id
const textOf = async (path: string) => {
  const response = await fetch(running.url + path, { headers: { authorization: `Bearer ${owner.token}` } })
  return response.text()
}

beforeAll(async () => {
  owner = await registerTenant(running.url)
  stranger = await registerTenant(running.url)
  colleague = await addColleague(running, { tenantId: owner.tenant._id, role: 'agent' })
  inboxId = (await data('GET', '/api/v1/inboxes'))[0]._id
})
beforeEach(async () => {
  customerId = await newCustomer('Grace')
  id = (await data('POST', '/api/v1/conversations', { subject: 'Help', inboxId, customerId }))._id
})
afterEach(() => {
  for (const stream of open.splice(0)) stream.close()
})

describe('a look at a conversation', () => {
  it.each([
    ['a list of words', all],
    ['words in another order, twice', 'recipients,drafts,messages,messages'],
    ['the field several times', 'messages&include=drafts&include=recipients'],
  ])('holds what the requests for its parts return, asked for by %s', async (_, include) => {
    await say('Hello?')
    await data('PUT', at('/draft'), { content: 'Dear Grace' })
    await data('PUT', at('/draft'), { type: 'note', content: 'She called.' }, colleague.token)
    const parts = ['/messages?order=desc&limit=50', '/drafts?limit=50', '/recipients']
    const [messages, drafts, recipients] = await Promise.all(
      parts.map(async (part) => (await send('GET', at(part))).body),
    )
    const { status, body } = await look(include)
    expect(status).toBe(200)
    expect(body).toEqual({
      success: true,
      data: await data('GET', at()),
      included: {
        messages: { data: messages.data, pagination: messages.pagination },
        drafts: { data: drafts.data, pagination: drafts.pagination },
        recipients: recipients.data,
      },
    })
    expect([body.included.messages.data.length, body.included.drafts.data.length]).toEqual([1, 2])
  })

  it.each(['messages', 'drafts', 'recipients', 'drafts,messages'])(
    'holds only what is asked for: %s',
    async (include) => {
      const { included } = (await look(include)).body
      expect(Object.keys(included).toSorted()).toEqual(include.split(','))
    },
  )

  it('begins with the newest 50 messages, and the list goes on from its position', async () => {
    for (let index = 1; index <= 52; index++) await say(`${index}`)
    const { messages } = (await look('messages')).body.included
    const contents = messages.data.map(({ content }: { content: string }) => content)
    expect(contents).toEqual(Array.from({ length: 50 }, (_, index) => `${52 - index}`))
    expect(messages.pagination).toEqual({
      total: 52,
      page: 1,
      limit: 50,
      totalPages: 2,
      totalIsEstimate: false,
      nextCursor: expect.any(String),
    })
    const next = `/messages?order=desc&limit=50&cursor=${messages.pagination.nextCursor}`
    expect((await data('GET', at(next))).map(({ content }: { content: string }) => content)).toEqual([
      '2',
      '1',
    ])
  })

  it('is the plain reply, byte for byte, with `included` behind it; without a word it is the plain reply', async () => {
    await say('Hello?')
    const plain = await textOf(at())
    expect(Object.keys(JSON.parse(plain))).toEqual(['success', 'data'])
    for (const query of ['?include=', '?include=%20,', '?includes=messages', '?limit=1'])
      expect(await textOf(at(query))).toBe(plain)
    const whole = await textOf(at(`?include=${all}`))
    expect(whole.startsWith(`${plain.slice(0, -1)},"included":{"messages":`)).toBe(true)
  })

  it.each(['presence', 'messages,notes', 'Messages', 'messages;drafts'])(
    'refuses a word that it does not know: %s',
    async (include) => {
      const { status, body } = await look(include)
      expect(status).toBe(422)
      expect(body).toMatchObject({
        code: 'VALIDATION_ERROR',
        details: [{ field: expect.stringContaining('include'), rule: 'enum', in: 'query' }],
      })
    },
  )

  it('gives a key without read:customers null for the recipients, and its drafts without the chosen ones', async () => {
    await say('Hello?')
    await data('PUT', at('/draft'), { content: 'Dear Grace' })
    const key = await createKey(running.url, owner.token, ['read:conversations'])
    const { status, body } = await look(all, key)
    expect(status).toBe(200)
    expect(body.included.recipients).toBeNull()
    expect(body.included.messages.data).toHaveLength(1)
    expect(body.included.drafts.data).toEqual(await data('GET', at('/drafts'), undefined, key))
    expect(body.data.unread).toBeNull()
    expect(JSON.stringify(body)).not.toContain('grace@people.test')
    const wider = await createKey(running.url, owner.token, ['read:conversations', 'read:customers'])
    const seen = (await look(all, wider)).body.included.recipients
    expect(seen).toEqual(await data('GET', at('/recipients'), undefined, wider))
    expect(seen).not.toBeNull()
  })

  it('is 403 to a key without read:conversations', async () => {
    const key = await createKey(running.url, owner.token, ['read:customers'])
    expect((await look(all, key)).body).toMatchObject({ code: 'PERMISSION_DENIED' })
  })

  it('is the same 404 for a conversation of another tenant as for none', async () => {
    await say('Hello?')
    const foreign = await look(all, stranger.token)
    const unknown = await send('GET', at(`?include=${all}`, 'con_none'), undefined, stranger.token)
    expect([foreign.status, foreign.body.code]).toEqual([404, 'NOT_FOUND'])
    expect({ ...foreign.body, requestId: '' }).toEqual({ ...unknown.body, requestId: '' })
  })

  it('shows a merged customer as the target, and nothing after an erasure', async () => {
    const message = await say('Hello?')
    const target = await newCustomer('Ada')
    await data('POST', `/api/v1/customers/${target}/merge`, { sourceId: customerId })
    const merged = (await look(all)).body
    expect(merged.data.customerId._id).toBe(target)
    expect(merged.included.messages.data).toMatchObject([{ _id: message._id }])
    expect(merged.included.recipients).toEqual(await data('GET', at('/recipients')))
    const { status } = await send('DELETE', `/api/v1/customers/${target}`)
    expect(status).toBe(200)
    await vi.waitFor(async () => expect((await look(all)).status).toBe(404), {
      timeout: 10_000,
      interval: 50,
    })
  })

  it('leaves out a message that breaks its schema, and reports it', async () => {
    const [good, bad] = [await say('Hello?'), await say('Anybody?')]
    const databaseUrl = running.databaseUrl ?? `sqlite:${running.dataDir}/crm.sqlite`
    await changeStoredRow({ databaseUrl, kind: 'messages', id: bad._id }, (row) => ({
      ...row,
      status: 'odd',
    }))
    const left: unknown[] = []
    const end = onLeftOut((row) => left.push(row))
    const { status, body } = await look('messages,recipients')
    end()
    expect(status).toBe(200)
    expect(body.included.messages.data).toMatchObject([{ _id: good._id }])
    expect(body.included.recipients).toEqual(await data('GET', at('/recipients')))
    expect(left).toContainEqual({ kind: 'messages', id: bad._id, reason: expect.stringContaining('status') })
  })

  it('is compressed as a list is', async () => {
    for (let index = 0; index < 8; index++) await say('Hello? '.repeat(100))
    const plain = await textOf(at('?include=messages'))
    const packed = await new Promise<{ encoding: unknown; bytes: Buffer }>((resolve, reject) => {
      const headers = { authorization: `Bearer ${owner.token}`, 'accept-encoding': 'br' }
      request(running.url + at('?include=messages'), { headers }, async (response) => {
        const bytes = Buffer.concat(await response.toArray())
        resolve({ encoding: response.headers['content-encoding'], bytes })
      })
        .once('error', reject)
        .end()
    })
    expect(packed.encoding).toBe('br')
    expect(packed.bytes.length).toBeLessThan(plain.length / 3)
    expect(brotliDecompressSync(packed.bytes).toString()).toBe(plain)
  })

  it('counts as one request of the conversation', async () => {
    const tenant = await registerTenant(running.url)
    const [inbox] = await data('GET', '/api/v1/inboxes', undefined, tenant.token)
    const body = { subject: 'Help', inboxId: inbox._id }
    const { _id } = await data('POST', '/api/v1/conversations', body, tenant.token)
    expect((await send('GET', at(`?include=${all}`, _id), undefined, tenant.token)).status).toBe(200)
    await vi.waitFor(
      async () => {
        const { usage } = await data('GET', '/api/v1/analytics/usage', undefined, tenant.token)
        const { '/api/v1/analytics/usage': _own, ...others } = usage.requestsByEndpoint
        expect(others).toEqual({
          '/api/v1/inboxes': 1,
          '/api/v1/conversations': 1,
          '/api/v1/conversations/{id}': 1,
        })
        expect(usage.requestsOutsidePlan).toBe(0)
      },
      { timeout: 10_000, interval: 50 },
    )
  })
})

describe('a presence with readSeq', () => {
  const come = (body: object, token?: string) => send('PUT', at('/presence'), body, token)
  const unreadOf = async (token?: string) => (await data('GET', at(), undefined, token)).unread

  it('marks as read and says how far, beside the others who are there', async () => {
    await say('Hello?')
    const second = await say('Anybody?')
    const listening = await openLiveStream(running.url, { token: colleague.token, query: 'live=true' })
    open.push(listening)
    await come({ state: 'viewing' }, colleague.token)
    const { status, body } = await come({ state: 'viewing', readSeq: 1 })
    expect(status).toBe(200)
    const unread = { count: 1, firstMessageId: second._id }
    expect(body).toEqual({
      success: true,
      data: [expect.objectContaining({ state: 'viewing' })],
      read: { conversationId: id, seq: 1, unread },
    })
    expect(body.data[0].user._id).toBe(colleague.userId)
    expect(await unreadOf()).toEqual(unread)
    expect((await data('GET', at())).readAt.agent).toEqual(expect.any(String))
  })

  it('returns what a mark of its own returns, also beyond the end, and never lowers it', async () => {
    await say('Hello?')
    await say('Anybody?')
    for (const seq of [1, 0, 7, 1]) {
      const { read } = (await come({ state: 'replying', readSeq: seq })).body
      expect(read).toEqual(await data('POST', at('/read'), { seq }))
    }
    expect(await unreadOf()).toEqual({ count: 0, firstMessageId: null })
  })

  it('reports to the other windows of the user', async () => {
    await say('Hello?')
    const window = await openLiveStream(running.url, { token: owner.token, query: 'live=true' })
    open.push(window)
    await window.waitForType('counts.changed', 1)
    await come({ state: 'viewing', readSeq: 1 })
    const [event] = await window.waitForType('conversation.read', 1)
    expect(event?.data).toEqual({ conversationId: id, seq: 1, unread: { count: 0 } })
  })

  it('marks also when the user leaves', async () => {
    await say('Hello?')
    expect((await come({ state: 'none', readSeq: 1 })).body.read.seq).toBe(1)
    expect(await unreadOf()).toMatchObject({ count: 0 })
  })

  it('without the field gets the reply of before, and marks nothing', async () => {
    await say('Hello?')
    const response = await fetch(running.url + at('/presence'), {
      method: 'PUT',
      headers: { authorization: `Bearer ${owner.token}`, 'content-type': 'application/json' },
      body: '{"state":"viewing"}',
    })
    expect(await response.text()).toBe('{"success":true,"data":[]}')
    expect(await unreadOf()).toMatchObject({ count: 1 })
    expect((await data('GET', at())).readAt.agent).toBeNull()
  })

  it.each([-1, 1.5, null, '1', ''])('refuses the mark %j and announces nobody', async (readSeq) => {
    const { status, body } = await come({ state: 'viewing', readSeq })
    expect([status, body.code]).toEqual([422, 'VALIDATION_ERROR'])
    expect(body.details).toMatchObject([{ field: 'readSeq', in: 'body' }])
    expect((await come({ state: 'viewing' }, colleague.token)).body.data).toEqual([])
  })

  it('is refused to a key, and is a 404 in a conversation of another tenant', async () => {
    await say('Hello?')
    const key = await createKey(running.url, owner.token, ['read:conversations', 'write:conversations'])
    expect((await come({ state: 'viewing', readSeq: 1 }, key)).status).toBe(403)
    expect((await come({ state: 'viewing', readSeq: 1 }, stranger.token)).status).toBe(404)
    expect(await unreadOf()).toMatchObject({ count: 1 })
  })

  it('of several windows at once all succeed, and the furthest mark holds', async () => {
    for (let index = 0; index < 6; index++) await say(`${index}`)
    const marks = [3, 1, 6, 2, 5, 4]
    const replies = await Promise.all(marks.map((readSeq) => come({ state: 'viewing', readSeq })))
    expect(replies.map(({ status }) => status)).toEqual(marks.map(() => 200))
    for (const [index, { body }] of replies.entries())
      expect(body.read.seq).toBeGreaterThanOrEqual(marks[index] ?? 0)
    expect(await unreadOf()).toEqual({ count: 0, firstMessageId: null })
  })

  it('emits no event', async () => {
    const { token } = await registerTenant(running.url)
    const [inbox] = await data('GET', '/api/v1/inboxes', undefined, token)
    const made = { subject: 'Help', inboxId: inbox._id, message: { content: 'Hello?', direction: 'inbound' } }
    const { _id } = await data('POST', '/api/v1/conversations', made, token)
    const types = async () => {
      const events = await data('GET', '/api/v1/events?after=earliest&limit=100', undefined, token)
      return events.map(({ event }: { event: string }) => event)
    }
    const before = await types()
    expect(before).toContain('message.received')
    const { body } = await send('PUT', at('/presence', _id), { state: 'viewing', readSeq: 1 }, token)
    expect(body.read.seq).toBe(1)
    expect(await types()).toEqual(before)
  })
})
