// Runs on both databases by day: the limits hold also when requests meet.

import { expect, test, vi } from 'vitest'
import type { TenantId } from '../../src/storage/records.ts'
import { addColleague } from '../support/add-colleague.ts'
import { call, createKey, registerTenant } from '../support/call.ts'
import { useService } from '../support/use-service.ts'

const running = useService()
const path = '/api/v1/views'

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
  const body = { name: 'Urgent', filter: { status: ['open'], priority: 'urgent' }, ...fields }
  const reply = await send('POST', path, body)
  expect([reply.status, reply.body.error]).toEqual([201, undefined])
  return reply.body.data
}

const names = async (send: Send) =>
  (await send('GET', `${path}?limit=100`)).body.data.map(({ name }: { name: string }) => name)
const refusal = async (sent: ReturnType<Send>) => {
  const { status, body } = await sent
  const rules = Array.isArray(body.details)
    ? body.details.map(({ field, rule }: { field: string; rule: string }) => `${field} ${rule}`)
    : []
  return [status, body.code, ...rules]
}
const customer = async (send: Send, firstName = 'Ada') =>
  (await send('POST', '/api/v1/customers', { firstName })).body.data._id

test('a view is made, read, listed by its name, changed and deleted', async () => {
  const { tenantId, user, send } = await newTenant()
  const view = await made(send)
  expect(view).toEqual({
    _id: expect.stringMatching(/^viw_/),
    tenantId,
    name: 'Urgent',
    filter: { status: ['open'], priority: 'urgent' },
    sort: '-updatedAt',
    isShared: false,
    ownerId: user._id,
    createdAt: expect.any(String),
    updatedAt: expect.any(String),
  })
  await made(send, { name: 'Mine', filter: { assignedTo: 'me' }, sort: 'waiting' })
  expect(await names(send)).toEqual(['Mine', 'Urgent'])
  const one = `${path}/${view._id}`
  expect((await send('GET', one)).body.data).toEqual(view)

  expect((await send('PUT', one, {})).body.data).toEqual(view)
  const changed = (await send('PUT', one, { filter: { label: 'vip' }, sort: 'priority' })).body.data
  expect(changed).toMatchObject({ name: 'Urgent', filter: { label: 'vip' }, sort: 'priority' })
  expect(changed.filter).toEqual({ label: 'vip' })
  expect((await send('GET', one)).body.data).toEqual(changed)
  expect((await send('DELETE', one)).body).toEqual({ success: true, message: 'View deleted' })
  expect((await send('GET', one)).status).toBe(404)
  expect(await names(send)).toEqual(['Mine'])
})

test('a page of the list ends where the next begins, over the views of the team and one’s own', async () => {
  const { send, colleague } = await newTenant()
  const agent = await colleague('agent')
  for (const name of ['a', 'c', 'e']) await made(send, { name, isShared: true })
  for (const name of ['b', 'd']) await made(agent.send, { name })
  const seen: string[] = []
  let cursor: string | null = ''
  while (cursor !== null) {
    const at: string = cursor === '' ? '' : `&cursor=${cursor}`
    const { body } = await agent.send('GET', `${path}?limit=2${at}`)
    expect(body.pagination.total).toBe(5)
    seen.push(...body.data.map(({ name }: { name: string }) => name))
    cursor = body.pagination.nextCursor
  }
  expect(seen).toEqual(['a', 'b', 'c', 'd', 'e'])
  const second = await agent.send('GET', `${path}?limit=2&page=2`)
  expect(second.body.data.map(({ name }: { name: string }) => name)).toEqual(['c', 'd'])
  expect(await refusal(agent.send('GET', `${path}?cursor=abc`))).toEqual([
    422,
    'VALIDATION_ERROR',
    'cursor cursor',
  ])
})

test('a view of one user alone is unknown to everybody else, also to an admin', async () => {
  const { send, colleague } = await newTenant()
  const agent = await colleague('agent')
  const own = await made(agent.send, { name: 'Own' })
  expect(own.ownerId).toBe(agent.userId)
  expect(await names(send)).toEqual([])
  for (const method of ['GET', 'PUT', 'DELETE']) {
    const body = method === 'PUT' ? { name: 'Taken' } : undefined
    expect((await send(method, `${path}/${own._id}`, body)).status).toBe(404)
  }
  expect(await names(agent.send)).toEqual(['Own'])
})

