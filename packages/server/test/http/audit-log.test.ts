import { expect, test } from 'vitest'
import type { AuditEntry } from '../../src/storage/kinds/audit-log.ts'
import { addColleague } from '../support/add-colleague.ts'
import { call, password, registerTenant } from '../support/call.ts'
import { useService } from '../support/use-service.ts'

const service = useService()

const path = '/api/tenant/audit-log'
const newPassword = 'an even better password'

/** Makes one change of each kind and returns the ids of the changed resources. */
async function changeThings(token: string) {
  const send = async (method: string, at: string, body?: unknown) => {
    const response = await call(service.url, { method, path: at, token, ...(body !== undefined && { body }) })
    if (response.status > 201) throw new Error(`${method} ${at}: ${JSON.stringify(response.body)}`)
    return response.body.data
  }
  const hook = { name: 'Hook', url: 'https://127.0.0.1:1024/', events: ['customer.created'] }
  const webhook = await send('POST', '/api/v1/webhooks', hook)
  await send('PUT', `/api/v1/webhooks/${webhook._id}`, { name: 'Renamed' })
  const invited = await send('POST', '/api/v1/users', { email: 'audited@example.com', role: 'agent' })
  const { inviteToken } = invited
  await send('POST', '/api/auth/accept-invite', { token: inviteToken, password })
  await send('PUT', `/api/v1/users/${invited._id}`, { role: 'viewer', lastName: 'Secret-Name' })
  const customer = await send('POST', '/api/v1/customers', { firstName: 'Ada' })
  await send('DELETE', `/api/v1/customers/${customer._id}`)
  await send('PUT', '/api/auth/password', { currentPassword: password, newPassword })
  return { webhook, invited, customer }
}

test('names who changed what, newest first, and holds no values [own.audit]', async () => {
  const { token, user, tenant } = await registerTenant(service.url)
  const { webhook, invited, customer } = await changeThings(token)
  const { status, body } = await call(service.url, { path, token })
  expect(status).toBe(200)
  const entries = body.data.map(({ action, actor, target, changed }: AuditEntry) => ({
    action,
    actor: actor._id,
    target: target._id,
    changed,
  }))
  const own = { actor: user._id, changed: [] }
  expect(entries).toEqual([
    { ...own, action: 'user.passwordChanged', target: user._id },
    { ...own, action: 'customer.deleted', target: customer._id },
    { ...own, action: 'user.updated', target: invited._id, changed: ['lastName', 'role'] },
    { ...own, action: 'user.inviteAccepted', actor: invited._id, target: invited._id },
    { ...own, action: 'user.invited', target: invited._id },
    { ...own, action: 'webhook.updated', target: webhook._id, changed: ['name'] },
    { ...own, action: 'webhook.created', target: webhook._id },
    { ...own, action: 'tenant.registered', target: tenant._id },
  ])
  expect(JSON.stringify(body)).not.toMatch(/Secret-Name|example\.com|Renamed/)
  expect(body.data[0].requestId).toMatch(/^[\w-]{8,64}$/)
})

test('is read page by page, by cursors, every entry once', async () => {
  const { token } = await registerTenant(service.url)
  await changeThings(token)
  const actions: string[] = []
  let cursor: string | null = ''
  while (cursor !== null) {
    const next: string = cursor === '' ? '' : `&cursor=${encodeURIComponent(cursor)}`
    const { body } = await call(service.url, { path: `${path}?limit=3${next}`, token })
    actions.push(...body.data.map(({ action }: { action: string }) => action))
    cursor = body.pagination.nextCursor
  }
  expect(actions).toHaveLength(8)
  expect(actions.at(-1)).toBe('tenant.registered')
})

test('a change of one’s own availability is only in one’s own log; a change without effect is in none', async () => {
  const { token, user } = await registerTenant(service.url)
  const put = (body: object, at = '/api/v1/users/me') =>
    call(service.url, { method: 'PUT', path: at, token, body })
  expect((await put({ availability: 'away' })).status).toBe(200)
  expect((await put({ role: 'owner' }, `/api/v1/users/${user._id}`)).status).toBe(200)
  expect((await call(service.url, { path, token })).body.pagination.total).toBe(1)
})

test('the tenant is shown to its admins, and only to them', async () => {
  const { token, tenant } = await registerTenant(service.url)
  const agent = await addColleague(service, { tenantId: tenant._id, role: 'agent' })
  const shown = await call(service.url, { path: '/api/tenant', token })
  expect(shown.body.data).toMatchObject({ _id: tenant._id, name: tenant.name, isSuspended: false })
  expect((await call(service.url, { path: '/api/tenant', token: agent.token })).status).toBe(403)
})
