// Runs on both databases by day: erasure.

import { expect, it } from 'vitest'
import type { TenantId } from '../../src/storage/records.ts'
import { insertOf, sample } from '../contracts/storage/samples.contract.ts'
import { addColleague } from '../support/add-colleague.ts'
import { call, password, registerTenant } from '../support/call.ts'
import { useService } from '../support/use-service.ts'

const running = useService()

function as(token?: string) {
  return (method: string, path: string, body?: unknown) =>
    call(running.url, { method, path, token, ...(body !== undefined && { body }) })
}
type Send = ReturnType<typeof as>

async function newTenant() {
  const { token, tenant } = await registerTenant(running.url)
  const owner = as(token)
  const inboxId = (await owner('GET', '/api/v1/inboxes')).body.data[0]._id as string
  return { owner, inboxId, tenantId: tenant._id as TenantId }
}

/** One more member who has accepted the invitation. */
async function join(owner: Send, email: string, role = 'agent') {
  const { body } = await owner('POST', '/api/v1/users', { email, role, firstName: 'Leaver' })
  const { inviteToken, _id } = body.data
  const accepted = await as()('POST', '/api/auth/accept-invite', { token: inviteToken, password })
  const { accessToken, refreshToken } = accepted.body.data
  return { id: _id as string, email, send: as(accessToken), refreshToken: refreshToken as string }
}

const newEmail = () => `${crypto.randomUUID()}@example.com`
const login = (email: string) => as()('POST', '/api/auth/login', { email, password })

async function requestDeletion(send: Send): Promise<string> {
  const { body } = await send('POST', '/api/data-privacy/deletion-request', { reason: 'Leaver leaves' })
  return body.request.id
}

const approve = (send: Send, id: string) => send('POST', `/api/tenant/privacy-requests/${id}/approve`, {})

/** Waits until the job has completed the request, and returns it. */
async function completed(owner: Send, id: string) {
  const find = async () => {
    const { body } = await owner('GET', '/api/tenant/privacy-requests?limit=100')
    return body.data.find(({ _id }: { _id: string }) => _id === id)
  }
  await expect.poll(async () => (await find()).status).toBe('completed')
  return find()
}

it('an approved deletion ends every session and the membership at once, and the e-mail is free again [privacy.others]', async () => {
  const { owner } = await newTenant()
  const leaver = await join(owner, newEmail())
  const id = await requestDeletion(leaver.send)
  const { status, body } = await approve(owner, id)
  expect([status, body.data.status]).toEqual([200, 'processing'])
  expect((await leaver.send('GET', '/api/v1/users/me')).status).toBe(401)
  const refreshed = await as()('POST', '/api/auth/refresh', { refreshToken: leaver.refreshToken })
  expect(refreshed.status).toBe(401)
  expect((await login(leaver.email)).status).toBe(401)
  expect((await owner('GET', `/api/v1/users/${leaver.id}`)).status).toBe(404)
  await join(owner, leaver.email)
  expect((await login(leaver.email)).status).toBe(200)
})

it('a deletion in one tenant leaves the membership in another one as it is', async () => {
  const [a, b] = [await newTenant(), await newTenant()]
  const email = newEmail()
  const [inA, inB] = [await join(a.owner, email), await join(b.owner, email)]
  const id = await requestDeletion(inA.send)
  await approve(a.owner, id)
  await completed(a.owner, id)
  const signedIn = await login(email)
  expect([signedIn.status, signedIn.body.data.user._id]).toEqual([200, inB.id])
})

it('a deletion leaves a customer with the address of the user as they are, with what they wrote', async () => {
  const { owner, inboxId } = await newTenant()
  const leaver = await join(owner, newEmail())
  const make = async (path: string, body: object) => (await owner('POST', path, body)).body.data
  const customer = await make('/api/v1/customers', { firstName: 'Ada', email: leaver.email })
  const about = { subject: 'Help', inboxId, customerId: customer._id }
  const conversation = await make('/api/v1/conversations', about)
  const path = `/api/v1/conversations/${conversation._id}/messages`
  const message = await make(path, { content: 'It is I', direction: 'inbound' })
  const id = await requestDeletion(leaver.send)
  await approve(owner, id)
  await completed(owner, id)
  expect((await owner('GET', `/api/v1/customers/${customer._id}`)).body.data).toMatchObject({
    profile: { firstName: 'Ada', email: leaver.email },
  })
  expect((await owner('GET', `/api/v1/messages/${message._id}`)).body.data).toEqual(message)
  expect((await owner('GET', `/api/v1/customers?email=${leaver.email}`)).body.data).toHaveLength(1)
})