test('a shared view is changed and deleted by its owner or an admin, and a viewer shares none', async () => {
  const { send, user, colleague } = await newTenant()
  const [maker, other, viewer] = [
    await colleague('agent'),
    await colleague('agent'),
    await colleague('viewer'),
  ]
  const { _id } = await made(maker.send, { isShared: true })
  const one = `${path}/${_id}`
  expect((await other.send('GET', one)).status).toBe(200)
  for (const [method, body] of [
    ['PUT', { name: 'X' }],
    ['PUT', {}],
    ['DELETE', undefined],
  ] as const)
    expect(await refusal(other.send(method, one, body))).toEqual([403, 'PERMISSION_DENIED'])
  expect((await maker.send('PUT', one, { name: 'By its owner' })).body.data.ownerId).toBe(maker.userId)

  expect(await names(viewer.send)).toEqual(['By its owner'])
  const shared = { name: 'X', filter: {}, isShared: true }
  expect(await refusal(viewer.send('POST', path, shared))).toEqual([403, 'PERMISSION_DENIED'])
  const own = await made(viewer.send)
  const share = viewer.send('PUT', `${path}/${own._id}`, { isShared: true })
  expect(await refusal(share)).toEqual([403, 'PERMISSION_DENIED'])

  // An admin who takes it from the team has it alone.
  const taken = (await send('PUT', one, { isShared: false })).body.data
  expect([taken.isShared, taken.ownerId]).toEqual([false, user._id])
  expect((await maker.send('GET', one)).status).toBe(404)
  await send('PUT', one, { isShared: true })
  expect((await maker.send('GET', one)).body.data.ownerId).toBe(user._id)
  expect(await refusal(maker.send('DELETE', one))).toEqual([403, 'PERMISSION_DENIED'])
  expect((await send('DELETE', one)).status).toBe(200)
})

test('a filter is checked as the list of conversations checks its parameters', async () => {
  const { send } = await newTenant()
  const other = await newTenant()
  const foreign = await customer(other.send)
  const create = (filter: object) => refusal(send('POST', path, { name: 'X', filter }))
  expect(await create({ status: ['done'] })).toEqual([422, 'VALIDATION_ERROR', 'filter.status.0 enum'])
  expect(await create({ priority: 'none', colour: 'red', waiting: 'yes' })).toEqual([
    422,
    'VALIDATION_ERROR',
    'filter.priority enum',
    'filter.waiting type',
    'filter.colour unknown_field',
  ])
  expect(await create({ createdSince: 'yesterday' })).toEqual([
    422,
    'VALIDATION_ERROR',
    expect.stringMatching(/^filter\.createdSince /),
  ])
  expect(await create({ customerId: foreign, inboxId: 'inb_none', assignedTo: 'usr_none' })).toEqual([
    422,
    'VALIDATION_ERROR',
    'filter.assignedTo reference',
    'filter.inboxId reference',
    'filter.customerId reference',
  ])
  expect((await create({ assignedTo: 'none' }))[0]).toBe(201)
  const { _id } = await made(send)
  const update = send('PUT', `${path}/${_id}`, { filter: { customerId: foreign } })
  expect(await refusal(update)).toEqual([422, 'VALIDATION_ERROR', 'filter.customerId reference'])
  expect(await refusal(send('PUT', `${path}/${_id}`, { sort: 'name' }))).toEqual([
    422,
    'VALIDATION_ERROR',
    'sort enum',
  ])
})

test('“me” in a view and in the list of conversations is whoever looks, and an API key is refused with the reason', async () => {
  const { send, user, colleague, key } = await newTenant()
  const agent = await colleague('agent')
  await made(send, { name: 'Mine', filter: { assignedTo: 'me' }, isShared: true })
  const inboxId = (await send('GET', '/api/v1/inboxes')).body.data[0]._id
  for (const [subject, assignedTo] of [
    ['For the owner', user._id],
    ['For the agent', agent.userId],
  ])
    await send('POST', '/api/v1/conversations', { subject, assignedTo, inboxId })
  for (const [by, subject] of [
    [send, 'For the owner'],
    [agent.send, 'For the agent'],
  ] as const) {
    const [view] = (await by('GET', path)).body.data
    const { body } = await by('GET', `/api/v1/conversations?assignedTo=${view.filter.assignedTo}`)
    expect(body.data.map((row: { subject: string }) => row.subject)).toEqual([subject])
  }
  const byKey = await key('read:conversations', 'write:conversations')
  const { status, body } = await byKey('GET', '/api/v1/conversations?assignedTo=me')
  expect([status, body.details]).toEqual([
    422,
    [expect.objectContaining({ field: 'assignedTo', message: expect.stringContaining('API key') })],
  ])
  expect((await byKey('GET', path)).status).toBe(403)
})

