// Runs on both databases by day: counts of rows.

import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { TenantId } from '../../src/storage/records.ts'
import { addColleague } from '../support/add-colleague.ts'
import { call, createKey, registerTenant } from '../support/call.ts'
import { useService } from '../support/use-service.ts'

const running = useService()
let token: string
let tenantId: TenantId
let colleague: { token: string; userId: string }
let id: string
let inboxId: string

const send = async (method: string, path: string, body?: unknown, by = token) =>
  call(running.url, { method, path, token: by, body })
const data = async (method: string, path: string, body?: unknown, by = token) => {
  const response = await send(method, path, body, by)
  expect(response.body).toMatchObject({ success: true })
  return response.body.data
}
const own = (path = '') => `/api/v1/conversations/${id}${path}`
const unreadOf = async (by = token) => (await data('GET', own(), undefined, by)).unread
const read = (body: object = {}, by = token) => data('POST', own('/read'), body, by)
const unread = (body: object = {}, by = token) => data('POST', own('/unread'), body, by)
const say = (body: object, by = token) => data('POST', own('/messages'), body, by)
const inbound = (content = 'Hello?') => say({ content, direction: 'inbound' }, colleague.token)

beforeAll(async () => {
  const tenant = await registerTenant(running.url)
  token = tenant.token
  tenantId = tenant.tenant._id
  colleague = await addColleague(running, { tenantId, role: 'agent' })
  inboxId = (await data('GET', '/api/v1/inboxes'))[0]._id
})
beforeEach(async () => {
  id = (await data('POST', '/api/v1/conversations', { subject: 'Help', inboxId }))._id
})

describe('unread messages', () => {
  it('are counted for each user, notes included, and the first one is named where one conversation is read [own.unread]', async () => {
    const first = await inbound()
    await say({ content: 'She called twice.', type: 'note' }, colleague.token)
    expect(await unreadOf()).toEqual({ count: 2, firstMessageId: first._id })
    // A user who writes has read everything above.
    expect(await unreadOf(colleague.token)).toEqual({ count: 0, firstMessageId: null })
    const listed = await data('GET', '/api/v1/conversations')
    expect(listed[0]).toMatchObject({ _id: id, unread: { count: 2, firstMessageId: null } })
  })

  it('are null to an API key', async () => {
    await inbound()
    const key = await createKey(running.url, token, ['read:conversations'])
    expect(await unreadOf(key)).toBeNull()
    expect((await data('GET', '/api/v1/conversations', undefined, key))[0].unread).toBeNull()
  })

  it('are counted to 100', async () => {
    for (let index = 0; index < 101; index++) await inbound(`${index}`)
    const { count, firstMessageId } = await unreadOf()
    expect(count).toBe(100)
    expect((await data('GET', `/api/v1/messages/${firstMessageId}`)).content).toBe('1')
  })

  it('are none of the time before a user came, until somebody writes', async () => {
    await inbound()
    await inbound()
    const late = await addColleague(running, { tenantId, role: 'agent' })
    expect(await unreadOf(late.token)).toMatchObject({ count: 0 })
    await inbound()
    expect(await unreadOf(late.token)).toMatchObject({ count: 3 })
  })

  it('are shown in the replies that change a conversation too', async () => {
    await inbound()
    for (const [method, path, body] of [
      ['PUT', own(), { priority: 'high' }],
      ['POST', own('/labels'), { labels: ['late'] }],
    ] as const)
      expect(await data(method, path, body)).toMatchObject({ unread: { count: 1 } })
    const message = { content: 'Hello?', direction: 'inbound' }
    expect(await data('POST', '/api/v1/conversations', { subject: 'Mine', inboxId, message })).toMatchObject({
      unread: { count: 0 },
    })
  })
})

