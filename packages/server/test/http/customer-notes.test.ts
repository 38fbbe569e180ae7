// Runs on both databases by day: rows that move with a merge and go with an erasure.

import { expect, onTestFinished, test } from 'vitest'
import type { TenantId } from '../../src/storage/records.ts'
import { insertOf, sample } from '../contracts/storage/samples.contract.ts'
import { addColleague } from '../support/add-colleague.ts'
import { call, createKey, registerTenant } from '../support/call.ts'
import { openLiveStream } from '../support/live-stream.ts'
import { useService } from '../support/use-service.ts'

const running = useService()

const content = 'Prefers to be called in the morning'

async function newTenant() {
  const { token, user, tenant } = await registerTenant(running.url)
  const tenantId = tenant._id as TenantId
  const as = (by: string) => (method: string, path: string, body?: unknown) =>
    call(running.url, { method, path: `/api/v1/customers${path}`, token: by, body })
  const send = as(token)
  const customer = async (fields: object) => (await send('POST', '', fields)).body.data._id as string
  const note = async (id: string, text = content, by = send) => {
    const { status, body } = await by('POST', `/${id}/notes`, { content: text })
    expect(status).toBe(201)
    return body.data
  }
  const texts = async (id: string) =>
    (await send('GET', `/${id}/notes`)).body.data.map((row: { content: string }) => row.content)
  return { token, user, tenantId, as, send, customer, note, texts }
}

test('a note about a customer is written, listed newest first, changed and deleted', async () => {
  const { user, tenantId, send, customer, note, texts } = await newTenant()
  const id = await customer({ firstName: 'Ada' })
  const first = await note(id)
  expect(first).toEqual({
    _id: expect.stringMatching(/^cno_/),
    tenantId,
    customerId: id,
    content,
    contentType: 'text',
    author: { type: 'user', _id: user._id, name: expect.any(String) },
    version: 1,
    createdAt: expect.any(String),
    updatedAt: expect.any(String),
  })
  await note(id, 'Second')
  expect(await texts(id)).toEqual(['Second', content])
  const one = `/${id}/notes/${first._id}`
  expect((await send('GET', one)).body.data).toEqual(first)

  expect((await send('PUT', one, {})).body.data).toEqual(first)
  const changed = await send('PUT', one, {
    content: '# After ten',
    contentType: 'markdown',
    expectedVersion: 1,
  })
  expect(changed.body.data).toMatchObject({ content: '# After ten', contentType: 'markdown', version: 2 })
  expect((await send('GET', one)).body.data).toEqual(changed.body.data)
  const stale = await send('PUT', one, { content: 'Lost', expectedVersion: 1 })
  expect([stale.status, stale.body.code]).toEqual([409, 'CONFLICT'])
  expect(stale.body.details.note).toEqual(changed.body.data)

  expect((await send('DELETE', one)).body).toEqual({ success: true, message: 'Note deleted' })
  expect((await send('GET', one)).status).toBe(404)
  expect(await texts(id)).toEqual(['Second'])
})

test('a note is found through its own customer alone, and a text that is blank or too long is refused', async () => {
  const { send, customer, note } = await newTenant()
  const [id, other] = [await customer({ firstName: 'Ada' }), await customer({ firstName: 'Grace' })]
  const { _id } = await note(id)
  for (const method of ['GET', 'PUT', 'DELETE']) {
    const body = method === 'PUT' ? { content } : undefined
    expect((await send(method, `/${other}/notes/${_id}`, body)).status).toBe(404)
  }
  const rules = async (body: object) =>
    (await send('POST', `/${id}/notes`, body)).body.details.map(({ rule }: { rule: string }) => rule)
  expect(await rules({ content: ' \n ' })).toEqual(['min'])
  expect(await rules({ content: 'x'.repeat(20_001) })).toEqual(['max'])
  expect(await rules({ content, contentType: 'html' })).toEqual(['enum'])
})

test('only its author or an admin changes or deletes a note; a key does so with its own', async () => {
  const { token, tenantId, as, customer, note } = await newTenant()
  const id = await customer({ firstName: 'Ada' })
  const agent = as((await addColleague(running, { tenantId, role: 'agent' })).token)
  const admin = as((await addColleague(running, { tenantId, role: 'admin' })).token)
  const key = as(await createKey(running.url, token, ['read:customers', 'write:customers']))
  const ofOwner = `/${id}/notes/${(await note(id))._id}`
  for (const by of [agent, key]) {
    const refused = await by('PUT', ofOwner, { content: 'Mine now' })
    expect([refused.status, refused.body]).toEqual([403, expect.objectContaining({ required: 'admin' })])
    expect((await by('DELETE', ofOwner)).status).toBe(403)
  }
  expect((await admin('PUT', ofOwner, { content: 'Checked' })).body.data.content).toBe('Checked')
  expect((await admin('DELETE', ofOwner)).status).toBe(200)
  const ofKey = await note(id, content, key)
  expect(ofKey.author).toMatchObject({ type: 'api' })
  expect((await agent('DELETE', `/${id}/notes/${ofKey._id}`)).status).toBe(403)
  expect((await key('DELETE', `/${id}/notes/${ofKey._id}`)).status).toBe(200)
  const ofAgent = await note(id, content, agent)
  expect((await agent('PUT', `/${id}/notes/${ofAgent._id}`, { content: 'Better' })).status).toBe(200)
})

