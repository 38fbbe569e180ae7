// Runs on both databases by day: the order of the log and its positions.

import { customer, eventSchemas, isWebhookBodySignature, message, storedConversation } from '@crmkit/core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { z } from 'zod'
import { call, registerTenant } from '../support/call.ts'
import {
  makeCertificate,
  startReceiver,
  type TestCertificate,
  type TestReceiver,
} from '../support/https-receiver.ts'
import { type RunningService, startService } from '../support/start-service.ts'

let certificate: TestCertificate
let receiver: TestReceiver
let running: RunningService
let token: string
let secret: string
let userId: string
let inboxId: string

const send = (method: string, path: string, body?: unknown, headers: Record<string, string> = {}) =>
  call(running.url, { method, path, token, body, headers })
const data = async (method: string, path: string, body?: unknown) => {
  const response = await send(method, path, body)
  expect(response.body).toMatchObject({ success: true })
  return response.body.data
}

beforeAll(async () => {
  certificate = await makeCertificate()
  receiver = await startReceiver(certificate)
  running = await startService({ CRM_WEBHOOK_CA_FILE: certificate.caFile })
  const owner = await registerTenant(running.url)
  token = owner.token
  userId = owner.user._id
  inboxId = (await data('GET', '/api/v1/inboxes'))[0]._id
  const groups = {
    conversation: ['created', 'updated', 'assigned', 'closed', 'deleted'],
    customer: ['created', 'updated', 'deleted'],
    message: ['sent', 'received'],
    note: ['created'],
    user: ['created', 'updated'],
  }
  const events = Object.entries(groups).flatMap(([group, types]) => types.map((type) => `${group}.${type}`))
  secret = (await data('POST', '/api/v1/webhooks', { name: 'All', url: receiver.url, events })).secret
})
afterAll(async () => {
  await running.stop()
  await receiver.close()
  certificate.remove()
})

/** Events of conversations have no words of the last message. */
function withoutPreview<T extends { lastMessage: object | null }>(conversation: T): T {
  const { preview: _preview, ...lastMessage } = { preview: null, ...conversation.lastMessage }
  return { ...conversation, lastMessage: conversation.lastMessage && lastMessage }
}

let read = 0
const schemas = new Map<string, z.ZodObject>(eventSchemas.map(({ type, body }) => [type, body]))

/**
 * Returns the events since the last call, in the order of their commits. One more change marks the end, so that a
 * superfluous event is seen as well.
 */
async function eventsOf(count: number) {
  await data('POST', '/api/v1/customers', { firstName: 'End' })
  const requests = (await receiver.waitFor(read + count + 1)).slice(read)
  read += requests.length
  for (const { body, headers } of requests) {
    const signature = String(headers['x-webhook-signature'])
    expect(await isWebhookBodySignature(signature, { body, secret })).toBe(true)
  }
  const events = requests.map(({ body }) => JSON.parse(body)).sort((a, b) => (a.id < b.id ? -1 : 1))
  // The schemas of the reference describe every field that is sent, and no other.
  for (const event of events) expect(schemas.get(event.event)?.parse(event)).toEqual(event)
  const end = events.pop()
  expect(end).toMatchObject({ event: 'customer.created', data: { profile: { firstName: 'End' } } })
  return events
}
const typesOf = (events: { event: string }[]) => events.map(({ event }) => event)

const fieldsOf = (schema: { shape: object }) => Object.keys(schema.shape).sort()

