import { describe, expect, it } from 'vitest'
import type { TenantId } from '../../src/storage/records.ts'
import { insertOf, sample } from '../contracts/storage/samples.contract.ts'
import { addColleague } from '../support/add-colleague.ts'
import { call, password, registerTenant } from '../support/call.ts'
import { useService } from '../support/use-service.ts'

const running = useService()

const submit = {
  deletion: '/api/data-privacy/deletion-request',
  access: '/api/data-privacy/access-request',
  rectification: '/api/data-privacy/rectification-request',
  restriction: '/api/data-privacy/restriction-request',
  objection: '/api/data-privacy/objection-request',
}
type RequestType = keyof typeof submit
const deletionStatus = '/api/data-privacy/deletion-request/status'
const deletionCancel = '/api/data-privacy/deletion-request/cancel'
const decisions = '/api/tenant/privacy-requests'
const verbs = { approve: '/approve', reject: '/reject', complete: '/complete' }

function as(token?: string) {
  return (method: string, path: string, body?: unknown) =>
    call(running.url, { method, path, token, ...(body !== undefined && { body }) })
}
type Send = ReturnType<typeof as>

/** A tenant with its owner and an agent who has signed in with a password. */
async function newTeam() {
  const { token, user, tenant } = await registerTenant(running.url)
  const owner = as(token)
  const email = `${crypto.randomUUID()}@example.com`
  const invited = await owner('POST', '/api/v1/users', { email, role: 'agent', firstName: 'Grace' })
  const { inviteToken, _id } = invited.body.data
  const accepted = await as()('POST', '/api/auth/accept-invite', { token: inviteToken, password })
  const { accessToken } = accepted.body.data
  const { body } = await owner('GET', '/api/v1/inboxes')
  return {
    tenantId: tenant._id as TenantId,
    owner,
    ownerId: user._id as string,
    agent: { send: as(accessToken), id: _id as string, email, token: accessToken as string },
    inboxId: body.data[0]._id as string,
  }
}

const requestOf = async (send: Send, type: RequestType, body: object = {}) =>
  (await send('POST', submit[type], body)).body.request
const decide = (send: Send, id: string, verb: keyof typeof verbs, body: object = {}) =>
  send('POST', `${decisions}/${id}${verbs[verb]}`, body)
const statusOf = async (send: Send, id: string) =>
  (await send('GET', `${decisions}?limit=100`)).body.data.find(({ _id }: { _id: string }) => _id === id)
    .status
const codeOf = ({ status, body }: { status: number; body: { code?: string } }) => [status, body.code]

describe('the five requests', () => {
  it('are submitted with their own fields, and return the summary of the specification [deletionRequest.fields state.restriction privacy.restriction privacy.others]', async () => {
    const { agent } = await newTeam()
    const deletion = await agent.send('POST', submit.deletion, { reason: 'I leave' })
    expect([deletion.status, deletion.body]).toEqual([
      201,
      {
        success: true,
        message: expect.any(String),
        request: {
          id: expect.stringMatching(/^prq_/),
          status: 'pending',
          reason: 'I leave',
          requestedAt: expect.any(String),
          dueAt: expect.any(String),
          processedAt: null,
          rejectionReason: null,
          notes: null,
        },
      },
    ])
    const bodies = {
      access: {},
      rectification: { field: 'lastName', requestedValue: 'Hopper' },
      restriction: { reason: 'Disputed', details: 'All of it' },
      objection: { reason: 'No comparisons' },
    }
    for (const type of ['access', 'rectification', 'restriction', 'objection'] as const) {
      const { status, body: reply } = await agent.send('POST', submit[type], bodies[type])
      expect([status, reply]).toEqual([
        201,
        {
          success: true,
          message: expect.any(String),
          request: {
            id: expect.stringMatching(/^prq_/),
            type: type === 'restriction' ? 'rectification' : type,
            requestType: type,
            status: 'pending',
            requestedAt: expect.any(String),
            dueAt: expect.any(String),
          },
        },
      ])
    }
  })

  it('demand the fields that their decision needs [privacy.others]', async () => {
    const { agent } = await newTeam()
    const missing = async (type: RequestType) =>
      (await agent.send('POST', submit[type], {})).body.details.map(({ field }: { field: string }) => field)
    expect(await missing('rectification')).toEqual(['field', 'requestedValue'])
    expect(await missing('restriction')).toEqual(['reason'])
    expect(await missing('objection')).toEqual(['reason'])
  })
})