test('a user has 100 views of their own, and the team 200, also when requests meet', async () => {
  const { send, colleague } = await newTenant()
  const agent = await colleague('agent')
  const many = (by: Send, count: number, fields: object) =>
    Promise.all(
      Array.from({ length: count }, (_, n) => by('POST', path, { name: `V${n}`, filter: {}, ...fields })),
    )
  const fill = async (count: number, by: Send, fields: object) => {
    const statuses: number[] = []
    for (let done = 0; done < count; done += 10)
      statuses.push(...(await many(by, 10, fields)).map(({ status }) => status))
    return statuses.filter((status) => status !== 201)
  }
  expect(await fill(90, agent.send, {})).toEqual([])
  const last = await many(agent.send, 15, {})
  expect(last.filter(({ status }) => status === 201)).toHaveLength(10)
  const refused = last.filter(({ status }) => status !== 201)
  expect(refused.map(({ body }) => [body.code, body.details])).toEqual(
    Array.from({ length: 5 }, () => ['CONFLICT', { limit: 100 }]),
  )
  expect(await fill(200, send, { isShared: true })).toEqual([])
  const more = await send('POST', path, { name: 'More', filter: {}, isShared: true })
  expect([more.status, more.body.details]).toEqual([409, { limit: 200 }])
  // One of their own cannot be shared, and a shared one cannot become theirs.
  const { body } = await agent.send('GET', `${path}?limit=100&page=3`)
  expect(body.pagination.total).toBe(300)
  const [own] = (await agent.send('GET', `${path}?limit=100`)).body.data.filter(
    ({ isShared }: { isShared: boolean }) => !isShared,
  )
  expect((await agent.send('PUT', `${path}/${own._id}`, { isShared: true })).status).toBe(409)
  expect((await agent.send('PUT', `${path}/${own._id}`, { name: 'Other' })).status).toBe(200)
  await agent.send('DELETE', `${path}/${own._id}`)
  expect((await agent.send('POST', path, { name: 'Again', filter: {} })).status).toBe(201)
}, 120_000)

test('a filter loses a customer who is erased', async () => {
  const { send } = await newTenant()
  const gone = await customer(send)
  const filter = { status: ['open'], customerId: gone }
  const { _id } = await made(send, { filter })
  expect((await send('GET', `${path}/${_id}`)).body.data.filter).toEqual(filter)
  expect((await send('DELETE', `/api/v1/customers/${gone}`)).status).toBe(200)
  await vi.waitFor(async () => {
    expect((await send('GET', `${path}/${_id}`)).body.data.filter).toEqual({ status: ['open'] })
  })
})

test('a filter follows a customer who is merged, and comes back with an undone merge', async () => {
  const { send } = await newTenant()
  const [source, target] = [await customer(send, 'Ada'), await customer(send, 'Ida')]
  const { _id } = await made(send, { filter: { customerId: source } })
  const shown = async () => (await send('GET', `${path}/${_id}`)).body.data.filter.customerId
  const merge = await send('POST', `/api/v1/customers/${target}/merge`, { sourceId: source })
  expect([merge.status, merge.body.error]).toEqual([200, undefined])
  await vi.waitFor(async () => expect(await shown()).toBe(target))
  const undo = await send('POST', `/api/v1/customers/${target}/unmerge`, { sourceId: source })
  expect([undo.status, undo.body.error]).toEqual([200, undefined])
  await vi.waitFor(async () => expect(await shown()).toBe(source))
})

test('views of a removed user alone end with them, shared ones stay, and filters lose the user', async () => {
  const { send, colleague } = await newTenant()
  const agent = await colleague('agent')
  await made(agent.send, { name: 'Own' })
  const shared = await made(agent.send, { name: 'Shared', isShared: true })
  const named = await made(send, { name: 'Named', filter: { status: ['open'], assignedTo: agent.userId } })
  expect((await send('DELETE', `/api/v1/users/${agent.userId}`)).status).toBe(200)
  await vi.waitFor(async () => {
    const left = (await send('GET', `${path}/${shared._id}`)).body.data
    const filtered = (await send('GET', `${path}/${named._id}`)).body.data
    expect([left.ownerId, left.isShared, filtered.filter]).toEqual([null, true, { status: ['open'] }])
  })
  expect(await names(send)).toEqual(['Named', 'Shared'])
  expect((await send('PUT', `${path}/${shared._id}`, { name: 'Kept' })).status).toBe(200)
})

test('the own data of a user hold their views, with the words that they search for', async () => {
  const { send, user } = await newTenant()
  const view = await made(send, { filter: { search: 'a broken lamp' } })
  const data = JSON.parse((await send('GET', '/api/data-privacy/export')).body)
  const expected = { _id: view._id, filter: { search: 'a broken lamp' }, ownerId: user._id }
  expect(data.views).toEqual([expect.objectContaining(expected)])
  expect(data.views[0]).not.toHaveProperty('slot')
})