it('customers send an event when created, when changed (with each path and both values) and when deleted, and none without a change [event.customerCreated event.customerUpdated delivery.body own.changes]', async () => {
  const { _id } = await data('POST', '/api/v1/customers', { firstName: 'Ada', customFields: { plan: 'a' } })
  const path = `/api/v1/customers/${_id}`
  const after = await data('PUT', path, {
    email: 'ada@example.com',
    tags: ['vip'],
    customFields: { plan: 'b' },
  })
  await data('PUT', path, {})
  await data('PUT', path, { firstName: ' Ada ', tags: ['vip'] })
  const [created, updated] = await eventsOf(2)
  expect(created).toMatchObject({ event: 'customer.created', data: { _id, tier: 'bronze' } })
  expect(Object.keys(created)).toEqual(['id', 'event', 'timestamp', 'data'])
  expect(Object.keys(created.data).sort()).toEqual(fieldsOf(customer))
  expect(updated).toEqual({
    id: updated.id,
    event: 'customer.updated',
    timestamp: after.updatedAt,
    data: after,
    changes: {
      'profile.email': { from: null, to: 'ada@example.com' },
      tags: { from: [], to: ['vip'] },
      'customFields.plan': { from: 'a', to: 'b' },
    },
  })
  await send('DELETE', path)
  const [deleted, ...more] = await eventsOf(1)
  expect([deleted.event, deleted.data, more]).toEqual(['customer.deleted', { _id }, []])
})

it('the events of one commit are in the contract’s order [event.conversationCreated event.conversationUpdated event.conversationAssigned event.conversationClosed event.messageReceived delivery.body]', async () => {
  const buyer = await data('POST', '/api/v1/customers', { firstName: 'Grace' })
  const body = { subject: 'Help', inboxId, customerId: buyer._id, assignedTo: userId }
  const first = { content: 'Hello', direction: 'inbound' }
  const made = await data('POST', '/api/v1/conversations', { ...body, message: first })
  const path = `/api/v1/conversations/${made._id}`
  await data('PUT', path, { status: 'closed', assignedTo: null, priority: 'high' })
  const [, created, assigned, received, updated, unassigned, closed, ...more] = await eventsOf(7)
  expect(typesOf([created, assigned, received, updated, unassigned, closed])).toEqual([
    'conversation.created',
    'conversation.assigned',
    'message.received',
    'conversation.updated',
    'conversation.assigned',
    'conversation.closed',
  ])
  expect(more).toEqual([])
  // An event is for everybody: it does not say who has read what.
  const { unread: _, ...stored } = withoutPreview(made)
  expect(created.data).toEqual({ ...stored, customerId: buyer })
  expect(Object.keys(created.data).sort()).toEqual(fieldsOf(storedConversation))
  expect(received.data).toMatchObject({
    conversationId: made._id,
    conversation: { _id: made._id, subject: 'Help', status: 'open', assignedTo: userId, inboxId },
    customer: { _id: buyer._id, profile: buyer.profile },
  })
  expect(Object.keys(received.data).sort()).toEqual([...fieldsOf(message), 'conversation', 'customer'].sort())
  expect(updated.changes).toEqual({
    status: { from: 'open', to: 'closed' },
    priority: { from: 'medium', to: 'high' },
    assignedTo: { from: userId, to: null },
    closedAt: { from: null, to: closed.timestamp },
  })
  expect([unassigned.changes, closed.changes]).toEqual([undefined, undefined])
})

it('a reply and a note send an event each, and an inbound message opens the conversation and is counted [event.messageSent event.messageReceived]', async () => {
  const { _id } = await data('POST', '/api/v1/conversations', { subject: 'Help', inboxId })
  const path = `/api/v1/conversations/${_id}`
  await data('PUT', path, { status: 'pending' })
  await data('POST', `${path}/messages`, { content: 'For us', type: 'note' })
  const reply = await data('POST', `${path}/messages`, { content: 'Hi' })
  await data('PUT', `/api/v1/messages/${reply._id}`, { status: 'read' })
  await data('POST', `${path}/messages`, { content: 'Thanks', direction: 'inbound' })
  const [, , note, sent, received, reopened, ...more] = await eventsOf(6)
  expect(typesOf([note, sent, received, reopened])).toEqual([
    'note.created',
    'message.sent',
    'message.received',
    'conversation.updated',
  ])
  expect(more).toEqual([])
  expect(sent.data.conversation.status).toBe('pending')
  expect(received.data.conversation.status).toBe('open')
  expect(reopened.changes).toEqual({ status: { from: 'pending', to: 'open' } })
  const { assignedTo: _assignee, unread: _unread, ...stored } = withoutPreview(await data('GET', path))
  expect(reopened.data).toMatchObject(stored)
  expect(JSON.stringify(reopened.data)).not.toContain('preview')
})