describe('a deletion request', () => {
  it('is one at a time, is reported by its status, and can be made again after it was cancelled [state.deletionCancelled privacy.deletionStatus privacy.deletionCancel]', async () => {
    const { agent } = await newTeam()
    const status = () => agent.send('GET', deletionStatus)
    expect((await status()).body).toEqual({ success: true, hasRequest: false })
    expect(codeOf(await agent.send('POST', deletionCancel))).toEqual([404, 'NOT_FOUND'])
    const first = await requestOf(agent.send, 'deletion')
    expect((await status()).body).toEqual({ success: true, hasRequest: true, request: first })
    expect(codeOf(await agent.send('POST', submit.deletion, {}))).toEqual([409, 'CONFLICT'])
    expect((await agent.send('POST', deletionCancel)).body).toEqual({
      success: true,
      message: expect.any(String),
    })
    const again = await agent.send('POST', deletionCancel)
    expect([...codeOf(again), again.body.details]).toEqual([
      409,
      'INVALID_STATE',
      { status: 'cancelled', allowed: [] },
    ])
    const second = await requestOf(agent.send, 'deletion')
    expect((await status()).body.request).toEqual(second)
  })

  it('is one also when many are sent at the same moment', async () => {
    const { agent } = await newTeam()
    const responses = await Promise.all(
      Array.from({ length: 8 }, () => agent.send('POST', submit.deletion, {})),
    )
    expect(responses.map(({ status }) => status).sort()).toEqual([201, ...Array(7).fill(409)])
  })

  it.each(['processing', 'completed', 'rejected'] as const)(
    'that is %s cannot be cancelled [state.deletionRefused privacy.deletionCancel error.cancelRefused]',
    async (status) => {
      const { agent, tenantId } = await newTeam()
      const store = running.service.storage.forTenant(tenantId)
      const row = sample.privacyRequests(tenantId, { userId: agent.id, type: 'deletion', status })
      await store.commit({ writes: [insertOf('privacyRequests', row)], events: [] })
      const refused = await agent.send('POST', deletionCancel)
      expect([...codeOf(refused), refused.body.details]).toEqual([
        409,
        'INVALID_STATE',
        { status, allowed: [] },
      ])
      expect(await store.privacyRequests.find(row._id)).toMatchObject({ status })
    },
  )

  it('is refused for the last owner, and for an owner when an admin approves it', async () => {
    const { owner, tenantId } = await newTeam()
    const { id } = await requestOf(owner, 'deletion')
    const refused = await decide(owner, id, 'approve')
    expect(codeOf(refused)).toEqual([409, 'INVALID_STATE'])
    const admin = as((await addColleague(running, { tenantId, role: 'admin' })).token)
    expect(codeOf(await decide(admin, id, 'approve'))).toEqual([403, 'PERMISSION_DENIED'])
    expect(await statusOf(owner, id)).toBe('pending')
  })
})

describe('the tenant', () => {
  it('lists open requests first, the overdue ones before all others', async () => {
    const { owner, agent, tenantId } = await newTeam()
    const store = running.service.storage.forTenant(tenantId)
    const rows = [
      ['past', 'completed', '2020-01-01T00:00:00.000Z'],
      ['later', 'pending', '2990-01-01T00:00:00.000Z'],
      ['overdue', 'processing', '2021-01-01T00:00:00.000Z'],
    ] as const
    const writes = rows.map(([reason, status, dueAt]) =>
      insertOf(
        'privacyRequests',
        sample.privacyRequests(tenantId, { userId: agent.id, type: 'access', status, dueAt, reason }),
      ),
    )
    await store.commit({ writes, events: [] })
    await requestOf(agent.send, 'deletion', { reason: 'soon' })
    const listed = async (query: string) =>
      (await owner('GET', `${decisions}?${query}`)).body.data.map(
        ({ reason, isOverdue }: { reason: string; isOverdue: boolean }) => [reason, isOverdue],
      )
    expect(await listed('')).toEqual([
      ['overdue', true],
      ['soon', false],
      ['later', false],
      ['past', false],
    ])
    expect(await listed('status=pending')).toEqual([
      ['soon', false],
      ['later', false],
    ])
    expect(await listed('type=deletion')).toEqual([['soon', false]])
    expect(await listed(`userId=${agent.id}&status=completed`)).toEqual([['past', false]])
  })

  it('approves, completes and rejects a request, each with notes, a time and an audit entry', async () => {
    const { owner, agent } = await newTeam()
    const [first, second] = [
      await requestOf(agent.send, 'access'),
      await requestOf(agent.send, 'objection', { reason: 'No' }),
    ]
    const approved = await decide(owner, first.id, 'approve', { notes: 'On its way' })
    expect(approved.body.data).toMatchObject({
      _id: first.id,
      userId: agent.id,
      status: 'processing',
      notes: 'On its way',
      processedAt: expect.any(String),
      completedAt: null,
    })
    const completed = await decide(owner, first.id, 'complete')
    expect(completed.body.data).toMatchObject({ status: 'completed', completedAt: expect.any(String) })
    const rejected = await decide(owner, second.id, 'reject', { rejectionReason: 'We compare nothing' })
    expect(rejected.body.data).toMatchObject({ status: 'rejected', rejectionReason: 'We compare nothing' })
    const { body } = await owner('GET', '/api/tenant/audit-log')
    const entries = body.data.filter(
      ({ target }: { target: { type: string } }) => target.type === 'privacyRequest',
    )
    expect(
      entries.map(({ action, target }: { action: string; target: { _id: string } }) => [action, target._id]),
    ).toEqual([
      ['privacyRequest.rejected', second.id],
      ['privacyRequest.completed', first.id],
      ['privacyRequest.approved', first.id],
      ['privacyRequest.created', second.id],
      ['privacyRequest.created', first.id],
    ])
    expect(JSON.stringify(entries)).not.toContain('We compare nothing')
  })

  it('is refused every move that the states do not allow, with the moves that they do', async () => {
    const { owner, agent } = await newTeam()
    const { id } = await requestOf(agent.send, 'access')
    const early = await decide(owner, id, 'complete')
    expect([...codeOf(early), early.body.details]).toEqual([
      409,
      'INVALID_STATE',
      { status: 'pending', allowed: ['processing', 'rejected'] },
    ])
    await decide(owner, id, 'approve')
    await decide(owner, id, 'complete')
    for (const verb of ['approve', 'complete', 'reject'] as const) {
      const late = await decide(owner, id, verb, verb === 'reject' ? { rejectionReason: 'Late' } : {})
      expect([...codeOf(late), late.body.details]).toEqual([
        409,
        'INVALID_STATE',
        { status: 'completed', allowed: [] },
      ])
    }
  })
})

