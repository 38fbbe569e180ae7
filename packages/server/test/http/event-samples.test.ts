import { makeEvent } from '@crmkit/sdk/testing'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { call, registerTenant } from '../support/call.ts'
import { type RunningService, startService } from '../support/start-service.ts'

let running: RunningService
let token: string
let userId: string

beforeAll(async () => {
  running = await startService()
  const owner = await registerTenant(running.url)
  token = owner.token
  userId = owner.user._id
})
afterAll(() => running.stop())

const data = async (method: string, path: string, body?: unknown) => {
  const response = await call(running.url, { method, path: `/api/v1${path}`, token, body })
  expect(response.body).toMatchObject({ success: true })
  return response.body.data
}

/** Words that decide what a receiver does. */
const words = ['type', 'direction', 'senderType', 'status', 'source', 'priority', 'via', 'contentType']

/** The facts that a receiver relies on: members, kinds of ids, members that are null, and the words above. */
function describeValue(value: unknown, member = ''): unknown {
  if (Array.isArray(value)) return 'list'
  if (typeof value === 'object' && value !== null) {
    return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, describeValue(one, name)]))
  }
  if (typeof value !== 'string' || words.includes(member))
    return value === null ? null : (value ?? typeof value)
  const [, prefix] = /^([a-z]{3,4})_[0-9A-Z]{26}$/.exec(value) ?? []
  return prefix ?? (Number.isNaN(Date.parse(value)) ? 'text' : 'time')
}

/** Numbers and flags of an example are its own. */
const shapeOf = (value: unknown) =>
  JSON.parse(JSON.stringify(describeValue(value)), (_name, one) =>
    typeof one === 'number' || typeof one === 'boolean' ? typeof one : one,
  )

test('samples of events say what the service says', async () => {
  const [inbox] = await data('GET', '/inboxes')
  const profile = { firstName: 'Ada', lastName: 'Lovelace', email: 'ada@example.com', company: 'Engines Ltd' }
  const customer = await data('POST', '/customers', profile)
  await data('PUT', `/customers/${customer._id}`, { tier: 'gold' })
  const conversation = await data('POST', '/conversations', {
    subject: 'A question',
    inboxId: inbox._id,
    customerId: customer._id,
    message: { content: 'Hello', direction: 'inbound' },
  })
  const about = `/conversations/${conversation._id}`
  await data('PUT', about, { labels: ['billing'] })
  await data('POST', `${about}/messages`, { content: 'Hello', type: 'note' })
  const sent = await data('POST', `${about}/messages`, { content: 'Hello' })
  await data('PUT', `/messages/${sent._id}`, { status: 'delivered' })
  const second = { subject: 'A question', inboxId: inbox._id, customerId: customer._id }
  const open = await data('POST', '/conversations', {
    ...second,
    message: { content: 'Hi', direction: 'inbound' },
  })
  await data('PUT', `/conversations/${open._id}`, { assignedTo: userId })
  const closed = await data('POST', '/conversations', {
    ...second,
    message: { content: 'Hi', direction: 'inbound' },
  })
  await data('PUT', `/conversations/${closed._id}`, { status: 'closed' })
  await data('PUT', '/users/me', { firstName: 'Olivia' })
  const first = new Map<string, { data: unknown }>()
  const readLog = async () => {
    const log = await call(running.url, { path: '/api/v1/events?limit=100&after=earliest', token })
    for (const event of log.body.data) if (!first.has(event.event)) first.set(event.event, event)
  }
  await readLog()
  // The events of before have no data any more then.
  await call(running.url, { method: 'DELETE', path: `/api/v1/conversations/${open._id}`, token })
  await call(running.url, { method: 'DELETE', path: `/api/v1/customers/${customer._id}`, token })
  const grace = await data('POST', '/users', {
    email: 'grace@example.com',
    firstName: 'Grace',
    role: 'agent',
  })
  await call(running.url, { method: 'DELETE', path: `/api/v1/users/${grace._id}`, token })
  await readLog()
  const shapes = (dataOf: (type: string) => unknown) =>
    Object.fromEntries([...first.keys()].map((type) => [type, shapeOf(dataOf(type))]))
  expect(shapes((type) => makeEvent(type as 'message.sent').data)).toEqual(
    shapes((type) => first.get(type)?.data),
  )
  expect([...first.keys()].sort()).toEqual([
    'conversation.assigned',
    'conversation.closed',
    'conversation.created',
    'conversation.deleted',
    'conversation.updated',
    'customer.created',
    'customer.deleted',
    'customer.updated',
    'message.received',
    'message.sent',
    'message.updated',
    'note.created',
    'user.created',
    'user.deleted',
    'user.updated',
  ])
})
