import { randomUUID } from 'node:crypto'
import { beforeEach, describe, expect, test } from 'vitest'
import { addColleague } from '../support/add-colleague.ts'
import { call, createKey, registerTenant } from '../support/call.ts'
import { openLiveStream } from '../support/live-stream.ts'
import { useService } from '../support/use-service.ts'

const service = useService({ CRM_SECRETS_KEY: 'the key of these tests which is long enough' })
let owner: Awaited<ReturnType<typeof registerTenant>>
let inboxId: string
let token: string
beforeEach(async () => {
  owner = await registerTenant(service.url)
  inboxId = (await ask('GET', '/api/v1/inboxes')).body.data[0]._id
  const email = { address: `h${randomUUID().slice(0, 8)}@acme.test`, authservIds: ['mx.acme.test'] }
  expect((await ask('PUT', `/api/v1/inboxes/${inboxId}`, { email })).status).toBe(200)
  token = (await ask('POST', `/api/v1/inboxes/${inboxId}/inbound-token`, {})).body.data.inboundToken
})

const ask = (method: string, path: string, body?: unknown) =>
  call(service.url, { method, path, token: owner.token, ...(body !== undefined && { body }) })

interface Fields {
  from?: string
  text?: string
  id?: string
  headers?: string[]
}

function mailOf({ from = 'Ada <ada@example.com>', text = 'Hello', id, headers = [] }: Fields = {}): string {
  const lines = [
    ...headers,
    `From: ${from}`,
    'Subject: Broken lamp',
    `Message-ID: <${id ?? randomUUID()}@example.com>`,
    'Date: Sun, 22 Nov 2026 10:00:00 +0000',
    '',
    text,
  ]
  return lines.join('\r\n')
}

async function deliver(mail: string | Uint8Array) {
  const response = await fetch(`${service.url}/api/v1/inbound/email/${token}`, {
    method: 'POST',
    headers: { 'Content-Type': 'message/rfc822' },
    body: mail,
  })
  return decided(((await response.json()) as { data: { _id: string } }).data._id)
}

async function decided(id: string) {
  const read = async () => (await ask('GET', `/api/v1/inbound-mails/${id}`)).body.data
  await expect.poll(async () => (await read()).status).not.toBe('received')
  return read()
}

const noSender = () => deliver(mailOf({ from: 'undisclosed' }))
const make = (id: string, body: object = {}) =>
  ask('POST', `/api/v1/inbound-mails/${id}/make-conversation`, body)
const needing = async (query = '') =>
  (await ask('GET', `/api/v1/inbound-mails?needsYou=true${query}`)).body.data.map(
    ({ _id }: { _id: string }) => _id,
  )
const counted = async () =>
  (await ask('GET', '/api/v1/conversations/counts?view=mailNeedsYou')).body.data.views.mailNeedsYou
const messagesOf = async (id: string) => (await ask('GET', `/api/v1/conversations/${id}/messages`)).body.data
const conversationOf = async (id: string) => (await ask('GET', `/api/v1/conversations/${id}`)).body.data
const grace = { sender: { address: 'grace@example.com', name: 'Grace Hopper' } }

