import { beforeEach, describe, expect, test } from 'vitest'
import { addColleague } from '../support/add-colleague.ts'
import { call, registerTenant } from '../support/call.ts'
import { useService } from '../support/use-service.ts'

const service = useService()
let owner: Awaited<ReturnType<typeof registerTenant>>
beforeEach(async () => {
  owner = await registerTenant(service.url)
})

type Method = 'GET' | 'POST' | 'PUT' | 'DELETE'
const ask = (method: Method, path: string, body?: unknown) =>
  call(service.url, {
    method,
    path: `/api/v1${path}`,
    token: owner.token,
    ...(body !== undefined && { body }),
  })
const create = async (body: object) => (await ask('POST', '/inboxes', { name: 'Support', ...body })).body.data
const list = async () => (await ask('GET', '/inboxes?limit=100')).body.data
const colleague = async () =>
  (await addColleague(service, { tenantId: owner.tenant._id, role: 'agent' })).userId

describe('an inbox', () => {
  test('is created with its defaults, changed field by field, and removed', async () => {
    const made = await ask('POST', '/inboxes', { name: ' Support ' })
    expect(made.status).toBe(201)
    expect(made.body.data).toMatchObject({
      name: 'Support',
      channel: 'email',
      isActive: true,
      isDefault: false,
      members: [],
      autoAssign: { enabled: false, strategy: 'round_robin', maxOpen: null },
      widget: { enabled: false, publicKey: null },
    })
    const path = `/inboxes/${made.body.data._id}`
    const widget = { enabled: true, allowedOrigins: ['https://Shop.example.com'], color: '#3457d5' }
    const changed = await ask('PUT', path, { widget, members: [owner.user._id, owner.user._id] })
    const log = await call(service.url, { path: '/api/tenant/audit-log?limit=1', token: owner.token })
    expect(log.body.data[0].action).toBe('inbox.updated')
    expect(log.body.data[0].changed.sort()).toEqual([
      'members',
      'widget.allowedOrigins',
      'widget.color',
      'widget.enabled',
      'widget.publicKey',
    ])
    const { publicKey } = changed.body.data.widget
    expect(publicKey).toMatch(/^wpk_[\w-]{24}$/)
    expect(changed.body.data.members).toEqual([owner.user._id])
    expect(changed.body.data.widget.allowedOrigins).toEqual(['https://shop.example.com'])
    const off = await ask('PUT', path, { widget: null })
    expect(off.body.data.widget).toMatchObject({ enabled: false, publicKey, allowedOrigins: [] })
    expect((await ask('DELETE', path)).status).toBe(200)
    expect((await ask('GET', path)).status).toBe(404)
  })

  test('refuses unknown members, pages as origins, and invalid colours', async () => {
    const { status, body } = await ask('POST', '/inboxes', { name: 'A', members: [owner.user._id, 'usr_x'] })
    expect([status, body.details]).toMatchObject([422, [{ field: 'members.1', rule: 'reference' }]])
    const origins = ['https://a.example/page', 'http://a.example', 'null', 'https://a.example:443', '*']
    const refused = await ask('POST', '/inboxes', {
      name: 'A',
      widget: { allowedOrigins: origins, color: 'url(x)' },
    })
    expect(refused.body.details.map(({ field }: { field: string }) => field)).toEqual([
      ...origins.map((_, index) => `widget.allowedOrigins.${index}`),
      'widget.color',
    ])
  })

  test('exactly one inbox is the default, also when many become it at once [own.inboxes]', async () => {
    const made = await Promise.all(Array.from({ length: 4 }, () => create({})))
    const responses = await Promise.all(
      made.map(({ _id }) => ask('PUT', `/inboxes/${_id}`, { isDefault: true })),
    )
    expect(responses.map(({ status }) => status)).toEqual([200, 200, 200, 200])
    const defaults = (await list()).filter(({ isDefault }: { isDefault: boolean }) => isDefault)
    expect(defaults).toHaveLength(1)
    const path = `/inboxes/${defaults[0]._id}`
    for (const body of [{ isDefault: false }, { isActive: false }]) {
      const refused = await ask('PUT', path, body)
      expect([refused.status, refused.body.code]).toEqual([409, 'INVALID_STATE'])
    }
    expect((await ask('DELETE', path)).body.code).toBe('INVALID_STATE')
  })

  test('cannot be deleted while it has conversations', async () => {
    const { _id: inboxId } = await create({})
    await ask('POST', '/conversations', { subject: 'Here', inboxId })
    const refused = await ask('DELETE', `/inboxes/${inboxId}`)
    expect([refused.status, refused.body.code]).toEqual([409, 'INVALID_STATE'])
  })
})

describe('auto-assignment', () => {
  const open = async (inboxId: string, body = {}) =>
    (await ask('POST', '/conversations', { subject: 'Work', inboxId, ...body })).body.data.assignedTo

  test('assigns each member the same number, also when many conversations come at once [own.inboxes]', async () => {
    const members = [await colleague(), await colleague(), await colleague()]
    const { _id } = await create({ members, autoAssign: { enabled: true } })
    const assigned: string[] = await Promise.all(Array.from({ length: 30 }, () => open(_id)))
    for (const member of members) expect(assigned.filter((id) => id === member)).toHaveLength(10)
  })

  test('skips members who are away or inactive, and members with enough open conversations', async () => {
    const [first, away, inactive] = [await colleague(), await colleague(), await colleague()]
    await ask('PUT', `/users/${away}`, { availability: 'away' })
    await ask('PUT', `/users/${inactive}`, { isActive: false })
    const { _id } = await create({
      members: [away, first, inactive],
      autoAssign: { enabled: true, maxOpen: 2 },
    })
    expect([await open(_id), await open(_id), await open(_id)]).toEqual([first, first, null])
    const conversations = await ask('GET', `/conversations?assignedTo=${first}`)
    await ask('PUT', `/conversations/${conversations.body.data[0]._id}`, { status: 'closed' })
    expect(await open(_id)).toBe(first)
  })

  test('respects an explicit assignee, and sends an event for its own choice', async () => {
    const [chosen, other] = [await colleague(), await colleague()]
    const { _id } = await create({ members: [chosen], autoAssign: { enabled: true } })
    expect(await open(_id, { assignedTo: other })).toBe(other)
    const webhook = await ask('POST', '/webhooks', {
      name: 'Assigned',
      url: 'https://127.0.0.1:1024/hook',
      events: ['conversation.assigned'],
      retryPolicy: { maxRetries: 0 },
    })
    expect(await open(_id)).toBe(chosen)
    const logs = await ask('GET', `/webhooks/${webhook.body.data._id}/logs`)
    expect(logs.body.data.logs).toMatchObject([{ event: 'conversation.assigned' }])
  })
})
