// Runs on both databases by day: erasure in pages.

import { describe, expect, test } from 'vitest'
import { addColleague } from '../support/add-colleague.ts'
import { call, password, registerTenant } from '../support/call.ts'
import { useService } from '../support/use-service.ts'

const service = useService()

function api(token?: string) {
  return async (method: string, path: string, body?: unknown) =>
    call(service.url, { method, path, token, ...(body !== undefined && { body }) })
}
const login = (email: string) => api()('POST', '/api/auth/login', { email, password })

async function newTeam() {
  const owner = await registerTenant(service.url)
  const send = api(owner.token)
  const { body } = await send('GET', '/api/v1/inboxes')
  return { owner, send, inbox: body.data[0], tenantId: owner.tenant._id }
}

/** One more person of the tenant, who has accepted the invitation. */
async function join(send: ReturnType<typeof api>, email: string) {
  const { body } = await send('POST', '/api/v1/users', { email, role: 'agent' })
  const { inviteToken, _id } = body.data
  const accepted = await api()('POST', '/api/auth/accept-invite', { token: inviteToken, password })
  expect(accepted.status).toBe(200)
  return { id: _id as string, as: api(accepted.body.data.accessToken) }
}

async function until<T>(read: () => Promise<T>, isReached: (value: T) => boolean): Promise<T> {
  for (;;) {
    const value = await read()
    if (isReached(value)) return value
  }
}

describe('a deleted user', () => {
  test('loses access at once: no session, no sign-in, and 404 for every read', async () => {
    const { send } = await newTeam()
    const agent = await join(send, 'gone@example.com')
    expect((await agent.as('GET', '/api/v1/users/me')).status).toBe(200)
    expect((await send('DELETE', `/api/v1/users/${agent.id}`)).status).toBe(200)
    expect((await agent.as('GET', '/api/v1/users/me')).status).toBe(401)
    expect((await login('gone@example.com')).status).toBe(401)
    for (const method of ['GET', 'DELETE']) {
      expect((await send(method, `/api/v1/users/${agent.id}`)).status).toBe(404)
    }
    // The identity was deleted with the membership: the e-mail is free again, in this tenant too.
    await join(send, 'gone@example.com')
    expect((await login('gone@example.com')).status).toBe(200)
  })

  test('can still sign in where they are a member', async () => {
    const [a, b] = [await newTeam(), await newTeam()]
    const [inA, inB] = [await join(a.send, 'stays@example.com'), await join(b.send, 'stays@example.com')]
    expect((await a.send('DELETE', `/api/v1/users/${inA.id}`)).status).toBe(200)
    const signedIn = await login('stays@example.com')
    expect([signedIn.status, signedIn.body.data.user._id]).toEqual([200, inB.id])
  })

  test('leaves no identity behind when deleted in two tenants at the same moment', async () => {
    const [a, b] = [await newTeam(), await newTeam()]
    const [inA, inB] = [await join(a.send, 'twice@example.com'), await join(b.send, 'twice@example.com')]
    const responses = await Promise.all([
      a.send('DELETE', `/api/v1/users/${inA.id}`),
      b.send('DELETE', `/api/v1/users/${inB.id}`),
    ])
    expect(responses.map(({ status }) => status)).toEqual([200, 200])
    expect(await service.service.storage.system.listIdentitiesByEmail('twice@example.com')).toEqual([])
  })

  test('leaves no open conversation assigned, sends an event for each, and keeps the names under messages', async () => {
    const { send, inbox, tenantId } = await newTeam()
    const agent = await addColleague(service, { tenantId, role: 'agent' })
    const make = async (fields: object = {}) => {
      const body = { subject: 'Help', inboxId: inbox._id, assignedTo: agent.userId, ...fields }
      return (await send('POST', '/api/v1/conversations', body)).body.data._id as string
    }
    const closed = await make()
    await send('PUT', `/api/v1/conversations/${closed}`, { status: 'closed' })
    const spoken = await make()
    await api(agent.token)('POST', `/api/v1/conversations/${spoken}/messages`, { content: 'It is I' })
    // More than one page, of every status that is open.
    await Promise.all(Array.from({ length: 130 }, () => make()))
    const pending = await make()
    await send('PUT', `/api/v1/conversations/${pending}`, { status: 'pending' })

    expect((await send('DELETE', `/api/v1/users/${agent.userId}`)).status).toBe(200)
    const left = `/api/v1/conversations?assignedTo=${agent.userId}&status=open,pending,snoozed`
    await until(
      () => send('GET', left),
      ({ body }) => body.pagination.total === 0,
    )
    expect((await send('GET', `/api/v1/conversations/${pending}`)).body.data).toMatchObject({
      assignedTo: null,
      status: 'pending',
    })
    const events: { data: { _id: string; assignedTo: string | null } }[] = []
    let after = 'earliest'
    for (;;) {
      const { body } = await send(
        'GET',
        `/api/v1/events?types=conversation.assigned&limit=100&after=${after}`,
      )
      events.push(...body.data)
      after = body.pagination.nextCursor
      // On MongoDB events get their positions after the commit: the last one may still be missing.
      if (events.filter(({ data }) => data.assignedTo === null).length >= 132) break
    }
    const released = events.filter(({ data }) => data.assignedTo === null).map(({ data }) => data._id)
    expect(new Set(released).size).toBe(132)
    expect(released).toHaveLength(132)
    const { body } = await send('GET', `/api/v1/conversations/${spoken}/messages`)
    expect(body.data[0].sender).toMatchObject({ type: 'user', _id: agent.userId, name: 'agent' })

    // A closed conversation that is opened again has no assignee instead of a deleted one.
    const reopened = await send('PUT', `/api/v1/conversations/${closed}`, { status: 'open' })
    expect(reopened.body.data).toMatchObject({ status: 'open', assignedTo: null })
  })

  test('is no longer a member of an inbox', async () => {
    const { send, inbox, tenantId } = await newTeam()
    const agent = await addColleague(service, { tenantId, role: 'agent' })
    const { version } = (await service.service.storage.forTenant(tenantId).inboxes.find(inbox._id)) as {
      version: number
    }
    const set = { members: ['usr_other', agent.userId] }
    const write = { op: 'update', kind: 'inboxes', id: inbox._id, expectVersion: version, set } as const
    await service.service.storage.forTenant(tenantId).commit({ writes: [write], events: [] })
    await send('DELETE', `/api/v1/users/${agent.userId}`)
    expect((await send('GET', `/api/v1/inboxes/${inbox._id}`)).body.data.members).toEqual(['usr_other'])
  })
})

