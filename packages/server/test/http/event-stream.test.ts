// Runs on both databases by day: the order of the log as it is written.

import { afterEach, expect, it } from 'vitest'
import { isoTime } from '../../src/shared/clock.ts'
import { addColleague } from '../support/add-colleague.ts'
import { call, createKey, registerTenant } from '../support/call.ts'
import { type OpenStream, openStream } from '../support/open-stream.ts'
import { useService } from '../support/use-service.ts'

const running = useService({ CRM_RATE_LIMITS: 'off' })
let owner: Awaited<ReturnType<typeof registerTenant>>
const open: OpenStream[] = []

afterEach(() => {
  for (const stream of open.splice(0)) stream.close()
})

async function newTenant(): Promise<void> {
  owner = await registerTenant(running.url)
}

interface StreamOptions {
  token?: string
  query?: string
  headers?: Record<string, string>
}

async function stream(options: StreamOptions = {}) {
  const opened = await openStream(running.url, { token: owner.token, ...options })
  open.push(opened)
  return opened
}

async function send(method: string, path: string, body?: unknown) {
  const response = await call(running.url, { method, path, token: owner.token, body })
  expect(response.body).toMatchObject({ success: true })
  return response.body.data
}

const addCustomer = (firstName: string) => send('POST', '/api/v1/customers', { firstName })

/** A registration sends an event, too. */
const customers = 'types=customer.created,customer.deleted'

/** The log as the list shows it, once it has this length. */
async function listed(count: number, query = 'limit=100') {
  for (;;) {
    const { body } = await call(running.url, {
      path: `/api/v1/events?${customers}&${query}`,
      token: owner.token,
    })
    if (body.data.length >= count) return body
  }
}

const namesOf = (messages: readonly { data: string }[]) =>
  messages.map(({ data }) => JSON.parse(data).data.profile?.firstName)

it('streams new events, byte for byte as they are stored, with position and type', async () => {
  await newTenant()
  await addCustomer('Before')
  await listed(1)
  const live = await stream({ query: customers })
  expect(live.status).toBe(200)
  expect(live.headers).toMatchObject({
    'content-type': 'text/event-stream; charset=utf-8',
    'cache-control': 'no-store, no-transform',
    'x-content-type-options': 'nosniff',
    'x-api-version': 'v1',
  })
  const { _id } = await addCustomer('Ada “née Byron” 🧮')
  const [message] = await live.waitFor(1)
  expect(message?.event).toBe('customer.created')
  const body = JSON.parse(message?.data ?? '')
  const stored = await running.service.storage.forTenant(owner.tenant._id).events.find(body.id)
  expect(message?.data).toBe(stored?.body)
  expect(body).toMatchObject({ event: 'customer.created', data: { _id } })
})

it('lists the same events with positions that the list and the stream both accept [own.eventLog]', async () => {
  await newTenant()
  for (const name of ['One', 'Two', 'Three']) await addCustomer(name)
  await listed(3)
  const first = await listed(2, 'limit=2')
  expect(first.pagination).toEqual({ limit: 2, nextCursor: expect.any(String) })
  const { nextCursor } = first.pagination
  const rest = await listed(1, `after=${nextCursor}`)
  expect(rest.data.map((event: { data: { profile: object } }) => event.data.profile)).toMatchObject([
    { firstName: 'Three' },
  ])
  const behind = await listed(0, `after=${rest.pagination.nextCursor}`)
  expect(behind).toMatchObject({ data: [], pagination: { nextCursor: rest.pagination.nextCursor } })
  const replay = await stream({ query: `after=${nextCursor}&${customers}` })
  expect(namesOf(await replay.waitFor(1))).toEqual(['Three'])
  const resumed = await stream({ query: 'after=latest', headers: { 'Last-Event-ID': nextCursor } })
  expect(namesOf(await resumed.waitFor(1))).toEqual(['Three'])
  const all = await stream({ query: `after=earliest&${customers}` })
  expect(namesOf(await all.waitFor(3))).toEqual(['One', 'Two', 'Three'])
  expect((await listed(0, 'after=latest')).data).toEqual([])
})

