import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { addColleague } from '../support/add-colleague.ts'
import { call, createKey, registerTenant } from '../support/call.ts'
import { useService } from '../support/use-service.ts'

const running = useService()
let token: string
let colleague: string
let id: string
let inboxId: string

const send = (method: string, path: string, body?: unknown, by = token) =>
  call(running.url, { method, path, token: by, body })
const conversation = async () => (await send('GET', `/api/v1/conversations/${id}`)).body.data

interface LoggedEvent {
  event: string
  data: { _id: string; seq: number; conversation?: { _id: string; seq: number } }
  changes?: Record<string, unknown>
}
async function eventsOf(conversationId: string): Promise<LoggedEvent[]> {
  const { data } = (await send('GET', '/api/v1/events?limit=100')).body
  return data.filter(({ data }: LoggedEvent) => (data.conversation ?? data)._id === conversationId)
}

interface Sent {
  by?: string
  headers?: Record<string, string>
}
function say(body: object, { by = token, headers = {} }: Sent = {}) {
  const path = `/api/v1/conversations/${id}/messages`
  return call(running.url, { method: 'POST', path, token: by, body, headers })
}
const seen = (seq: number, more: Record<string, string> = {}) => ({
  headers: { 'If-Conversation-Seq': `${seq}`, ...more },
})

beforeAll(async () => {
  const tenant = await registerTenant(running.url)
  token = tenant.token
  colleague = (await addColleague(running, { tenantId: tenant.tenant._id, role: 'agent' })).token
  inboxId = (await send('GET', '/api/v1/inboxes')).body.data[0]._id
})
beforeEach(async () => {
  id = (await send('POST', '/api/v1/conversations', { subject: 'Help', inboxId })).body.data._id
})

describe('the seq of a conversation', () => {
  it('rises by one with every reply, inbound message and note, and with nothing else [own.replyConflict]', async () => {
    expect(await conversation()).toMatchObject({ seq: 0, messageCount: 0 })
    await say({ content: 'Hello?', direction: 'inbound' })
    await say({ content: 'She called twice.', type: 'note' })
    await say({ content: 'Good morning' })
    await send('PUT', `/api/v1/conversations/${id}`, { status: 'pending', labels: ['late'] })
    expect(await conversation()).toMatchObject({ seq: 3, messageCount: 2 })
  })

  it('counts the first message of a new conversation', async () => {
    const first = { subject: 'Help', inboxId, message: { content: 'Hello?', direction: 'inbound' } }
    expect((await send('POST', '/api/v1/conversations', first)).body.data.seq).toBe(1)
  })

  it('is in the event of each message as it is after that message, also where the message opens the conversation', async () => {
    await say({ content: 'Good morning' })
    await say({ content: 'She called twice.', type: 'note' })
    await send('PUT', `/api/v1/conversations/${id}`, { status: 'closed' })
    await say({ content: 'Hello?', direction: 'inbound' })
    // Events get their positions after the commit on MongoDB.
    await expect.poll(async () => (await eventsOf(id)).length).toBe(7)
    const events = await eventsOf(id)
    const seqs = events.map(({ event, data }) => [event, (data.conversation ?? data).seq])
    expect(seqs).toEqual([
      ['conversation.created', 0],
      ['message.sent', 1],
      ['note.created', 2],
      ['conversation.updated', 2],
      ['conversation.closed', 2],
      ['message.received', 3],
      ['conversation.updated', 3],
    ])
    for (const { changes = {} } of events) expect(changes).not.toHaveProperty('seq')
  })
})