describe('mail that needs a person', () => {
  test('is listed and counted by its reason: parked mail, and a copy with other words', async () => {
    const parked = await noSender()
    await deliver(mailOf({ id: 'one' }))
    const copy = await deliver(mailOf({ id: 'one', text: 'Other words' }))
    await deliver(mailOf())
    expect(copy).toMatchObject({ status: 'ignored', reason: 'duplicate' })
    expect(await needing()).toEqual([copy._id, parked._id])
    expect(await needing('&reason=no_sender')).toEqual([parked._id])
    expect(await counted()).toEqual({ total: 2, unread: null, isEstimate: false })
  })

  test('has an event that names no person, and only those who manage webhooks see it', async () => {
    const { _id, receivedAt } = await noSender()
    const { data } = (await ask('GET', '/api/v1/events')).body
    const found = data.filter(({ event }: { event: string }) => event === 'mail.parked')
    expect(found.map((event: { data: object }) => event.data)).toEqual([
      { _id, inboxId, door: 'http', status: 'parked', reason: 'no_sender', receivedAt },
    ])
    const reading = await createKey(service.url, owner.token, ['read:conversations', 'read:customers'])
    const seen = await call(service.url, { method: 'GET', path: '/api/v1/events', token: reading })
    expect(seen.status).toBe(200)
    expect(JSON.stringify(seen.body.data)).not.toContain('mail.parked')
  })

  test('is counted in the streams of admins by itself, whatever becomes of it, and in those of nobody else', async () => {
    const agent = await addColleague(service, { tenantId: owner.tenant._id, role: 'agent' })
    const [stream, other] = await Promise.all([
      openLiveStream(service.url, { token: owner.token }),
      openLiveStream(service.url, { token: agent.token }),
    ])
    const shown = () => stream.counts()['mailNeedsYou']
    const now = async (total: number) =>
      expect.poll(shown).toEqual({ total, unread: null, isEstimate: false })
    await now(0)
    const [first, second] = [await noSender(), await noSender()]
    await now(2)
    await ask('POST', `/api/v1/inbound-mails/${first._id}/discard`)
    await now(1)
    await ask('POST', `/api/v1/inbound-mails/${first._id}/process-again`)
    await now(2)
    await make(second._id, grace)
    await now(1)
    await deliver(mailOf({ id: 'live' }))
    await deliver(mailOf({ id: 'live', text: 'Other words' }))
    await now(2)
    expect(Object.keys(other.counts())).toContain('open')
    expect(Object.keys(other.counts())).not.toContain('mailNeedsYou')
    for (const each of [stream, other]) each.close()
  })

  test('is searched by the words of its sender and its subject, and no other mail is', async () => {
    const parked = await deliver(mailOf({ from: 'undisclosed' }))
    await deliver(mailOf({ id: 'search' }))
    const copy = await deliver(mailOf({ id: 'search', text: 'Other words' }))
    expect(await needing('&search=BROKEN')).toEqual([copy._id, parked._id])
    expect(await needing('&search=lamp%20ada@')).toEqual([copy._id])
    expect(await needing('&search=ada&reason=no_sender')).toEqual([])
    expect(await needing('&search=lamp&limit=1&page=2')).toEqual([parked._id])
    expect(await needing('&search=nothing')).toEqual([])
    const refused = await ask('GET', '/api/v1/inbound-mails?search=lamp')
    expect(refused).toMatchObject({ status: 422, body: { details: [{ field: 'search', in: 'query' }] } })
  })

  test('leaves the list when a person discards it, and comes back when it is processed again', async () => {
    const { _id } = await noSender()
    const discard = () => ask('POST', `/api/v1/inbound-mails/${_id}/discard`)
    expect((await discard()).body.data).toMatchObject({ status: 'ignored', reason: 'discarded' })
    expect((await discard()).status).toBe(200)
    expect(await needing()).toEqual([])
    expect((await ask('POST', `/api/v1/inbound-mails/${_id}/process-again`)).status).toBe(200)
    expect(await decided(_id)).toMatchObject({ status: 'parked', reason: 'no_sender' })
    const processed = await deliver(mailOf())
    expect(await ask('POST', `/api/v1/inbound-mails/${processed._id}/discard`)).toMatchObject({
      status: 409,
      body: { code: 'INVALID_STATE' },
    })
  })

  test('becomes a conversation with its customer at once and its message soon; a repeat is the same one', async () => {
    const { _id } = await noSender()
    const missing = await make(_id)
    expect(missing).toMatchObject({ status: 422, body: { details: [{ field: 'sender', rule: 'required' }] } })
    const made = await make(_id, grace)
    expect(made).toMatchObject({ status: 201, body: { data: { inboxId, source: 'email' } } })
    const { _id: conversationId } = made.body.data
    expect(await decided(_id)).toMatchObject({
      status: 'processed',
      conversationId,
      from: 'grace@example.com',
    })
    expect(await messagesOf(conversationId)).toMatchObject([
      {
        content: 'Hello',
        direction: 'inbound',
        sender: { name: 'Grace Hopper' },
        email: { from: { address: 'grace@example.com' }, verified: null },
      },
    ])
    expect(await conversationOf(conversationId)).toMatchObject({
      subject: 'Broken lamp',
      messageCount: 1,
      customerId: { profile: { email: 'grace@example.com' } },
    })
    expect(await make(_id, grace)).toMatchObject({ status: 200, body: { data: { _id: conversationId } } })
    expect(await messagesOf(conversationId)).toHaveLength(1)
    expect(await counted()).toMatchObject({ total: 0 })
  })

  test('joins the conversation that a person names, also a copy with the same Message-ID', async () => {
    const { conversationId } = await deliver(mailOf({ id: 'two' }))
    const copy = await deliver(mailOf({ id: 'two', text: 'Other words' }))
    expect(await make(copy._id, { conversationId })).toMatchObject({
      status: 201,
      body: { data: { _id: conversationId } },
    })
    expect(await decided(copy._id)).toMatchObject({ status: 'processed', conversationId })
    const contents = (await messagesOf(conversationId)).map(({ content }: { content: string }) => content)
    expect(contents.sort()).toEqual(['Hello', 'Other words'])
  })

  test('is of the customer that a person names', async () => {
    const { _id } = await noSender()
    const customer = { firstName: 'Joan', email: 'joan@example.com' }
    const { _id: customerId } = (await ask('POST', '/api/v1/customers', customer)).body.data
    const { data } = (await make(_id, { ...grace, customerId })).body
    expect(data).toMatchObject({ customerId })
    await decided(_id)
    expect(await conversationOf(data._id)).toMatchObject({ customerId: { _id: customerId } })
    expect(await messagesOf(data._id)).toMatchObject([{ sender: { _id: customerId } }])
  })

  test('of a forged sender gets no customer', async () => {
    await ask('POST', '/api/v1/customers', { firstName: 'Ada', email: 'ada@example.com' })
    await ask('POST', '/api/v1/inboxes', { name: 'Other', isDefault: true })
    await ask('PUT', `/api/v1/inboxes/${inboxId}`, { isActive: false })
    const forged = 'Authentication-Results: mx.acme.test; dmarc=fail header.from=example.com'
    const mail = await deliver(mailOf({ headers: [forged] }))
    expect(mail).toMatchObject({ status: 'parked', reason: 'inbox_inactive' })
    const { data } = (await make(mail._id)).body
    await decided(mail._id)
    expect(await conversationOf(data._id)).toMatchObject({ customerId: null })
    expect(await messagesOf(data._id)).toMatchObject([{ sender: { _id: null }, email: { verified: false } }])
  })

  test('that nothing can read becomes a message that says so', async () => {
    const parts = Array.from({ length: 2_100 }, () => '--b\r\n\r\nx').join('\r\n')
    const headers = ['MIME-Version: 1.0', 'Content-Type: multipart/mixed; boundary=b']
    const mail = await deliver(mailOf({ headers, text: `${parts}\r\n--b--` }))
    expect(mail).toMatchObject({ status: 'parked', reason: 'too_complex' })
    const { data } = (await make(mail._id)).body
    expect(await decided(mail._id)).toMatchObject({ status: 'processed' })
    const [message] = await messagesOf(data._id)
    expect(message.content).toBe(
      'The mail has too many parts, levels or bytes. An admin can download it as it arrived.',
    )
  })

  test('goes to the default inbox when its own is deleted', async () => {
    const mail = await noSender()
    const { _id: other } = (await ask('POST', '/api/v1/inboxes', { name: 'Other' })).body.data
    expect((await ask('PUT', `/api/v1/inboxes/${other}`, { isDefault: true })).status).toBe(200)
    expect((await ask('DELETE', `/api/v1/inboxes/${inboxId}`)).status).toBe(200)
    expect((await make(mail._id, grace)).body.data).toMatchObject({ inboxId: other })
    expect(await decided(mail._id)).toMatchObject({ status: 'processed' })
  })

  test('is refused where it is a message already, and with what does not exist', async () => {
    const processed = await deliver(mailOf())
    expect(await make(processed._id)).toMatchObject({ status: 409, body: { code: 'INVALID_STATE' } })
    const { _id } = await noSender()
    const unknown = await make(_id, { ...grace, conversationId: 'con_unknown' })
    expect(unknown).toMatchObject({ status: 422, body: { details: [{ field: 'conversationId' }] } })
    const { conversationId } = processed
    const { customerId } = await conversationOf(conversationId)
    const both = await make(_id, { conversationId, customerId: customerId._id })
    expect(both).toMatchObject({ status: 422, body: { details: [{ field: 'customerId', rule: 'place' }] } })
  })
})