describe('a restriction', () => {
  it('holds from its approval until the last approved one is completed, and events hold ids only meanwhile [privacy.restriction]', async () => {
    const { owner, agent, inboxId } = await newTeam()
    const members = { members: [agent.id], autoAssign: { enabled: true, onlyOnline: false } }
    await owner('PUT', `/api/v1/inboxes/${inboxId}`, members)
    const assignee = async () =>
      (await owner('POST', '/api/v1/conversations', { subject: 'Help', inboxId })).body.data.assignedTo
    const user = async () => (await owner('GET', `/api/v1/users/${agent.id}`)).body.data
    expect(await assignee()).toBe(agent.id)

    const [first, second] = [
      await requestOf(agent.send, 'restriction', { reason: 'One' }),
      await requestOf(agent.send, 'restriction', { reason: 'Two' }),
    ]
    await decide(owner, first.id, 'approve')
    await decide(owner, second.id, 'approve')
    expect((await user()).processingRestricted).toBe(true)
    expect(await assignee()).toBeNull()
    const conversation = (await owner('POST', '/api/v1/conversations', { subject: 'Own', inboxId })).body.data
      ._id
    const sent = await agent.send('POST', `/api/v1/conversations/${conversation}/messages`, {
      content: 'Hello',
    })
    expect(sent.body.data.sender).toMatchObject({ _id: agent.id, name: 'Grace' })
    await owner('PUT', `/api/v1/messages/${sent.body.data._id}`, { status: 'delivered' })
    await agent.send('PUT', '/api/v1/users/me', { firstName: 'Gracie' })

    await decide(owner, first.id, 'complete')
    expect((await user()).processingRestricted).toBe(true)
    await decide(owner, second.id, 'reject', { rejectionReason: 'No longer disputed' })
    expect((await user()).processingRestricted).toBe(false)
    expect(await assignee()).toBe(agent.id)

    const read = async () =>
      (
        await owner(
          'GET',
          '/api/v1/events?after=earliest&limit=100&types=user.updated,message.sent,message.updated',
        )
      ).body.data
    // On MongoDB events get their positions after their commit. One is of the acceptance, one lifts the restriction.
    await expect.poll(async () => (await read()).length).toBe(6)
    const events: { event: string; data: object; changes?: object }[] = await read()
    const [, restricted, message, delivered, renamed, lifted] = events
    const ids = { _id: agent.id, tenantId: expect.any(String), processingRestricted: true }
    expect([restricted?.data, restricted?.changes]).toEqual([ids, undefined])
    expect([renamed?.data, renamed?.changes]).toEqual([ids, undefined])
    expect(message?.data).toMatchObject({ sender: { type: 'user', _id: agent.id, name: null } })
    // The author is restricted, not the owner who reports the status.
    expect(delivered?.data).toMatchObject({ sender: { type: 'user', _id: agent.id, name: null } })
    expect(lifted).toMatchObject({
      data: { firstName: 'Gracie', processingRestricted: false },
      changes: { processingRestricted: { from: true, to: false } },
    })
  })

  it('is not lifted by two completions of other requests at the same moment, and by the last one it is', async () => {
    const { owner, agent } = await newTeam()
    const made = []
    for (const reason of ['One', 'Two', 'Three'])
      made.push(await requestOf(agent.send, 'restriction', { reason }))
    for (const { id } of made) await decide(owner, id, 'approve')
    const restricted = async () =>
      (await owner('GET', `/api/v1/users/${agent.id}`)).body.data.processingRestricted
    await Promise.all(made.slice(1).map(({ id }) => decide(owner, id, 'complete')))
    expect(await restricted()).toBe(true)
    await decide(owner, made[0].id, 'complete')
    expect(await restricted()).toBe(false)
  })
})