describe('a reply with If-Conversation-Seq', () => {
  it('is sent when nobody of the team has written since [own.replyConflict]', async () => {
    await say({ content: 'Hello?', direction: 'inbound' })
    expect((await say({ content: 'Good morning' }, seen(1))).status).toBe(201)
    expect((await say({ content: 'And good evening' }, seen(1))).status).toBe(201)
    await say({ content: 'Thank you', direction: 'inbound' })
    expect((await say({ content: 'You are welcome' }, seen(1))).status).toBe(201)
  })

  it.each([
    ['a reply', { content: 'I have sent it' }],
    ['a note', { content: 'I am on it', type: 'note' }],
  ])('is refused after %s of a colleague, says who wrote it, and stores nothing', async (_, body) => {
    const written = await say(body, { by: colleague })
    await say({ content: 'Hello?', direction: 'inbound' })
    const refused = await say({ content: 'I shall send it' }, seen(0))
    expect(refused.status).toBe(409)
    const { _id: messageId, createdAt: at, sender: by } = written.body.data
    expect(refused.body).toMatchObject({ code: 'CONFLICT', details: { by, at, messageId, seq: 2 } })
    expect(await conversation()).toMatchObject({ seq: 2 })
    expect((await say({ content: 'I shall send it' }, seen(2))).status).toBe(201)
  })

  it('is refused after a reply of an API key, and the key by a reply of a person', async () => {
    const key = await createKey(running.url, token, ['write:conversations', 'read:conversations'])
    await say({ content: 'Written by a program' }, { by: key })
    expect((await say({ content: 'Mine' }, seen(0))).body.details.by.type).toBe('api')
    await say({ content: 'Written by a person' })
    expect((await say({ content: 'Mine' }, { by: key, ...seen(1) })).body.details.by.type).toBe('user')
    expect((await say({ content: 'Mine' }, { by: key, ...seen(2) })).status).toBe(201)
  })

  it('is sent in any case with Force', async () => {
    await say({ content: 'I have sent it' }, { by: colleague })
    expect((await say({ content: 'Mine' }, seen(0, { Force: 'true' }))).status).toBe(201)
    await say({ content: 'I have sent it' }, { by: colleague })
    expect((await say({ content: 'Mine' }, seen(2, { Force: 'false' }))).status).toBe(409)
  })

  it('finds a colleague behind up to 99 newer messages', async () => {
    await say({ content: 'I have sent it' }, { by: colleague })
    for (let index = 0; index < 99; index++) await say({ content: `${index}`, direction: 'inbound' })
    expect((await say({ content: 'Mine' }, seen(0))).status).toBe(409)
    await say({ content: 'One more', direction: 'inbound' })
    expect((await say({ content: 'Mine' }, seen(0))).status).toBe(201)
  })

  it('uses nothing up when it is refused: the attachment and the client message id serve the next try', async () => {
    const form = { file: new File(['x'], 'x.txt') }
    const upload = await call(running.url, { method: 'POST', path: '/api/v1/attachments', token, form })
    await say({ content: 'I have sent it' }, { by: colleague })
    const body = { content: 'Mine', attachments: [upload.body.data._id], clientMessageId: 'try-1' }
    expect((await say(body, seen(0))).status).toBe(409)
    expect((await say(body, seen(1))).status).toBe(201)
    // The repetition comes before the check: the caller learns that the first call has worked.
    await say({ content: 'And I have called' }, { by: colleague })
    expect((await say(body, seen(0))).status).toBe(200)
  })

  it('gets its first response again with the same Idempotency-Key, whatever was written since', async () => {
    const once = { 'Idempotency-Key': 'reply-once' }
    const first = await say({ content: 'Mine' }, seen(0, once))
    await say({ content: 'I have called' }, { by: colleague })
    expect((await say({ content: 'Mine' }, seen(0, once))).body).toEqual(first.body)
  })

  it.each(['-1', 'many', '1.5', '99999999999', ''])('refuses %j as a seq', async (seq) => {
    const refused = await say({ content: 'Mine' }, { headers: { 'If-Conversation-Seq': seq } })
    expect(refused.status).toBe(422)
    expect(refused.body.details).toMatchObject([{ field: 'If-Conversation-Seq', in: 'header' }])
  })

  it('gets the problems of its fields before the conflict with a colleague', async () => {
    await say({ content: 'I have sent it' }, { by: colleague })
    expect((await say({ content: 'Mine', attachments: ['att_unknown'] }, seen(0))).status).toBe(422)
  })

  it('does not hold for notes and inbound messages', async () => {
    await say({ content: 'I have sent it' }, { by: colleague })
    expect((await say({ content: 'For the team', type: 'note' }, seen(0))).status).toBe(201)
    expect((await say({ content: 'Hello?', direction: 'inbound' }, seen(0))).status).toBe(201)
  })

  it('loses every race but one: of two agents who send at the same moment the second always learns of it [own.replyConflict]', async () => {
    for (let round = 0; round < 50; round++) {
      const { seq } = await conversation()
      const both = await Promise.all([
        say({ content: 'Mine' }, seen(seq)),
        say({ content: 'Mine' }, { by: colleague, ...seen(seq) }),
      ])
      expect(both.map(({ status }) => status).sort()).toEqual([201, 409])
    }
  })
})
