// Runs on both databases by day: writes that meet each other.

import { describe, expect, it } from 'vitest'
import { addColleague } from '../support/add-colleague.ts'
import { call, password, registerTenant } from '../support/call.ts'
import { startService } from '../support/start-service.ts'
import { useService } from '../support/use-service.ts'

const running = useService()

const send = (method: string, path: string, token?: string, body?: unknown) =>
  call(running.url, { method, path, token, body })
const times = <T>(count: number, work: (index: number) => Promise<T>) =>
  Promise.all(Array.from({ length: count }, (_, index) => work(index)))

function tally(responses: readonly { status: number }[]): Record<number, number> {
  const counts: Record<number, number> = {}
  for (const { status } of responses) counts[status] = (counts[status] ?? 0) + 1
  return counts
}

describe('many simultaneous requests', () => {
  it('make every one of many changes of one customer', async () => {
    const { token } = await registerTenant(running.url)
    const { data } = (await send('POST', '/api/v1/customers', token, { firstName: 'Ada' })).body
    const path = `/api/v1/customers/${data._id}`
    expect(tally(await times(30, (i) => send('PUT', path, token, { company: `${i}` })))).toEqual({ 200: 30 })
  })

  it('create no more than 50 webhooks, and delete no earlier one', async () => {
    const { token } = await registerTenant(running.url)
    const body = { name: 'Hook', url: 'https://example.com', events: ['customer.created'] }
    const responses = await times(60, () => send('POST', '/api/v1/webhooks', token, body))
    expect(tally(responses)).toEqual({ 201: 50, 409: 10 })
    expect((await send('GET', '/api/v1/webhooks', token)).body.data.total).toBe(50)
  })

  it('delete a customer once, with every conversation that is started for it meanwhile', async () => {
    const { token } = await registerTenant(running.url)
    const inboxId = (await send('GET', '/api/v1/inboxes', token)).body.data[0]._id
    const { data } = (await send('POST', '/api/v1/customers', token, { firstName: 'Ada' })).body
    const path = `/api/v1/customers/${data._id}`
    const start = { subject: 'Hello', inboxId, customerId: data._id }
    const [started, deleted, changed] = await Promise.all([
      times(20, () => send('POST', '/api/v1/conversations', token, start)),
      times(3, () => send('DELETE', path, token)),
      times(3, (i) => send('PUT', path, token, { company: `${i}` })),
    ])
    expect(tally(deleted)).toEqual({ 200: 1, 404: 2 })
    for (const { status } of started) expect([201, 422]).toContain(status)
    for (const { status } of changed) expect([200, 404]).toContain(status)
    expect((await send('GET', '/api/v1/conversations', token)).body.pagination.total).toBe(0)
  })
})

describe('owners', () => {
  it('always keep one owner, when two demote each other at once or both step down', async () => {
    for (const swap of [true, false]) {
      const { token, user, tenant } = await registerTenant(running.url)
      const other = await addColleague(running, { tenantId: tenant._id, role: 'owner' })
      const [first, second] = swap ? [other.userId, user._id] : [user._id, other.userId]
      const demote = (by: string, id: string) => send('PUT', `/api/v1/users/${id}`, by, { role: 'admin' })
      const responses = await Promise.all([demote(token, first), demote(other.token, second)])
      expect(tally(responses)).toEqual({ 200: 1, 409: 1 })
      const { data } = (await send('GET', '/api/v1/users', token)).body
      expect(data.filter(({ role }: { role: string }) => role === 'owner')).toHaveLength(1)
    }
  })

  it('are changed only by owners, also their names, but can change themselves', async () => {
    const { token, user, tenant } = await registerTenant(running.url)
    const admin = await addColleague(running, { tenantId: tenant._id, role: 'admin' })
    const rename = (by: string, path: string) => send('PUT', path, by, { firstName: 'Renamed' })
    const refused = await rename(admin.token, `/api/v1/users/${user._id}`)
    expect([refused.status, refused.body.code]).toEqual([403, 'PERMISSION_DENIED'])
    expect((await rename(admin.token, `/api/v1/users/${admin.userId}`)).status).toBe(200)
    expect((await rename(token, '/api/v1/users/me')).status).toBe(200)
  })

  it('lose their permissions with the next request', async () => {
    const { token, tenant } = await registerTenant(running.url)
    const { userId, token: theirs } = await addColleague(running, { tenantId: tenant._id, role: 'owner' })
    const keys = async () => (await send('GET', '/api/tenant/api-keys', theirs)).status
    expect(await keys()).toBe(200)
    await send('PUT', `/api/v1/users/${userId}`, token, { role: 'agent' })
    expect(await keys()).toBe(403)
    await send('PUT', `/api/v1/users/${userId}`, token, { isActive: false })
    expect(await keys()).toBe(401)
  })
})

describe('sessions', () => {
  it('are ended by a stolen refresh token, however many requests use it at once', async () => {
    const { refreshToken } = await registerTenant(running.url)
    const refresh = (given: string) => send('POST', '/api/auth/refresh', undefined, { refreshToken: given })
    const second = (await refresh(refreshToken)).body.data.refreshToken
    const third = (await refresh(second)).body.data.refreshToken
    expect(tally(await times(4, () => refresh(refreshToken)))).toEqual({ 401: 4 })
    expect((await refresh(third)).status).toBe(401)
  })

  it('with the old password never outlive its change', async () => {
    const { token, email } = await registerTenant(running.url)
    const body = { currentPassword: password, newPassword: 'a new password' }
    const [, ...logins] = await Promise.all([
      send('PUT', '/api/auth/password', token, body),
      ...Array.from({ length: 6 }, () => send('POST', '/api/auth/login', undefined, { email, password })),
    ])
    for (const { body: login } of logins) {
      if (login.success) expect((await send('GET', '/api/auth/me', login.data.accessToken)).status).toBe(401)
    }
    expect((await send('GET', '/api/auth/me', token)).status).toBe(200)
  })

  it('of the first registration belong to only one of many simultaneous callers', async () => {
    const first = await startService({ CRM_REGISTRATION: 'first' })
    try {
      const responses = await times(4, (i) =>
        call(first.url, {
          method: 'POST',
          path: '/api/auth/register',
          body: { tenantName: `T${i}`, email: `o${i}@example.com`, password },
        }),
      )
      expect(tally(responses)).toEqual({ 201: 1, 403: 3 })
    } finally {
      await first.stop()
    }
  })
})
