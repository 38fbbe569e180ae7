// Runs on both databases by day: a shortcut is unique, also when requests meet.

import { expect, test } from 'vitest'
import type { TenantId } from '../../src/storage/records.ts'
import { addColleague } from '../support/add-colleague.ts'
import { call, createKey, registerTenant } from '../support/call.ts'
import { useService } from '../support/use-service.ts'

const running = useService()
const path = '/api/v1/canned-replies'

async function newTenant() {
  const { token, user, tenant } = await registerTenant(running.url)
  const tenantId = tenant._id as TenantId
  const as = (by: string) => (method: string, at: string, body?: unknown) =>
    call(running.url, { method, path: at, token: by, body })
  const colleague = async (role: 'agent' | 'admin' | 'viewer') => {
    const added = await addColleague(running, { tenantId, role })
    return { ...added, send: as(added.token) }
  }
  const key = async (...permissions: string[]) => as(await createKey(running.url, token, permissions))
  return { tenantId, user, send: as(token), colleague, key }
}

type Send = Awaited<ReturnType<typeof newTenant>>['send']

async function made(send: Send, fields: object = {}) {
  const { status, body } = await send('POST', path, {
    shortcut: 'hello',
    title: 'Greeting',
    content: 'Hello!',
    ...fields,
  })
  expect([status, body.error]).toEqual([201, undefined])
  return body.data
}

const shortcuts = async (send: Send) =>
  (await send('GET', path)).body.data.map(({ shortcut }: { shortcut: string }) => shortcut)
const refusal = async (sent: ReturnType<Send>) => {
  const { status, body } = await sent
  const rules = Array.isArray(body.details)
    ? body.details.map(({ field, rule }: { field: string; rule: string }) => `${field} ${rule}`)
    : []
  return [status, body.code, ...rules]
}

test('a canned reply is made, read, listed by its shortcut, changed and deleted', async () => {
  const { tenantId, user, send } = await newTenant()
  const reply = await made(send)
  expect(reply).toEqual({
    _id: expect.stringMatching(/^rep_/),
    tenantId,
    shortcut: 'hello',
    title: 'Greeting',
    content: 'Hello!',
    contentType: 'text',
    inboxIds: [],
    isShared: true,
    ownerId: user._id,
    createdAt: expect.any(String),
    updatedAt: expect.any(String),
  })
  await made(send, { shortcut: 'bye', title: 'Farewell' })
  expect(await shortcuts(send)).toEqual(['bye', 'hello'])
  const one = `${path}/${reply._id}`
  expect((await send('GET', one)).body.data).toEqual(reply)
  expect((await send('GET', `${path}?shortcut=hello`)).body.data).toEqual([reply])

  expect((await send('PUT', one, {})).body.data).toEqual(reply)
  const changed = (await send('PUT', one, { title: 'Welcome', contentType: 'markdown' })).body.data
  expect(changed).toMatchObject({ title: 'Welcome', contentType: 'markdown', content: 'Hello!' })
  expect((await send('GET', one)).body.data).toEqual(changed)
  expect((await send('DELETE', one)).body).toEqual({ success: true, message: 'Canned reply deleted' })
  expect((await send('GET', one)).status).toBe(404)
  expect(await shortcuts(send)).toEqual(['bye'])
})

test('a page of the list ends where the next begins, over the replies of the team and one’s own', async () => {
  const { send, colleague } = await newTenant()
  const agent = await colleague('agent')
  for (const shortcut of ['a', 'c', 'e']) await made(send, { shortcut, title: shortcut })
  for (const shortcut of ['b', 'd']) await made(agent.send, { shortcut, title: shortcut, isShared: false })
  const seen: string[] = []
  let cursor: string | null = ''
  while (cursor !== null) {
    const at: string = cursor === '' ? '' : `&cursor=${cursor}`
    const { body } = await agent.send('GET', `${path}?limit=2${at}`)
    expect(body.pagination.total).toBe(5)
    seen.push(...body.data.map(({ shortcut }: { shortcut: string }) => shortcut))
    cursor = body.pagination.nextCursor
  }
  expect(seen).toEqual(['a', 'b', 'c', 'd', 'e'])
})

