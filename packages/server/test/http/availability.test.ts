// Runs on both databases by day: what a stream writes about a user, and what follows from it.

import { beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { addColleague, type Colleague } from '../support/add-colleague.ts'
import { call, registerTenant } from '../support/call.ts'
import { changeStoredRow } from '../support/change-stored-row.ts'
import { type LiveStream, openLiveStream } from '../support/live-stream.ts'
import { startService } from '../support/start-service.ts'
import { isMongoWorld } from '../support/test-world.ts'
import { useService } from '../support/use-service.ts'

let aheadMs = 0
const clock = { nowMs: () => Date.now() + aheadMs }
const running = useService({}, { clock })
let owner: Awaited<ReturnType<typeof registerTenant>>
beforeEach(async () => {
  aheadMs = 0
  owner = await registerTenant(running.url)
})

const minutes = (count: number) => count * 60_000
const isoIn = (ms: number) => new Date(clock.nowMs() + ms).toISOString()

function send(method: string, path: string, body?: unknown, { token = owner.token, url = running.url } = {}) {
  return call(url, { method, path: `/api/v1${path}`, token, body })
}
async function data(...args: Parameters<typeof send>) {
  const response = await send(...args)
  expect(response.body).toMatchObject({ success: true })
  return response.body.data
}
const me = (options = {}) => data('GET', '/users/me', undefined, options)
async function activity(state: string, { token = owner.token, url = running.url } = {}) {
  const path = '/api/v1/users/me/activity'
  const { status, body } = await call(url, { method: 'PUT', path, token, body: { state } })
  expect(status).toBe(200)
  return body.data
}

/** Opens a stream; whoever gets its first event is online. */
async function follow({ token = owner.token, url = running.url, headers = {} } = {}) {
  const stream = await openLiveStream(url, { token, headers })
  onTestFinished(() => stream.close())
  await stream.waitForType('counts.changed', 1)
  return stream
}

/** Closes a stream, and waits until the service has written when it saw its user last. */
async function end(stream: LiveStream, userId = owner.user._id) {
  const seenAt = async () => {
    const { storage } = running.service
    return (await storage.forTenant(owner.tenant._id).users.find(userId))?.streamSeenAt
  }
  const before = await seenAt()
  aheadMs += 1_000
  stream.close()
  await expect.poll(seenAt).not.toBe(before)
}

/** An agent whom nobody has set online. */
async function newAgent(): Promise<Colleague> {
  const agent = await addColleague(running, { tenantId: owner.tenant._id, role: 'agent' })
  await data('PUT', '/users/me', { availability: null }, { token: agent.token })
  return agent
}

async function newInbox(members: string[], autoAssign: object = {}) {
  const body = { name: 'Support', members, autoAssign: { enabled: true, ...autoAssign } }
  return (await data('POST', '/inboxes', body))._id as string
}
const assigneeIn = async (inboxId: string, options = {}) =>
  (await data('POST', '/conversations', { subject: 'Help', inboxId }, options)).assignedTo

/** The events about a user. */
async function eventsOf(userId: string) {
  const { body } = await call(running.url, { path: '/api/v1/events?limit=100', token: owner.token })
  return body.data.filter((event: { data: { _id: string } }) => event.data._id === userId)
}

describe('a user', () => {
  it('is offline without a stream, signed in or invited, and online with one', async () => {
    expect(await me()).toMatchObject({
      availability: 'offline',
      availabilityMode: 'auto',
      availabilityUntil: null,
    })
    const invited = await data('POST', '/users', {
      email: `new-${owner.user._id}@example.com`,
      role: 'agent',
    })
    expect(invited.availability).toBe('offline')
    const accepted = await call(running.url, {
      method: 'POST',
      path: '/api/auth/accept-invite',
      body: { token: invited.inviteToken, password: 'correct horse battery' },
    })
    expect(accepted.body.data.user).toMatchObject({ isActive: true, availability: 'offline' })
    expect(await data('GET', `/users/${invited._id}`)).toMatchObject({ availability: 'offline' })
    await follow()
    expect(await me()).toMatchObject({ availability: 'online', availabilityMode: 'auto' })
    const listed = await data('GET', '/users')
    expect(listed.map(({ availability }: { availability: string }) => availability)).toEqual([
      'offline',
      'online',
    ])
  })

  // The time of the machine passes beside; `availability-rules.test.ts` has the very moments.
  it('goes away a minute after the end of the stream, and is offline after ten', async () => {
    await end(await follow())
    aheadMs = minutes(0.5)
    expect((await me()).availability).toBe('online')
    aheadMs = minutes(1.1)
    const away = await me()
    expect(away.availability).toBe('away')
    aheadMs = minutes(9.5)
    expect(await me()).toEqual(away)
    aheadMs = minutes(10.1)
    expect((await me()).availability).toBe('offline')
  })

  it('is away when all sessions with a stream are idle for ten minutes, and back with the next input', async () => {
    await follow()
    await activity('idle')
    await activity('idle')
    const since = (await me()).availabilitySince
    const other = await call(running.url, {
      method: 'POST',
      path: '/api/auth/login',
      body: { email: owner.user.email, password: 'correct horse battery' },
    })
    // Another session, without a stream, that says the same is no input.
    await activity('idle', { token: other.body.data.accessToken })
    aheadMs = minutes(11)
    // The process that holds the stream writes that it does, and no input.
    await running.service.noteWhoIsThere()
    expect(await me()).toMatchObject({ availability: 'away' })
    expect(await activity('active')).toMatchObject({ availability: 'online' })
    const back = await me()
    expect(back.availability).toBe('online')
    expect(back.availabilitySince > since).toBe(true)
    // Nobody says anything more, and the session is in use: the process that holds its stream knows that.
    aheadMs = minutes(14)
    await running.service.noteWhoIsThere()
    const { storage } = running.service
    const stored = await storage.forTenant(owner.tenant._id).users.find(owner.user._id)
    expect(stored?.idleSince).toBe(stored?.streamSeenAt)
  })

  it('comes online by opening a stream, and not by resuming one while idle', async () => {
    const stream = await follow()
    const position = stream.position()
    await activity('idle')
    await end(stream)
    aheadMs = minutes(11)
    await follow({ headers: { 'last-event-id': position } })
    expect((await me()).availability).toBe('away')
    await follow()
    expect((await me()).availability).toBe('online')
  })

  it('says that a state is needed, and a session', async () => {
    const refused = await send('PUT', '/users/me/activity', { state: 'asleep' })
    expect([refused.status, refused.body.details[0].field]).toEqual([422, 'state'])
  })

  it('leaves no event, no audit entry and no change by what streams and input say', async () => {
    const before = await me()
    await follow()
    await activity('idle')
    await activity('active')
    expect((await me()).updatedAt).toBe(before.updatedAt)
    const log = await call(running.url, { path: '/api/tenant/audit-log', token: owner.token })
    expect(log.body.data.filter(({ action }: { action: string }) => action === 'user.updated')).toEqual([])
    // The log has its events in order, and soon: once it has a later one, it has all of before.
    await data('PUT', '/users/me', { availability: 'away' })
    const types = async () => (await eventsOf(owner.user._id)).map(({ event }: { event: string }) => event)
    await expect.poll(types).toContain('user.updated')
    expect((await types()).filter((type: string) => type === 'user.updated')).toHaveLength(1)
  })
})

describe('PUT availability', () => {
  it('sets a mode beside which nothing counts, and null gives it back', async () => {
    await follow()
    const away = await data('PUT', '/users/me', { availability: 'away' })
    expect(away).toMatchObject({ availability: 'away', availabilityMode: 'away', availabilityUntil: null })
    await follow()
    expect((await me()).availability).toBe('away')
    expect(await data('PUT', '/users/me', {})).toEqual(await me())
    const back = await data('PUT', '/users/me', { availability: null })
    expect(back).toMatchObject({ availability: 'online', availabilityMode: 'auto' })
    // The log has them in their order, and soon.
    await expect.poll(async () => (await eventsOf(owner.user._id)).length).toBe(3)
    const events = (await eventsOf(owner.user._id)).slice(-2)
    expect(events[0].changes).toEqual({
      availability: { from: 'online', to: 'away' },
      availabilityMode: { from: 'auto', to: 'away' },
    })
    expect(events.at(-1)).toMatchObject({
      data: { availability: 'online', availabilityMode: 'auto' },
      changes: {
        availability: { from: 'away', to: 'online' },
        availabilityMode: { from: 'away', to: 'auto' },
      },
    })
  })

  it('ends by itself at a time, without an event', async () => {
    const agent = await newAgent()
    const until = isoIn(minutes(5))
    const path = `/users/${agent.userId}`
    const set = await data('PUT', path, { availability: 'online', availabilityUntil: until })
    expect(set).toMatchObject({ availability: 'online', availabilityUntil: until })
    const events = await eventsOf(agent.userId)
    // A change of something else leaves the end where it is; one that names no end removes it.
    expect(await data('PUT', path, { firstName: 'Ada' })).toMatchObject({ availabilityUntil: until })
    aheadMs = minutes(6)
    expect(await data('GET', path)).toMatchObject({
      availability: 'offline',
      availabilityMode: 'auto',
      availabilityUntil: null,
    })
    expect(await eventsOf(agent.userId)).toHaveLength(events.length + 1)
    aheadMs = 0
    expect(await data('PUT', path, { availability: 'online' })).toMatchObject({ availabilityUntil: null })
  })

  it('refuses an end that has passed, is too far away, or ends nothing', async () => {
    const rule = async (body: object) => {
      const { status, body: refused } = await send('PUT', '/users/me', body)
      return [status, refused.details[0].field, refused.details[0].rule]
    }
    const field = 'availabilityUntil'
    expect(await rule({ availability: 'away', [field]: isoIn(-1) })).toEqual([422, field, 'future'])
    expect(await rule({ availability: 'away', [field]: isoIn(minutes(8 * 24 * 60)) })).toEqual([
      422,
      field,
      'max',
    ])
    expect(await rule({ [field]: isoIn(minutes(5)) })).toEqual([422, field, 'availability'])
    expect(await rule({ availability: null, [field]: isoIn(minutes(5)) })).toEqual([
      422,
      field,
      'availability',
    ])
  })
})

describe('assignment', () => {
  it('chooses who is online; without onlyOnline, all who have not said that they are away', async () => {
    const [there, absent, away] = [await newAgent(), await newAgent(), await newAgent()]
    const members = [absent.userId, away.userId, there.userId]
    const inboxId = await newInbox(members)
    expect(await assigneeIn(inboxId)).toBeNull()
    await follow({ token: there.token })
    await data('PUT', '/users/me', { availability: 'away' }, { token: away.token })
    expect([await assigneeIn(inboxId), await assigneeIn(inboxId)]).toEqual([there.userId, there.userId])
    const changed = await data('PUT', `/inboxes/${inboxId}`, {
      autoAssign: { enabled: true, onlyOnline: false },
    })
    expect(changed.autoAssign).toEqual({
      enabled: true,
      strategy: 'round_robin',
      onlyOnline: false,
      maxOpen: null,
    })
    const both = [await assigneeIn(inboxId), await assigneeIn(inboxId)]
    expect(both.sort()).toEqual([there.userId, absent.userId].sort())
  })

  it('knows who is online in a process that holds no stream', async ({ skip }) => {
    if (!isMongoWorld) skip('one process alone opens a database of SQLite')
    const agent = await newAgent()
    const inboxId = await newInbox([agent.userId])
    const beside = await startService({ CRM_DATABASE_URL: running.databaseUrl ?? '' }, { clock })
    onTestFinished(() => beside.stop())
    await follow({ token: agent.token })
    expect(await assigneeIn(inboxId, { url: beside.url })).toBe(agent.userId)
    // Another session of the same person is idle there; the one that is in use counts.
    const login = { email: owner.user.email, password: 'correct horse battery' }
    const other = await call(beside.url, { method: 'POST', path: '/api/auth/login', body: login })
    const idle = { token: other.body.data.accessToken, url: beside.url }
    await follow()
    await follow(idle)
    await activity('idle', idle)
    aheadMs = minutes(11)
    await beside.service.noteWhoIsThere()
    await running.service.noteWhoIsThere()
    await beside.service.noteWhoIsThere()
    expect((await me({ url: beside.url })).availability).toBe('online')
  })
})

describe('a row of before', () => {
  const databaseUrl = () => running.databaseUrl ?? `sqlite:${running.dataDir}/crm.sqlite`
  const asBefore = (userId: string, availability: string) =>
    changeStoredRow({ databaseUrl: databaseUrl(), kind: 'users', id: userId }, (row) => {
      const { availabilityMode: _mode, availabilitySetAt: _at, ...rest } = row
      return { ...rest, availability }
    })

  it('is automatic where it says online, and keeps what somebody has set', async () => {
    const [quiet, gone] = [await newAgent(), await newAgent()]
    await asBefore(quiet.userId, 'online')
    await asBefore(gone.userId, 'away')
    expect(await data('GET', `/users/${quiet.userId}`)).toMatchObject({
      availability: 'offline',
      availabilityMode: 'auto',
    })
    expect(await data('GET', `/users/${gone.userId}`)).toMatchObject({
      availability: 'away',
      availabilityMode: 'away',
    })
    expect(await data('PUT', `/users/${gone.userId}`, { availability: null })).toMatchObject({
      availabilityMode: 'auto',
    })
  })

  it('of an inbox that assigns, goes on to assign to people whom no stream shows', async () => {
    const agent = await newAgent()
    const inboxId = await newInbox([agent.userId])
    expect(await assigneeIn(inboxId)).toBeNull()
    await changeStoredRow({ databaseUrl: databaseUrl(), kind: 'inboxes', id: inboxId }, (row) => {
      const { onlyOnline: _only, ...autoAssign } = row['autoAssign'] as Record<string, unknown>
      return { ...row, autoAssign }
    })
    expect((await data('GET', `/inboxes/${inboxId}`)).autoAssign.onlyOnline).toBe(false)
    expect(await assigneeIn(inboxId)).toBe(agent.userId)
    // A change of something else keeps it so.
    await data('PUT', `/inboxes/${inboxId}`, { name: 'Other' })
    expect((await data('GET', `/inboxes/${inboxId}`)).autoAssign.onlyOnline).toBe(false)
    expect(await data('PUT', `/inboxes/${inboxId}`, {})).toMatchObject({ name: 'Other' })
  })
})

describe('availability.changed', () => {
  it('goes to the streams of the tenant when somebody comes, sets something, or leaves by time alone', async () => {
    const agent = await newAgent()
    const stream = await follow()
    const own = await follow({ token: agent.token })
    const [came] = await stream.waitForType('availability.changed', 1)
    const { availabilitySince } = await data('GET', `/users/${agent.userId}`)
    expect(came).toEqual({
      event: 'availability.changed',
      timestamp: expect.any(String),
      data: { userId: agent.userId, availability: 'online', since: availabilitySince },
    })
    await data('PUT', '/users/me', { availability: 'away' }, { token: agent.token })
    await stream.waitForType('availability.changed', 2)
    await data('PUT', '/users/me', { availability: null }, { token: agent.token })
    await stream.waitForType('availability.changed', 3)
    await end(own, agent.userId)
    aheadMs = minutes(2)
    await running.service.noteWhoIsThere()
    await stream.waitForType('availability.changed', 4)
    aheadMs = minutes(11)
    await running.service.noteWhoIsThere()
    const all = await stream.waitForType('availability.changed', 5)
    expect(all.map(({ data: { availability } }) => availability)).toEqual([
      'online',
      'away',
      'online',
      'away',
      'offline',
    ])
  })

  it('shows a person who has restricted the processing of their data as offline to all but them', async () => {
    const agent = await newAgent()
    const stream = await follow()
    await follow({ token: agent.token })
    await stream.waitForType('availability.changed', 1)
    const inboxId = await newInbox([agent.userId])
    const requested = await call(running.url, {
      method: 'POST',
      path: '/api/data-privacy/restriction-request',
      token: agent.token,
      body: { reason: 'Not now' },
    })
    const path = `/api/tenant/privacy-requests/${requested.body.request._id ?? requested.body.request.id}/approve`
    await call(running.url, { method: 'POST', path, token: owner.token, body: {} })
    const [, left] = await stream.waitForType('availability.changed', 2)
    expect(left?.data).toMatchObject({ userId: agent.userId, availability: 'offline' })
    expect(await data('GET', `/users/${agent.userId}`)).toMatchObject({
      availability: 'offline',
      processingRestricted: true,
    })
    expect((await me({ token: agent.token })).availability).toBe('online')
    expect(await assigneeIn(inboxId)).toBeNull()
    // An admin who changes something else of them learns no more.
    const changed = await data('PUT', `/users/${agent.userId}`, { firstName: 'Ada' })
    expect(changed.availability).toBe('offline')
  })
})

describe('the end of a user', () => {
  it('is the end of the signs of their streams', async () => {
    const agent = await newAgent()
    const stream = await follow({ token: agent.token })
    await data('PUT', `/users/${agent.userId}`, { isActive: false })
    await stream.ended
    expect(await data('GET', `/users/${agent.userId}`)).toMatchObject({ availability: 'offline' })
    expect((await send('DELETE', `/users/${agent.userId}`)).status).toBe(200)
    expect((await send('GET', `/users/${agent.userId}`)).status).toBe(404)
  })
})
