import { beforeEach, expect, test } from 'vitest'
import { addColleague } from '../support/add-colleague.ts'
import { call, createKey, registerTenant } from '../support/call.ts'
import { useService } from '../support/use-service.ts'

const service = useService()
let owner: Awaited<ReturnType<typeof registerTenant>>
let id: string
beforeEach(async () => {
  owner = await registerTenant(service.url)
  id = (await ask('GET', '/api/v1/inboxes')).body.data[0]._id
})

const ask = (method: string, path: string, body?: unknown, token = owner.token) =>
  call(service.url, { method, path, token, ...(body !== undefined && { body }) })
const make = (body: object = {}, headers: Record<string, string> = {}) => {
  const path = `/api/v1/inboxes/${id}/widget-secret`
  return call(service.url, { method: 'POST', path, token: owner.token, body, headers })
}
const stored = () => service.service.storage.forTenant(owner.tenant._id).inboxes.find(id)

test('is shown once: no later reply and no stored text holds it [own.widgetSecret]', async () => {
  const made = await make({}, { 'idempotency-key': 'once' })
  expect(made.status).toBe(200)
  const { secret, widget } = made.body.data
  expect(secret).toMatch(/^wis_[\w-]{43}$/)
  expect(widget).toMatchObject({
    identitySecretPrefix: secret.slice(0, 8),
    previousIdentitySecretExpiresAt: null,
  })
  const repeated = await make({}, { 'idempotency-key': 'once' })
  expect([repeated.status, repeated.body.code, repeated.body.details]).toEqual([409, 'CONFLICT', { _id: id }])
  const later = await Promise.all([
    ask('GET', `/api/v1/inboxes/${id}`),
    ask('GET', '/api/v1/inboxes'),
    ask('PUT', `/api/v1/inboxes/${id}`, { name: 'Renamed', widget: { enabled: true } }),
    ask('PUT', `/api/v1/inboxes/${id}`, {}),
    ask('GET', '/api/tenant/audit-log'),
    ask('GET', '/api/v1/events?after=earliest'),
  ])
  const rest = secret.slice(8)
  expect(JSON.stringify([repeated.body, later.map(({ body }) => body)])).not.toMatch(
    new RegExp(`${rest}|sealed`),
  )
  expect(JSON.stringify(await stored())).not.toContain(rest)
  expect((await stored())?.widget).toMatchObject({ enabled: true, identitySecretPrefix: secret.slice(0, 8) })
})

test('has two valid values during a rotation; a third is refused, and a rotation without overlap ends both [own.widgetSecret]', async () => {
  const first = (await make({ overlapSeconds: 3600 })).body.data
  const second = await make({ overlapSeconds: 3600 })
  expect(second.body.data.secret).not.toBe(first.secret)
  const { previousIdentitySecretExpiresAt: endsAt } = second.body.data.widget
  const expected = Date.parse(second.body.data.updatedAt) + 3_600_000
  expect(Date.parse(endsAt)).toBe(expected)
  const third = await make()
  expect([third.status, third.body.code, third.body.details.status]).toEqual([
    409,
    'INVALID_STATE',
    'rotating',
  ])
  expect((await ask('GET', `/api/v1/inboxes/${id}`)).body.data.widget).toEqual(second.body.data.widget)
  const ended = await make({ overlapSeconds: 0 })
  expect(ended.body.data.widget.previousIdentitySecretExpiresAt).toBeNull()
  const audit = await ask('GET', '/api/tenant/audit-log?limit=3')
  expect(
    audit.body.data.map(({ action, target }: { action: string; target: object }) => ({ action, target })),
  ).toEqual([
    { action: 'inbox.widgetSecretRotated', target: { type: 'inbox', _id: id } },
    { action: 'inbox.widgetSecretRotated', target: { type: 'inbox', _id: id } },
    { action: 'inbox.widgetSecretMade', target: { type: 'inbox', _id: id } },
  ])
})

test('stays valid for the first two of many that are made at once, and the others are refused', async () => {
  const responses = await Promise.all(Array.from({ length: 6 }, () => make()))
  expect(responses.map(({ status }) => status).toSorted()).toEqual([200, 200, 409, 409, 409, 409])
})

test('has an overlap of whole seconds up to seven days', async () => {
  for (const overlapSeconds of [-1, 604_801, 1.5, '60']) {
    const refused = await make({ overlapSeconds })
    expect([refused.status, refused.body.details[0].field]).toEqual([422, 'overlapSeconds'])
  }
  expect((await make({ overlapSeconds: 604_800 })).status).toBe(200)
})

test('needs a session of an administrator', async () => {
  const path = `/api/v1/inboxes/${id}/widget-secret`
  const key = await createKey(service.url, owner.token, ['read:conversations', 'webhook:manage'])
  const { token: agent } = await addColleague(service, { tenantId: owner.tenant._id, role: 'agent' })
  const { token: admin } = await addColleague(service, { tenantId: owner.tenant._id, role: 'admin' })
  for (const token of [key, agent]) expect((await ask('POST', path, {}, token)).status).toBe(403)
  expect((await ask('POST', path, {}, admin)).status).toBe(200)
})

test('is deleted with its inbox', async () => {
  const made = await ask('POST', '/api/v1/inboxes', { name: 'Web' })
  id = made.body.data._id
  await make()
  expect((await ask('DELETE', `/api/v1/inboxes/${id}`)).status).toBe(200)
  expect(await stored()).toBeUndefined()
  expect((await make()).status).toBe(404)
})