test('a reply of one user alone is unknown to everybody else, admins and keys among them', async () => {
  const { send, colleague, key } = await newTenant()
  const agent = await colleague('agent')
  const own = await made(agent.send, { shortcut: 'mine', isShared: false })
  expect([own.isShared, own.ownerId]).toEqual([false, agent.userId])
  const byKey = await key('read:conversations', 'write:conversations')
  for (const other of [send, byKey]) {
    expect(await shortcuts(other)).toEqual([])
    for (const method of ['GET', 'PUT', 'DELETE']) {
      const body = method === 'PUT' ? { title: 'Taken' } : undefined
      expect((await other(method, `${path}/${own._id}`, body)).status).toBe(404)
    }
    const render = await other('POST', `${path}/${own._id}/render`, { conversationId: 'con_none' })
    expect(render.status).toBe(404)
  }
  expect(await shortcuts(agent.send)).toEqual(['mine'])
})

test('a shortcut is used once in the team and once by each user, also when requests meet', async () => {
  const { send, colleague } = await newTenant()
  const agent = await colleague('agent')
  const first = await made(send)
  expect(await refusal(agent.send('POST', path, { shortcut: 'hello', title: 'T', content: 'C' }))).toEqual([
    409,
    'CONFLICT',
  ])
  const own = await made(agent.send, { isShared: false })
  await made(send, { isShared: false })
  expect(await refusal(agent.send('PUT', `${path}/${own._id}`, { isShared: true }))).toEqual([
    409,
    'CONFLICT',
  ])
  expect((await send('PUT', `${path}/${first._id}`, { shortcut: 'hi' })).status).toBe(200)
  expect((await agent.send('PUT', `${path}/${own._id}`, { isShared: true })).body.data.isShared).toBe(true)

  const race = await Promise.all(
    Array.from({ length: 8 }, () => send('POST', path, { shortcut: 'race', title: 'T', content: 'C' })),
  )
  expect(race.map(({ status }) => status).sort()).toEqual([201, ...Array(7).fill(409)])
})

test('only its owner or an admin takes a reply from the team or deletes it; everybody who writes may change its text', async () => {
  const { send, colleague, key } = await newTenant()
  const [agent, other, admin, viewer] = [
    await colleague('agent'),
    await colleague('agent'),
    await colleague('admin'),
    await colleague('viewer'),
  ]
  const reply = await made(agent.send)
  const one = `${path}/${reply._id}`
  expect((await other.send('PUT', one, { content: 'Good day!' })).status).toBe(200)
  expect((await viewer.send('PUT', one, { content: 'No' })).status).toBe(403)
  for (const by of [other.send, await key('read:conversations', 'write:conversations')]) {
    expect((await by('DELETE', one)).status).toBe(403)
  }
  expect((await other.send('PUT', one, { isShared: false })).status).toBe(403)
  expect((await admin.send('PUT', one, { isShared: false })).body.data.ownerId).toBe(admin.userId)
  expect(await shortcuts(agent.send)).toEqual([])
  expect((await admin.send('PUT', one, { isShared: true })).status).toBe(200)
  expect((await send('DELETE', one)).status).toBe(200)
})

test('a key makes replies of the team alone', async () => {
  const { key } = await newTenant()
  const byKey = await key('read:conversations', 'write:conversations')
  expect((await made(byKey)).ownerId).toBeNull()
  const own = { shortcut: 'own', title: 'T', content: 'C', isShared: false }
  expect(await refusal(byKey('POST', path, own))).toEqual([422, 'VALIDATION_ERROR', 'isShared owner'])
})

test('a reply that names an unknown variable, an inbox that does not exist or a malformed shortcut is refused', async () => {
  const { send } = await newTenant()
  const refused = (fields: object) =>
    refusal(send('POST', path, { shortcut: 'x', title: 'T', content: 'C', ...fields }))
  const invalid = [422, 'VALIDATION_ERROR']
  expect(await refused({ content: 'Hello {{customer.nickname}}' })).toEqual([...invalid, 'content variable'])
  expect(await refused({ content: 'Hello {{ customer.firstName | you }}' })).toEqual([201, undefined])
  expect(await refused({ inboxIds: ['inb_none'] })).toEqual([...invalid, 'inboxIds.0 reference'])
  expect(await refused({ shortcut: 'Hello World' })).toEqual([...invalid, 'shortcut regex'])
  expect(await refused({ title: '', content: 'x'.repeat(20_001) })).toEqual([
    ...invalid,
    'title min',
    'content max',
  ])
})