it('loses no event between two streams, also when the first one broke before its first event [own.eventLog]', async () => {
  await newTenant()
  const broken = await stream({ query: customers })
  while (broken.position() === '') await new Promise((resolve) => setImmediate(resolve))
  broken.close()
  await addCustomer('Missed')
  const next = await stream({ query: customers, headers: { 'Last-Event-ID': broken.position() } })
  await addCustomer('Live')
  expect(namesOf(await next.waitFor(2))).toEqual(['Missed', 'Live'])
})

it('shows each type only to callers who may read its data [own.eventLog]', async () => {
  await newTenant()
  const tenantId = owner.tenant._id
  const agent = await addColleague(running, { tenantId, role: 'agent' })
  const keys = {
    customers: await createKey(running.url, owner.token, ['read:customers']),
    hooks: await createKey(running.url, owner.token, ['webhook:manage']),
    nothing: await createKey(running.url, owner.token, ['read:conversations', 'read:analytics']),
  }
  const streams = await Promise.all(
    [owner.token, agent.token, keys.customers, keys.hooks].map((token) => stream({ token })),
  )
  const customer = await addCustomer('Ada')
  const [inbox] = await send('GET', '/api/v1/inboxes')
  await send('POST', '/api/v1/conversations', {
    subject: 'Hi',
    inboxId: inbox._id,
    customerId: customer._id,
  })
  await send('PUT', `/api/v1/users/${owner.user._id}`, { lastName: 'New' })
  await addCustomer('End')
  const [all, byAgent, byCustomers] = await Promise.all(
    [4, 3, 2].map((count, index) => streams[index]?.waitFor(count)),
  )
  const typesOf = (messages: readonly { event: string }[] = []) => messages.map(({ event }) => event)
  const everything = ['customer.created', 'conversation.created', 'user.updated', 'customer.created']
  expect(typesOf(all)).toEqual(everything)
  expect(typesOf(byAgent)).toEqual(everything.filter((type) => type !== 'user.updated'))
  expect(typesOf(byCustomers)).toEqual(['customer.created', 'customer.created'])
  expect(typesOf(await streams[3]?.waitFor(1))).toEqual(['user.updated'])
  for (const path of ['/api/v1/events', '/api/v1/events/stream']) {
    const refused = await call(running.url, { path, token: keys.nothing })
    expect(refused).toMatchObject({ status: 403, body: { code: 'PERMISSION_DENIED' } })
    const hidden = await call(running.url, { path: `${path}?types=message.sent`, token: keys.customers })
    expect(hidden).toMatchObject({ status: 403, body: { code: 'PERMISSION_DENIED' } })
  }
})

it('shows only the requested types', async () => {
  await newTenant()
  const updates = await stream({ query: 'types=customer.updated,customer.deleted' })
  const { _id } = await addCustomer('Ada')
  await send('PUT', `/api/v1/customers/${_id}`, { firstName: 'Augusta' })
  await send('DELETE', `/api/v1/customers/${_id}`)
  const seen = await updates.waitFor(2)
  expect(seen.map(({ event }) => event)).toEqual(['customer.updated', 'customer.deleted'])
})

it('shows erased events in their erased form', async () => {
  await newTenant()
  const { _id } = await addCustomer('Ada')
  await send('DELETE', `/api/v1/customers/${_id}`)
  await listed(2)
  const replay = await stream({ query: `after=earliest&${customers}` })
  const [created, deleted] = await replay.waitFor(2)
  expect(JSON.parse(created?.data ?? '')).toMatchObject({ data: { _id, erased: true } })
  expect(created?.data).not.toContain('Ada')
  expect(deleted?.event).toBe('customer.deleted')
  expect((await listed(2)).data[0].data).toEqual({ _id, erased: true })
})