it('labels and users send one event for each change, and none without a change [event.userUpdated own.changes]', async () => {
  const { _id } = await data('POST', '/api/v1/conversations', { subject: 'Help', inboxId })
  const path = `/api/v1/conversations/${_id}/labels`
  await data('POST', path, { labels: ['a'] })
  await data('POST', path, { labels: ['A'] })
  await data('DELETE', path, { labels: ['b'] })
  await data('DELETE', path, { labels: ['A'] })
  await data('PUT', '/api/v1/users/me', { firstName: 'Olivia' })
  const key = await data('POST', '/api/tenant/api-keys', { name: 'K', permissions: ['read:customers'] })
  await data('PUT', `/api/tenant/api-keys/${key._id}`, { name: 'L' })
  const events = await eventsOf(4)
  expect(events.map(({ event, changes }) => [event, changes])).toEqual([
    ['conversation.created', undefined],
    ['conversation.updated', { labels: { from: [], to: ['a'] } }],
    ['conversation.updated', { labels: { from: ['a'], to: [] } }],
    ['user.updated', { firstName: { from: 'Olive', to: 'Olivia' } }],
  ])
  // Only the person alone sees whose images they see.
  const { imageSenders: _own, ...user } = await data('GET', '/api/v1/users/me')
  expect(events.at(-1).data).toEqual(user)
})

it('an erasure ends the pending deliveries about its subject, and delivers its own event', async () => {
  const closed = await startReceiver(certificate)
  await closed.close()
  const events = ['customer.created', 'message.sent', 'customer.deleted', 'conversation.created']
  const late = await data('POST', '/api/v1/webhooks', { name: 'Late', url: closed.url, events })
  const { _id } = await data('POST', '/api/v1/customers', { firstName: 'Gone', email: 'gone@example.com' })
  const talk = await data('POST', '/api/v1/conversations', { subject: 'Secret', inboxId, customerId: _id })
  const path = `/api/v1/conversations/${talk._id}/messages`
  const say = () =>
    send('POST', path, { content: 'Private', clientMessageId: 'one' }, { 'idempotency-key': 'say' })
  const sayAgain = () =>
    send('POST', path, { content: 'Private', clientMessageId: 'one' }, { 'idempotency-key': 'again' })
  await say()
  expect((await sayAgain()).status).toBe(200)
  await send('DELETE', `/api/v1/customers/${_id}`)
  for (const repeat of [say, sayAgain]) {
    const response = await repeat()
    expect([response.status, response.headers.get('idempotency-replayed')]).toEqual([404, null])
  }
  const logsOf = async (): Promise<{ status: string; event: string; errorCode: string; eventId: string }[]> =>
    (await data('GET', `/api/v1/webhooks/${late._id}/logs?limit=100`)).logs
  // An attempt that is under way ends by itself, and is not made again.
  await expect
    .poll(async () => (await logsOf()).filter(({ status }) => status === 'pending').map(({ event }) => event))
    .toEqual(['customer.deleted'])
  const logs = await logsOf()
  const erased = logs.filter(({ errorCode }) => errorCode === 'ERASED')
  expect(new Set(erased.map(({ event }) => event))).toEqual(
    new Set(['customer.created', 'conversation.created', 'message.sent']),
  )
  const { tenantId } = talk
  const erasedEvent = await running.service.storage.forTenant(tenantId).events.find(erased[0]?.eventId ?? '')
  expect(JSON.parse(erasedEvent?.body ?? '')).toEqual({
    id: erased[0]?.eventId,
    event: erased[0]?.event,
    timestamp: expect.any(String),
    data: { _id: expect.any(String), erased: true },
  })
  const { rows } = await running.service.storage.forTenant(tenantId).auditLog.list({ page: 1, limit: 1 })
  expect(rows).toMatchObject([
    { action: 'customer.deleted', actor: { type: 'user', _id: userId }, target: { type: 'customer', _id } },
  ])
})