describe('reading a conversation', () => {
  it('marks it as read by the caller alone', async () => {
    await inbound()
    const late = await addColleague(running, { tenantId, role: 'viewer' })
    await inbound()
    expect(await read()).toEqual({ conversationId: id, seq: 2, unread: { count: 0, firstMessageId: null } })
    expect(await unreadOf()).toMatchObject({ count: 0 })
    expect(await unreadOf(late.token)).toMatchObject({ count: 2 })
  })

  it('raises the mark, never lowers it, and never beyond the conversation [own.unread]', async () => {
    await inbound()
    const second = await inbound()
    expect(await read({ seq: 1 })).toMatchObject({ seq: 1, unread: { count: 1, firstMessageId: second._id } })
    expect(await read({ seq: 0 })).toMatchObject({ seq: 1 })
    expect(await read({ seq: 1_000 })).toMatchObject({ seq: 2 })
    await inbound()
    expect(await unreadOf()).toMatchObject({ count: 1 })
  })

  it('changes nothing of the conversation but the first time at which the team has read it', async () => {
    await inbound()
    const before = await data('GET', own())
    await read()
    const after = await data('GET', own())
    expect(after.readAt.agent).toEqual(expect.any(String))
    expect(after).toEqual({ ...before, readAt: after.readAt, unread: { count: 0, firstMessageId: null } })
    await read({}, colleague.token)
    expect((await data('GET', own())).readAt).toEqual(after.readAt)
  })

  it('may be done many times at once, also for the first time', async () => {
    await inbound()
    const all = await Promise.all(Array.from({ length: 10 }, () => send('POST', own('/read'), {})))
    expect(all.map(({ status }) => status)).toEqual(Array(10).fill(200))
    expect(await unreadOf()).toMatchObject({ count: 0 })
  })

  it('is for people: an API key is refused, and a viewer is not', async () => {
    const key = await createKey(running.url, token, ['read:conversations', 'write:conversations'])
    expect((await send('POST', own('/read'), {}, key)).status).toBe(403)
    const viewer = await addColleague(running, { tenantId, role: 'viewer' })
    expect((await send('POST', own('/read'), {}, viewer.token)).status).toBe(200)
  })
})

describe('marking a conversation as unread', () => {
  it('leaves the newest message by somebody else unread', async () => {
    await inbound()
    const second = await inbound()
    await say({ content: 'Good morning' })
    expect(await unreadOf()).toMatchObject({ count: 0 })
    expect(await unread()).toMatchObject({ unread: { count: 2, firstMessageId: second._id } })
    expect(await unreadOf()).toEqual({ count: 2, firstMessageId: second._id })
  })

  it('leaves a named message and the newer ones unread [own.unread]', async () => {
    const first = await inbound()
    await inbound()
    await read()
    expect(await unread({ messageId: first._id })).toMatchObject({
      unread: { count: 2, firstMessageId: first._id },
    })
  })

  it('changes nothing where nobody else has written', async () => {
    await say({ content: 'Good morning' })
    expect(await unread()).toMatchObject({ unread: { count: 0 } })
  })

  it('refuses a message of another conversation', async () => {
    const elsewhere = (await inbound())._id
    id = (await data('POST', '/api/v1/conversations', { subject: 'Another', inboxId }))._id
    for (const messageId of [elsewhere, 'msg_unknown'])
      expect((await send('POST', own('/unread'), { messageId })).body.details).toMatchObject([
        { field: 'messageId', rule: 'reference' },
      ])
  })

  it('works in a conversation from before messages were counted', async () => {
    const first = await inbound()
    const { storage } = running.service
    const row = await storage.forTenant(tenantId).conversations.find(id)
    const set = { seq: 0 }
    await storage.forTenant(tenantId).commit({
      writes: [{ op: 'update', kind: 'conversations', id, expectVersion: row?.version ?? 0, set }],
      events: [],
    })
    expect(await unread()).toMatchObject({ seq: -1, unread: { count: 1, firstMessageId: first._id } })
    expect(await read()).toMatchObject({ seq: 0, unread: { count: 0 } })
  })
})

it('a deleted user leaves no trace of what they have read, and neither does a deleted conversation', async () => {
  const leaver = await addColleague(running, { tenantId, role: 'agent' })
  await read({}, leaver.token)
  const store = running.service.storage.forTenant(tenantId)
  const rowsOf = async (userId: string) =>
    (await store.conversationReads.list({ userId, page: 1, limit: 100 })).rows.length
  expect(await rowsOf(leaver.userId)).toBe(1)
  expect((await send('DELETE', `/api/v1/users/${leaver.userId}`)).status).toBe(200)
  await expect.poll(() => rowsOf(leaver.userId)).toBe(0)
  await read({}, colleague.token)
  const before = await rowsOf(colleague.userId)
  expect((await send('DELETE', own())).status).toBe(200)
  await expect.poll(() => rowsOf(colleague.userId)).toBe(before - 1)
})