it.each([
  ['after=garbage', {}, { field: 'after', rule: 'cursor', in: 'query' }],
  ['after=WyJldmVudHMiLDk5OTk5OTksIiJd', {}, { field: 'after', rule: 'cursor', in: 'query' }],
  ['', { 'Last-Event-ID': 'garbage' }, { field: 'Last-Event-ID', rule: 'cursor', in: 'header' }],
  ['types=customer.created,nothing', {}, { field: 'types', rule: 'enum', in: 'query' }],
])('refuses positions that the log has not given: ?%s %o', async (query, headers, problem) => {
  await newTenant()
  const path = `/api/v1/events/stream?${query}`
  const response = await call(running.url, { path, token: owner.token, headers })
  expect(response).toMatchObject({ status: 422, body: { code: 'VALIDATION_ERROR', details: [problem] } })
  if (problem.in === 'header') return
  const list = await call(running.url, { path: `/api/v1/events?${query}`, token: owner.token })
  expect(list).toMatchObject({ status: 422, body: { details: [problem] } })
})

it('shows nothing of another tenant, whose positions are unknown', async () => {
  await newTenant()
  await addCustomer('Theirs')
  const { nextCursor } = (await listed(1)).pagination
  await newTenant()
  const replay = await stream({ query: `after=earliest&${customers}` })
  const behind = await stream({ query: `after=${nextCursor}&${customers}` })
  await addCustomer('Ours')
  expect(namesOf(await replay.waitFor(1))).toEqual(['Ours'])
  expect(namesOf(await behind.waitFor(1))).toEqual(['Ours'])
})

it('opens at most five streams for one credential, and frees a slot when one ends', async () => {
  await newTenant()
  const key = await createKey(running.url, owner.token, ['read:customers'])
  const streams = await Promise.all(Array.from({ length: 5 }, () => stream({ token: key })))
  const sixth = await call(running.url, { path: '/api/v1/events/stream', token: key })
  expect(sixth).toMatchObject({
    status: 429,
    body: { code: 'RATE_LIMIT_EXCEEDED', limit: 5, resetAt: expect.any(String) },
  })
  expect(sixth.headers.get('retry-after')).toBe('10')
  expect((await stream()).status).toBe(200)
  streams[0]?.close()
  let status = 429
  while (status === 429) {
    const again = await stream({ token: key })
    status = again.status
  }
  expect(status).toBe(200)
})

it('ends when its key is revoked, its user deactivated or its session ended', async () => {
  await newTenant()
  const key = await createKey(running.url, owner.token, ['read:customers'])
  const agent = await addColleague(running, { tenantId: owner.tenant._id, role: 'agent' })
  const streams = await Promise.all([key, agent.token, owner.token].map((token) => stream({ token })))
  const keys = (await call(running.url, { path: '/api/tenant/api-keys', token: owner.token })).body.data.keys
  await send('DELETE', `/api/tenant/api-keys/${keys[0]._id}`)
  await streams[0]?.ended
  await send('PUT', `/api/v1/users/${agent.userId}`, { isActive: false })
  await streams[1]?.ended
  await call(running.url, { method: 'POST', path: '/api/auth/logout', token: owner.token })
  await streams[2]?.ended
})

it('ends when its access token ends', async () => {
  await newTenant()
  const { service } = running
  const nowMs = Date.now() - 898_000
  const { _id: userId, role } = owner.user
  const [, payload = ''] = owner.token.split('.')
  const { sid: sessionId } = JSON.parse(Buffer.from(payload, 'base64url').toString())
  const token = service.tokens.accessToken({ userId, tenantId: owner.tenant._id, sessionId, role, nowMs })
  const short = await stream({ token })
  expect(short.status).toBe(200)
  await short.ended
  expect(isoTime(Date.now()) >= isoTime(nowMs + 899_000)).toBe(true)
})

it('supports HEAD and legacy paths', async () => {
  await newTenant()
  const head = await fetch(`${running.url}/api/v1/events/stream`, {
    method: 'HEAD',
    headers: { authorization: `Bearer ${owner.token}` },
  })
  expect(head.status).toBe(200)
  const controller = new AbortController()
  const legacy = await fetch(`${running.url}/api/events/stream`, {
    headers: { authorization: `Bearer ${owner.token}` },
    signal: controller.signal,
  })
  expect(legacy.headers.get('x-api-deprecated')).toBe('true')
  controller.abort()
})