test('an inbox that was deleted since stays named, and a change of something else passes', async () => {
  const { send } = await newTenant()
  const inbox = (await send('POST', '/api/v1/inboxes', { name: 'Sales', channel: 'chat' })).body.data
  const reply = await made(send, { inboxIds: [inbox._id] })
  expect((await send('DELETE', `/api/v1/inboxes/${inbox._id}`)).status).toBe(200)
  const changed = await send('PUT', `${path}/${reply._id}`, { title: 'New', inboxIds: [inbox._id] })
  expect([changed.status, changed.body.data.inboxIds]).toEqual([200, [inbox._id]])
})

test('values of the conversation stand in place of the variables, and nothing in a value is replaced again', async () => {
  const { send, user, colleague, key } = await newTenant()
  const inbox = (await send('GET', '/api/v1/inboxes')).body.data[0]
  const person = { firstName: '{{agent.email}}', email: 'ada@example.com', company: '*Lamps*' }
  const customer = (await send('POST', '/api/v1/customers', person)).body.data
  const about = { subject: 'Lamp', inboxId: inbox._id, customerId: customer._id }
  const conversationId = (await send('POST', '/api/v1/conversations', about)).body.data._id
  const content =
    '{{customer.firstName}}, {{customer.lastName|friend}}, {{customer.company}}, {{customer.phone}}, {{conversation.subject}}, {{inbox.name}}, {{agent.email}}'
  const reply = await made(send, { content })
  const rendered = async (by: Send, of = reply._id) =>
    (await by('POST', `${path}/${of}/render`, { conversationId })).body.data
  expect(await rendered(send)).toEqual({
    content: `{{agent.email}}, friend, *Lamps*, , Lamp, ${inbox.name}, ${user.email}`,
    contentType: 'text',
    missing: ['customer.phone'],
  })
  const markdown = await made(send, {
    shortcut: 'md',
    contentType: 'markdown',
    content: '**{{customer.company}}**',
  })
  expect((await rendered(send, markdown._id)).content).toBe('**\\*Lamps\\***')

  const viewer = await colleague('viewer')
  expect((await rendered(viewer.send)).content).toContain(
    (await viewer.send('GET', '/api/v1/users/me')).body.data.email,
  )
  const byKey = await rendered(await key('read:conversations'))
  expect(byKey.content).toBe(`{{agent.email}}, friend, , , Lamp, ${inbox.name}, `)
  expect(byKey.missing).toEqual(['customer.company', 'customer.phone', 'agent.email'])

  const stranger = await newTenant()
  const foreign = await made(stranger.send)
  expect(await refusal(stranger.send('POST', `${path}/${foreign._id}/render`, { conversationId }))).toEqual([
    422,
    'VALIDATION_ERROR',
    'conversationId reference',
  ])
})

test('with a user their own replies end, and those of the team stay without an owner', async () => {
  const { send, colleague, tenantId } = await newTenant()
  const agent = await colleague('agent')
  const own = await made(agent.send, { isShared: false })
  const ofTeam = await made(agent.send, { shortcut: 'team' })
  const exported = await agent.send('GET', '/api/data-privacy/export?format=json')
  expect(JSON.parse(exported.body).cannedReplies).toMatchObject([{ _id: own._id }, { _id: ofTeam._id }])
  expect((await send('DELETE', `/api/v1/users/${agent.userId}`)).status).toBe(200)
  const store = running.service.storage.forTenant(tenantId)
  expect(await store.cannedReplies.find(own._id)).toBeUndefined()
  expect((await send('GET', `${path}/${ofTeam._id}`)).body.data).toMatchObject({
    ownerId: null,
    title: 'Greeting',
  })
})
