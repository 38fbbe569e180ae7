// Runs on both databases by day: erasure of events.

import { expect, it } from 'vitest'
import { call, createKey, password, registerTenant } from '../support/call.ts'
import { useService } from '../support/use-service.ts'

const running = useService()

const as = (token?: string) => (method: string, path: string, body?: object) =>
  call(running.url, { method, path, token, ...(body && { body }) })

/** A tenant with a member, and the events about that member that a credential sees. */
async function newTeam() {
  const { token } = await registerTenant(running.url)
  const owner = as(token)
  const fields = { email: `${crypto.randomUUID()}@example.com`, role: 'agent', firstName: 'Leaver' }
  const { _id, inviteToken } = (await owner('POST', '/api/v1/users', fields)).body.data
  const accepted = await as()('POST', '/api/auth/accept-invite', { token: inviteToken, password })
  const eventsFor = (reader: string) => async () => {
    const { status, body } = await as(reader)('GET', '/api/v1/events?limit=100&after=earliest')
    expect(status).toBe(200)
    return (body.data as { event: string; data: { _id: string } }[]).filter(({ data }) => data._id === _id)
  }
  return { token, owner, id: _id as string, member: as(accepted.body.data.accessToken), eventsFor }
}

it('user.deleted reports that a user was removed, by the id alone, to those who see events of users', async () => {
  const { token, owner, id, eventsFor } = await newTeam()
  const path = `/api/v1/users/${id}`
  expect((await owner('DELETE', path)).status).toBe(200)
  expect((await owner('DELETE', path)).status).toBe(404)
  const reader = await createKey(running.url, token, ['webhook:manage'])
  const types = async () => (await eventsFor(reader)()).map(({ event }) => event)
  await expect.poll(types).toEqual(['user.created', 'user.updated', 'user.deleted'])
  expect((await eventsFor(token)()).at(-1)?.data).toEqual({ _id: id })
  const others = await createKey(running.url, token, ['read:customers', 'read:conversations'])
  expect(await eventsFor(others)()).toEqual([])
})

it('user.deleted of an approved deletion stays when the earlier events of the user are erased', async () => {
  const { token, owner, member, id, eventsFor } = await newTeam()
  const made = await member('POST', '/api/data-privacy/deletion-request', { reason: 'I leave' })
  const path = `/api/tenant/privacy-requests/${made.body.request.id}/approve`
  expect((await owner('POST', path, {})).status).toBe(200)
  const erased = { _id: id, erased: true }
  await expect
    .poll(async () => (await eventsFor(token)()).map(({ event, data }) => [event, data]))
    .toEqual([
      ['user.created', erased],
      ['user.updated', erased],
      ['user.deleted', { _id: id }],
    ])
})
