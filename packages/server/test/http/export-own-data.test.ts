import { describe, expect, it } from 'vitest'
import type { TenantId } from '../../src/storage/records.ts'
import { insertOf, sample } from '../contracts/storage/samples.contract.ts'
import { addColleague } from '../support/add-colleague.ts'
import { call, password, registerTenant } from '../support/call.ts'
import { useService } from '../support/use-service.ts'

const running = useService()

const path = '/api/data-privacy/export'

async function newUser() {
  const { token, user, tenant, email } = await registerTenant(running.url)
  const send = (method: string, at: string, body?: unknown) =>
    call(running.url, { method, path: at, token, ...(body !== undefined && { body }) })
  const post = async (at: string, body: object) => (await send('POST', at, body)).body
  const inboxId = (await send('GET', '/api/v1/inboxes')).body.data[0]._id as string
  return { token, email, send, post, inboxId, id: user._id as string, tenantId: tenant._id as TenantId }
}
type User = Awaited<ReturnType<typeof newUser>>

/** A user who has something in every section. */
async function leaveTraces({ post, inboxId, id, email }: User) {
  const customer = await post('/api/v1/customers', { firstName: 'Charlotte', phone: '+15550009999' })
  const conversation = await post('/api/v1/conversations', {
    subject: 'Charlotte asks',
    inboxId,
    customerId: customer.data._id,
    assignedTo: id,
  })
  const messages = `/api/v1/conversations/${conversation.data._id}/messages`
  const message = await post(messages, { content: '=1+1' })
  await post(messages, { content: 'Words of Charlotte', direction: 'inbound' })
  const call = await post('/api/telephony/calls', { to: '+15550009999' })
  const key = await post('/api/tenant/api-keys', { name: 'Mine', permissions: ['read:customers'] })
  const request = await post('/api/data-privacy/access-request', { reason: 'I want to know' })
  const notes = `/api/v1/customers/${customer.data._id}/notes`
  const note = await post(notes, { content: 'Prefers letters' })
  const session = await post('/api/auth/login', { email, password })
  return {
    conversationId: conversation.data._id as string,
    messageId: message.data._id as string,
    callId: call.data._id as string,
    noteId: note.data._id as string,
    keyId: key.data._id as string,
    key: key.data.key as string,
    requestId: request.request.id as string,
    refreshToken: session.data.refreshToken as string,
  }
}

const exportedOf = async ({ send }: User) => JSON.parse((await send('GET', path)).body)
const idsOf = (rows: { _id: string }[]) => rows.map(({ _id }) => _id)