describe('deleting users', () => {
  test('keeps the last owner, also when two owners delete each other at once [own.users]', async () => {
    const { owner, send, tenantId } = await newTeam()
    const alone = await send('DELETE', `/api/v1/users/${owner.user._id}`)
    expect([alone.status, alone.body.code]).toEqual([409, 'INVALID_STATE'])
    const second = await addColleague(service, { tenantId, role: 'owner' })
    await Promise.all([
      send('DELETE', `/api/v1/users/${second.userId}`),
      api(second.token)('DELETE', `/api/v1/users/${owner.user._id}`),
    ])
    const store = service.service.storage.forTenant(tenantId)
    expect((await store.users.list({ page: 1, limit: 10 })).rows).toHaveLength(1)
  })

  test('lets an admin delete everyone but an owner, and withdraw an invitation', async () => {
    const { owner, send, tenantId } = await newTeam()
    const admin = await addColleague(service, { tenantId, role: 'admin' })
    const refused = await api(admin.token)('DELETE', `/api/v1/users/${owner.user._id}`)
    expect([refused.status, refused.body.code]).toEqual([403, 'PERMISSION_DENIED'])
    const { body } = await send('POST', '/api/v1/users', { email: 'invited.only@example.com', role: 'agent' })
    expect((await api(admin.token)('DELETE', `/api/v1/users/${body.data._id}`)).status).toBe(200)
    const late = { token: body.data.inviteToken, password }
    expect((await api()('POST', '/api/auth/accept-invite', late)).status).toBe(401)
  })
})
