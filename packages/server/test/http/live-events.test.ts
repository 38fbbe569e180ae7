// Runs on both databases by day: what a commit announces to other processes.

import { liveEventTypes } from '@crmkit/core'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { addColleague } from '../support/add-colleague.ts'
import { call, createKey, registerTenant } from '../support/call.ts'
import { type LiveStream, openLiveStream } from '../support/live-stream.ts'
import { useService } from '../support/use-service.ts'

const running = useService()
let owner: Awaited<ReturnType<typeof registerTenant>>
let colleague: Awaited<ReturnType<typeof addColleague>>
let inboxId: string
const open: LiveStream[] = []

beforeEach(async () => {
  owner = await registerTenant(running.url)
  colleague = await addColleague(running, { tenantId: owner.tenant._id, role: 'agent' })
  inboxId = (await data('GET', '/api/v1/inboxes'))[0]._id
})
afterEach(() => {
  for (const stream of open.splice(0)) stream.close()
})

async function data(method: string, path: string, body?: unknown, token = owner.token) {
  const response = await call(running.url, { method, path, token, body })
  expect(response.body).toMatchObject({ success: true })
  return response.body.data
}

async function live(query = 'live=true', token = owner.token) {
  const stream = await openLiveStream(running.url, { token, query })
  open.push(stream)
  // With this event it has begun; it gets no live event of the time before.
  if (query === 'live=true') await stream.waitForType('counts.changed', 1)
  return stream
}

const newConversation = (body: object = {}) =>
  data('POST', '/api/v1/conversations', { subject: 'Help', inboxId, ...body })
const conversationPath = (id: string, path = '') => `/api/v1/conversations/${id}${path}`
/** A message of the customer, which the colleague has entered: it is unread to the owner. */
const inbound = (id: string) => {
  const message = { content: 'Hello?', direction: 'inbound' }
  return data('POST', conversationPath(id, '/messages'), message, colleague.token)
}
const counts = async (token = owner.token, query = '') =>
  (await data('GET', `/api/v1/conversations/counts?${query}`, undefined, token)).views
const setPresence = (id: string, state: string, token = owner.token) =>
  data('PUT', conversationPath(id, '/presence'), { state }, token)

describe('a stream with live=true', () => {
  it('begins with all counts, and has no id for them [own.counts]', async () => {
    await newConversation()
    const stream = await live()
    const [first] = await stream.waitForType('counts.changed', 1)
    expect(first?.data.views).toEqual(await counts())
    expect(stream.messages()[0]).toMatchObject({ id: '', event: 'counts.changed' })
    expect(first).toEqual({ event: 'counts.changed', timestamp: expect.any(String), data: first?.data })
  })

  it('is refused to an API key [own.live]', async () => {
    const key = await createKey(running.url, owner.token, ['read:conversations', 'read:customers'])
    const path = '/api/v1/events/stream?live=true'
    expect(await call(running.url, { path, token: key })).toMatchObject({
      status: 403,
      body: { code: 'PERMISSION_DENIED' },
    })
  })

  it('is needed for live types, which are neither listed nor sent to webhooks [own.live]', async () => {
    const bad = [
      ['GET', '/api/v1/events/stream?types=typing', undefined, 'types'],
      ['GET', '/api/v1/events?types=presence.changed', undefined, 'types'],
      [
        'POST',
        '/api/v1/webhooks',
        { name: 'W', url: 'https://example.com', events: ['counts.changed'] },
        'events.0',
      ],
    ] as const
    for (const [method, path, body, field] of bad) {
      const response = await call(running.url, { method, path, body, token: owner.token })
      expect([path, response.status]).toEqual([path, 422])
      expect(response.body.details[0].field).toBe(field)
    }
  })

  it('sends only the types that were asked for, of both sorts [own.live]', async () => {
    const { _id } = await newConversation()
    const stream = await live('live=true&types=conversation.read,message.received,counts.changed')
    await stream.waitForType('counts.changed', 1)
    await setPresence(_id, 'viewing', colleague.token)
    await inbound(_id)
    await data('POST', conversationPath(_id, '/read'))
    await stream.waitForType('conversation.read', 1)
    await expect.poll(() => stream.types()).toContain('message.received')
    const asked = new Set(['counts.changed', 'conversation.read', 'message.received'])
    expect(new Set(stream.types())).toEqual(asked)
  })

  it('without it gets no live event', async () => {
    const { _id } = await newConversation()
    const stream = await live('')
    await setPresence(_id, 'viewing', colleague.token)
    await data('POST', conversationPath(_id, '/read'))
    await inbound(_id)
    await expect.poll(() => stream.types()).toContain('message.received')
    expect(stream.types().filter((type) => liveEventTypes.some((live) => live === type))).toEqual([])
  })
})

describe('conversation.read', () => {
  it('reaches the streams of the same user alone [own.live]', async () => {
    const { _id } = await newConversation()
    await inbound(_id)
    const [own, other] = [await live(), await live('live=true', colleague.token)]
    await data('POST', conversationPath(_id, '/read'))
    const [event] = await own.waitForType('conversation.read', 1)
    expect(event?.data).toEqual({ conversationId: _id, seq: 1, unread: { count: 0 } })
    await data('POST', conversationPath(_id, '/read'), {}, colleague.token)
    expect((await other.waitForType('conversation.read', 1))[0]?.data).toMatchObject({ conversationId: _id })
    expect(own.all('conversation.read')).toHaveLength(1)
  })
})