test('each change of notes is a live event without their text, and neither an event nor a find of the search', async () => {
  const { token, send, customer, note } = await newTenant()
  const id = await customer({ firstName: 'Ada' })
  const stream = await openLiveStream(running.url, { token, query: 'live=true' })
  onTestFinished(() => stream.close())
  await stream.waitForType('counts.changed', 1)
  const { _id } = await note(id, 'zqwordofanote')
  await send('PUT', `/${id}/notes/${_id}`, { content: 'zqwordofanote again' })
  await send('DELETE', `/${id}/notes/${_id}`)
  await note(id, 'zqwordofanote stays')
  const signs = await stream.waitForType('customer.notes', 4)
  expect(signs.map(({ data }) => data)).toEqual(Array.from({ length: 4 }, () => ({ customerId: id })))
  expect(JSON.stringify(stream.messages())).not.toContain('zqword')
  const read = (path: string) => call(running.url, { path, token })
  const { body } = await read('/api/v1/events?limit=100')
  expect(body.data.map(({ event }: { event: string }) => event)).toEqual(['user.created', 'customer.created'])
  expect(JSON.stringify(body)).not.toContain('zqword')
  const found = await read('/api/v1/search?q=zqwordofanote')
  expect(found.body.data).toMatchObject({ customers: [], conversations: [], messages: [] })
})

test('a merge moves the notes of the source, and its end gives back those that came with it', async () => {
  const { send, customer, note, texts } = await newTenant()
  const [target, source] = [await customer({ firstName: 'T' }), await customer({ firstName: 'S' })]
  await note(target, 'Of the target')
  const moved = await note(source, 'Of the source')
  expect((await send('POST', `/${target}/merge`, { sourceId: source })).status).toBe(200)
  await expect.poll(() => texts(target)).toEqual(['Of the source', 'Of the target'])
  expect((await send('GET', `/${source}/notes`)).status).toBe(404)
  await note(target, 'Of both')
  const changed = await send('PUT', `/${target}/notes/${moved._id}`, { content: 'Of the source, changed' })
  expect(changed.status).toBe(200)
  expect((await send('POST', `/${target}/unmerge`, { sourceId: source })).status).toBe(200)
  expect(await texts(source)).toEqual(['Of the source, changed'])
  expect(await texts(target)).toEqual(['Of both', 'Of the target'])
})

test('a customer has at most 1,000 notes, also of requests at once, and a merge leaves more of them', async () => {
  const { tenantId, send, customer, note } = await newTenant()
  const [target, source] = [await customer({ firstName: 'T' }), await customer({ firstName: 'S' })]
  const store = running.service.storage.forTenant(tenantId)
  const rows = Array.from({ length: 993 }, () => sample.customerNotes(tenantId, { customerId: target }))
  for (let at = 0; at < rows.length; at += 250)
    await store.commit({
      writes: rows.slice(at, at + 250).map((row) => insertOf('customerNotes', row)),
      events: [],
    })
  const atOnce = Array.from({ length: 20 }, () => send('POST', `/${target}/notes`, { content }))
  const statuses = (await Promise.all(atOnce)).map(({ status }) => status)
  expect(statuses.filter((status) => status === 201)).toHaveLength(7)
  expect(statuses.filter((status) => status === 409)).toHaveLength(13)
  const refused = await send('POST', `/${target}/notes`, { content })
  expect([refused.status, refused.body.code]).toEqual([409, 'CONFLICT'])
  await note(source)
  expect((await send('POST', `/${target}/merge`, { sourceId: source })).status).toBe(200)
  const total = async () => (await send('GET', `/${target}/notes`)).body.pagination.total
  await expect.poll(total).toBe(1001)
})

test('the exports of the customer and of the author hold a note, and an erasure of the customer deletes it', async () => {
  const { token, tenantId, send, customer, note } = await newTenant()
  const id = await customer({ firstName: 'Ada' })
  const { _id } = await note(id)
  const exported = JSON.parse((await send('GET', `/${id}/export`)).body)
  expect(exported.notes).toMatchObject([{ _id, content }])
  const own = async () =>
    JSON.parse((await call(running.url, { path: '/api/data-privacy/export', token })).body).customerNotes
  expect(await own()).toMatchObject([{ _id, customerId: id, content }])
  expect((await send('DELETE', `/${id}`)).status).toBe(200)
  expect((await send('GET', `/${id}/notes/${_id}`)).status).toBe(404)
  const store = running.service.storage.forTenant(tenantId)
  await expect.poll(() => store.customerNotes.find(_id)).toBeUndefined()
  expect(await own()).toEqual([])
})

test('the name of a deleted user stays with a note, and an approved deletion of a person takes it', async () => {
  const { token, tenantId, as, send, customer, note } = await newTenant()
  const id = await customer({ firstName: 'Ada' })
  const leaver = await addColleague(running, { tenantId, role: 'agent' })
  const person = await addColleague(running, { tenantId, role: 'agent' })
  const left = await note(id, 'Of a leaver', as(leaver.token))
  const erased = await note(id, 'Of a person', as(person.token))
  const ask = (method: string, path: string, by: string, body: object = {}) =>
    call(running.url, { method, path, token: by, body })
  expect((await ask('DELETE', `/api/v1/users/${leaver.userId}`, token)).status).toBe(200)
  const asked = await ask('POST', '/api/data-privacy/deletion-request', person.token)
  const decided = await ask('POST', `/api/tenant/privacy-requests/${asked.body.request.id}/approve`, token)
  expect(decided.status).toBe(200)
  const authorOf = async (noteId: string) => (await send('GET', `/${id}/notes/${noteId}`)).body.data.author
  await expect.poll(async () => (await authorOf(erased._id)).name).toBeNull()
  expect((await authorOf(erased._id))._id).not.toBe(person.userId)
  expect(await authorOf(left._id)).toEqual(left.author)
})