it('after a deletion one pseudonym stands under the messages and in the audit log, and nothing says whose it was [privacy.others]', async () => {
  const { owner, inboxId } = await newTenant()
  const leaver = await join(owner, newEmail(), 'admin')
  const make = async (path: string, body: object) => (await leaver.send('POST', path, body)).body.data
  const conversation = { subject: 'Help', inboxId, assignedTo: leaver.id }
  const closed = await make('/api/v1/conversations', conversation)
  const open = await make('/api/v1/conversations', conversation)
  const messages = `/api/v1/conversations/${closed._id}/messages`
  await make(messages, { content: 'It is I' })
  await make(messages, { content: 'A note', type: 'note' })
  await leaver.send('PUT', `/api/v1/conversations/${closed._id}`, { status: 'closed' })
  await make('/api/v1/inboxes', { name: 'Made by the leaver', members: [leaver.id] })
  await leaver.send('POST', '/api/data-privacy/access-request', { reason: 'Leaver asks' })
  const id = await requestDeletion(leaver.send)
  await approve(owner, id)
  const request = await completed(owner, id)
  expect(request).toMatchObject({ status: 'completed', reason: null, completedAt: expect.any(String) })
  const pseudonym = request.userId
  expect(pseudonym).not.toBe(leaver.id)

  const sent = (await owner('GET', messages)).body.data
  const sender = { type: 'user', _id: pseudonym, name: null }
  expect(sent.map((message: { sender: object }) => message.sender)).toEqual([sender, sender])
  expect((await owner('GET', `/api/v1/conversations/${open._id}`)).body.data.assignedTo).toBeNull()
  const read = await Promise.all(
    [
      '/api/tenant/audit-log?limit=100',
      '/api/tenant/privacy-requests',
      '/api/v1/conversations?limit=100',
      '/api/v1/inboxes',
      messages,
      `/api/v1/conversations/${closed._id}/timeline`,
      `/api/v1/conversations/${open._id}/timeline`,
    ].map(async (path) => JSON.stringify((await owner('GET', path)).body)),
  )
  for (const text of read) {
    expect(text).not.toContain(leaver.id)
    expect(text).not.toContain('Leaver')
  }
  const assigned = `"changes":{"assignedTo":{"from":null,"to":"${pseudonym}"}}`
  for (const timeline of read.slice(-2)) expect(timeline).toContain(assigned)
  expect(read[0]).toContain(`"actor":{"type":"user","_id":"${pseudonym}"}`)
  const log = JSON.stringify((await owner('GET', '/api/v1/events?after=earliest&limit=100')).body)
  expect(log).toContain(`"data":{"_id":"${leaver.id}","erased":true}`)
  expect(log).not.toContain('Leaver')
})

it('a deletion takes all pages that it needs, and closes the other requests of the person', async () => {
  const { owner, tenantId } = await newTenant()
  const leaver = await join(owner, newEmail())
  const store = running.service.storage.forTenant(tenantId)
  const conversationId = 'con_many'
  await store.commit({
    writes: [insertOf('conversations', sample.conversations(tenantId, { _id: conversationId }))],
    events: [],
  })
  const sender = { type: 'user', _id: leaver.id, name: 'Leaver' } as const
  const rows = Array.from({ length: 350 }, () => sample.messages(tenantId, { conversationId, sender }))
  await store.commit({ writes: rows.map((row) => insertOf('messages', row)), events: [] })
  const other = await leaver.send('POST', '/api/data-privacy/access-request', {})
  const id = await requestDeletion(leaver.send)
  await approve(owner, id)
  const { userId } = await completed(owner, id)
  const page = { page: 1, limit: 1 }
  expect((await store.messages.list({ userId: leaver.id, ...page })).total).toBe(0)
  expect((await store.messages.list({ userId, ...page })).total).toBe(350)
  const closed = await store.privacyRequests.find(other.body.request.id)
  expect(closed).toMatchObject({ status: 'cancelled', userId })
})

it('the person’s own approval counts, unless they are the last owner', async () => {
  const { owner, tenantId } = await newTenant()
  const second = await addColleague(running, { tenantId, role: 'owner' })
  const id = await requestDeletion(as(second.token))
  expect((await approve(as(second.token), id)).status).toBe(200)
  expect((await as(second.token)('GET', '/api/v1/users/me')).status).toBe(401)
  await completed(owner, id)
  const last = await requestDeletion(owner)
  expect((await approve(owner, last)).status).toBe(409)
})

it('the last owner stays when two owners approve each other’s deletion at the same moment', async () => {
  const { owner, tenantId } = await newTenant()
  const second = as((await addColleague(running, { tenantId, role: 'owner' })).token)
  const [first, other] = [await requestDeletion(owner), await requestDeletion(second)]
  await Promise.all([approve(owner, other), approve(second, first)])
  const { rows } = await running.service.storage.forTenant(tenantId).users.list({ page: 1, limit: 10 })
  expect(rows.map(({ role }) => role)).toEqual(['owner'])
})

it('the request of a user who was removed meanwhile can still be approved', async () => {
  const { owner, inboxId } = await newTenant()
  const leaver = await join(owner, newEmail())
  const conversation = await owner('POST', '/api/v1/conversations', { subject: 'Help', inboxId })
  const messages = `/api/v1/conversations/${conversation.body.data._id}/messages`
  await leaver.send('POST', messages, { content: 'It is I' })
  const id = await requestDeletion(leaver.send)
  await owner('DELETE', `/api/v1/users/${leaver.id}`)
  expect((await owner('GET', messages)).body.data[0].sender.name).toBe('Leaver')
  expect((await approve(owner, id)).status).toBe(200)
  const { userId } = await completed(owner, id)
  expect((await owner('GET', messages)).body.data[0].sender).toEqual({
    type: 'user',
    _id: userId,
    name: null,
  })
})

it('nobody but the job completes a deletion, and nobody stops it', async () => {
  const { owner, tenantId } = await newTenant()
  const store = running.service.storage.forTenant(tenantId)
  const fields = { userId: 'usr_1', type: 'deletion', status: 'processing' } as const
  const row = sample.privacyRequests(tenantId, fields)
  await store.commit({ writes: [insertOf('privacyRequests', row)], events: [] })
  for (const [verb, body] of [
    ['approve', {}],
    ['complete', {}],
    ['reject', { rejectionReason: 'Too late' }],
  ] as const) {
    const response = await owner('POST', `/api/tenant/privacy-requests/${row._id}/${verb}`, body)
    expect([verb, response.status, response.body.code]).toEqual([verb, 409, 'INVALID_STATE'])
  }
})