describe('the export of the signed-in user', () => {
  it('is a file with every section of the contract, and the rows that name the user in them [privacy.export]', async () => {
    const user = await newUser()
    const traces = await leaveTraces(user)
    const response = await user.send('GET', path)
    expect([response.status, response.headers.get('content-type')]).toEqual([200, 'application/json'])
    const day = new Date().toISOString().slice(0, 10)
    expect(response.headers.get('content-disposition')).toBe(`attachment; filename=data-export-${day}.json`)
    const made = JSON.parse(response.body)
    expect(Object.keys(made)).toEqual([
      'exportedAt',
      'subject',
      'memberships',
      'sessions',
      'apiKeysCreated',
      'conversationsAssigned',
      'messagesAuthored',
      'messagesDrafted',
      'drafts',
      'customerNotes',
      'cannedReplies',
      'views',
      'activities',
      'calls',
      'dataRightsRequests',
      'auditEntries',
    ])
    expect(made.subject).toMatchObject({ type: 'user', _id: user.id, email: user.email, role: 'owner' })
    expect(made.memberships).toMatchObject([{ _id: user.id, tenantId: user.tenantId, role: 'owner' }])
    expect(made.sessions).toHaveLength(2)
    expect(idsOf(made.customerNotes)).toEqual([traces.noteId])
    expect(idsOf(made.apiKeysCreated)).toEqual([traces.keyId])
    expect(idsOf(made.conversationsAssigned)).toEqual([traces.conversationId])
    expect(made.messagesAuthored).toMatchObject([{ _id: traces.messageId, content: '=1+1' }])
    expect(made.activities).toMatchObject([
      { conversationId: traces.conversationId, action: 'created', actor: { _id: user.id } },
    ])
    expect(idsOf(made.calls)).toEqual([traces.callId])
    expect(made.dataRightsRequests).toMatchObject([{ _id: traces.requestId, reason: 'I want to know' }])
    const actions = made.auditEntries.map(({ action }: { action: string }) => action)
    expect(actions).toContain('apiKey.created')
    expect(actions).toContain('user.exported')
  })

  it('holds no token, no hash and no personal data of customers [privacy.export]', async () => {
    const user = await newUser()
    const { key, refreshToken } = await leaveTraces(user)
    const { body } = await user.send('GET', path)
    for (const secret of [key, refreshToken, user.token, 'Charlotte', '+15550009999']) {
      expect(body).not.toContain(secret)
    }
    for (const field of [
      'keyHash',
      'refreshHash',
      'passwordHash',
      'invite',
      'sessionGeneration',
      'version',
    ]) {
      expect(body).not.toContain(`"${field}"`)
    }
  })

  it('holds nothing of a colleague, and is there for every role', async () => {
    const user = await newUser()
    const traces = await leaveTraces(user)
    const { userId, token } = await addColleague(running, { tenantId: user.tenantId, role: 'viewer' })
    const { status, body } = await call(running.url, { path, token })
    expect(status).toBe(200)
    for (const id of [user.id, ...Object.values(traces)]) expect(body).not.toContain(id)
    expect(JSON.parse(body)).toMatchObject({ subject: { _id: userId }, messagesAuthored: [], calls: [] })
  })

  it('as CSV runs no formula in a spreadsheet [privacy.export]', async () => {
    const user = await newUser()
    const { messageId } = await leaveTraces(user)
    const { status, headers, body } = await user.send('GET', `${path}?format=csv`)
    expect([status, headers.get('content-type')]).toEqual([200, 'text/csv; charset=utf-8'])
    const lines = body.split('\r\n')
    expect(lines[0]).toBe('section,record,field,value')
    expect(lines).toContain(`subject,1,email,${user.email}`)
    expect(lines).toContain(`messagesAuthored,${messageId},content,'=1+1`)
  })

  it('is refused for an API key, whatever its permissions, and for an unknown format', async () => {
    const user = await newUser()
    const { key } = await leaveTraces(user)
    expect((await call(running.url, { path, token: key })).status).toBe(403)
    expect((await user.send('GET', `${path}?format=xml`)).body.details).toMatchObject([
      { field: 'format', in: 'query' },
    ])
  })

  it('has each of many audit entries once, whether the user acted or was changed [privacy.export]', async () => {
    const user = await newUser()
    const store = running.service.storage.forTenant(user.tenantId)
    const itself = { type: 'user', _id: user.id } as const
    const entry = (fields: object) => insertOf('auditLog', sample.auditLog(user.tenantId, fields))
    const writes = [
      ...Array.from({ length: 230 }, (_, i) =>
        entry({ actor: itself, target: { type: 'inbox', _id: `inb_${i}` } }),
      ),
      ...Array.from({ length: 120 }, () => entry({ actor: { type: 'system', _id: null }, target: itself })),
      ...Array.from({ length: 30 }, () => entry({ actor: itself, target: itself })),
      entry({ actor: { type: 'user', _id: 'usr_other' }, target: { type: 'user', _id: 'usr_other' } }),
    ]
    await store.commit({ writes, events: [] })
    const { auditEntries } = await exportedOf(user)
    const added = auditEntries.filter(({ requestId }: { requestId: string }) => requestId === 'req_1')
    expect(added).toHaveLength(380)
    expect(new Set(idsOf(added)).size).toBe(380)
  })
})