describe('counts', () => {
  it('are those of the lists, for each user [own.counts]', async () => {
    const [mine, open, closed, snoozed] = [
      await newConversation({ assignedTo: owner.user._id }),
      await newConversation(),
      await newConversation(),
      await newConversation(),
    ]
    await data('PUT', conversationPath(closed._id), { status: 'closed' })
    await data('PUT', conversationPath(snoozed._id), { status: 'snoozed' })
    await inbound(mine._id)
    await inbound(open._id)
    await data('POST', conversationPath(mine._id, '/read'))
    const none = { total: 0, unread: 0, isEstimate: false }
    expect(await counts()).toEqual({
      mine: { ...none, total: 1 },
      unassigned: { ...none, total: 2, unread: 1 },
      waiting: { ...none, total: 2, unread: 1 },
      open: { ...none, total: 2, unread: 1 },
      pending: none,
      snoozed: { ...none, total: 1 },
      closed: { ...none, total: 1, unread: null },
      unsent: { ...none, unread: null },
      mentions: { ...none, unread: null },
      [inboxId]: { ...none, total: 3, unread: 1 },
      mailNeedsYou: { ...none, unread: null },
    })
    expect(await counts(colleague.token, `view=mine,open,${inboxId}`)).toEqual({
      mine: none,
      open: { ...none, total: 2 },
      [inboxId]: { ...none, total: 3 },
    })
  })

  it('refuse a view that does not exist, and an API key', async () => {
    for (const view of ['views', 'x', 'inb_1']) {
      const path = `/api/v1/conversations/counts?view=open,${view}`
      const response = await call(running.url, { path, token: owner.token })
      expect(response).toMatchObject({ status: 422, body: { details: [{ field: 'view', in: 'query' }] } })
    }
    const key = await createKey(running.url, owner.token, ['read:conversations'])
    expect(await call(running.url, { path: '/api/v1/conversations/counts', token: key })).toMatchObject({
      status: 403,
    })
  })

  it('of a stream follow every change, and are at the end those of the query', async () => {
    const stream = await live()
    const other = await live('live=true', colleague.token)
    const first = await newConversation({ assignedTo: owner.user._id })
    const second = await newConversation({ message: { content: 'Hello', direction: 'inbound' } })
    await inbound(first._id)
    await data(
      'POST',
      conversationPath(first._id, '/messages'),
      { content: 'Note', type: 'note' },
      colleague.token,
    )
    await data('PUT', conversationPath(second._id), { status: 'closed' })
    await inbound(second._id)
    await data('PUT', conversationPath(first._id), { assignedTo: colleague.userId, status: 'pending' })
    const third = await newConversation()
    await data('DELETE', conversationPath(third._id), {})
    await data('POST', '/api/v1/inboxes', { name: 'New', channel: 'email' })
    await data('POST', conversationPath(second._id, '/read'))
    await expect.poll(() => stream.counts()).toEqual(await counts())
    await expect.poll(() => other.counts()).toEqual(await counts(colleague.token))
  })
})

describe('presence', () => {
  it('is returned without the caller, and sent in full to the team [own.presence]', async () => {
    const { _id } = await newConversation()
    const stream = await live()
    expect(await setPresence(_id, 'viewing')).toEqual([])
    const others = await setPresence(_id, 'replying', colleague.token)
    expect(others).toEqual([
      {
        user: { _id: owner.user._id, firstName: owner.user.firstName, lastName: owner.user.lastName },
        state: 'viewing',
        since: expect.any(String),
      },
    ])
    const [, both] = await stream.waitForType('presence.changed', 2)
    expect(both?.data).toMatchObject({
      conversationId: _id,
      present: [
        { user: { _id: owner.user._id }, state: 'viewing' },
        { user: { _id: colleague.userId }, state: 'replying' },
      ],
    })
    const late = await live()
    expect((await late.waitForType('presence.changed', 1))[0]?.data).toEqual(both?.data)
    await setPresence(_id, 'none')
    const [, , left] = await stream.waitForType('presence.changed', 3)
    expect(left?.data.present).toMatchObject([{ user: { _id: colleague.userId } }])
  })

  it('ends with the session [own.presence]', async () => {
    const { _id } = await newConversation()
    const stream = await live()
    await setPresence(_id, 'viewing', colleague.token)
    await stream.waitForType('presence.changed', 1)
    await call(running.url, { method: 'POST', path: '/api/auth/logout', token: colleague.token, body: {} })
    const [, gone] = await stream.waitForType('presence.changed', 2)
    expect(gone?.data).toEqual({ conversationId: _id, present: [] })
  })

  it('changes nothing of the conversation', async () => {
    const { _id } = await newConversation()
    const before = await data('GET', conversationPath(_id))
    await setPresence(_id, 'replying')
    expect(await data('GET', conversationPath(_id))).toEqual(before)
  })
})

it('requests that a screen makes all day are counted apart from those of a plan', async () => {
  const { _id } = await newConversation()
  await setPresence(_id, 'viewing')
  await counts()
  await data('POST', conversationPath(_id, '/read'))
  await data('POST', conversationPath(_id, '/unread'))
  const usage = async () => (await data('GET', '/api/v1/analytics/usage')).usage
  await expect.poll(async () => (await usage()).requestsOutsidePlan).toBe(4)
  const { totalRequests, requestsByEndpoint, requestsByMethod } = await usage()
  expect(Object.keys(requestsByEndpoint).join()).not.toMatch(/presence|counts|read/)
  const sum = (of: Record<string, number>) => Object.values(of).reduce((a, b) => a + b, 0)
  expect([sum(requestsByEndpoint), sum(requestsByMethod)]).toEqual([totalRequests, totalRequests])
  const [month] = (await data('GET', '/api/v1/analytics/usage/history?months=1')) as [
    { requestsOutsidePlan: number },
  ]
  expect(month.requestsOutsidePlan).toBe(4)
})
