import { randomUUID } from 'node:crypto'
import { beforeEach, describe, expect, test } from 'vitest'
import { call, registerTenant } from '../support/call.ts'
import { type MailInbox, makeMailInbox } from '../support/mail-inbox.ts'
import { useService } from '../support/use-service.ts'
import { switchWidgetOn, WidgetVisitor } from '../support/widget-visitor.ts'

const service = useService()

type Change = { changes?: { blockedAt?: object } }

/** Returns the events, as soon as that of the block is among them. */
async function eventsWithBlock(list: () => Promise<Change[]>): Promise<Change[]> {
  await expect.poll(async () => (await list()).some(({ changes }) => changes?.blockedAt)).toBe(true)
  return list()
}

const refusal = {
  code: 'INVALID_STATE',
  error: 'The team takes no messages in this chat',
  details: { status: 'blocked', allowed: ['unblocked'] },
}

describe('blocking a customer', () => {
  let ask: MailInbox['ask']
  beforeEach(async () => {
    const { token } = await registerTenant(service.url)
    ask = (method, path, body) =>
      call(service.url, { method, path, token, ...(body !== undefined && { body }) })
  })
  const create = async (fields: object) => (await ask('POST', '/api/v1/customers', fields)).body.data
  const set = async (id: string, action: '/block' | '/unblock') =>
    (await ask('POST', `/api/v1/customers/${id}${action}`)).body.data

  test('keeps its first time, and its events and audit entries name each change once [own.block]', async () => {
    const { _id, blockedAt } = await create({ firstName: 'Ada' })
    expect(blockedAt).toBeNull()
    const blocked = await set(_id, '/block')
    expect(blocked.blockedAt).toBe(blocked.updatedAt)
    expect(await set(_id, '/block')).toEqual(blocked)
    expect((await ask('GET', `/api/v1/customers/${_id}`)).body.data).toEqual({
      ...blocked,
      addresses: [],
      hasMerges: false,
    })
    await ask('PUT', `/api/v1/customers/${_id}`, { lastName: 'Lovelace' })
    expect((await ask('GET', '/api/v1/customers')).body.data[0].blockedAt).toBe(blocked.blockedAt)
    expect(await set(_id, '/unblock')).toMatchObject({ blockedAt: null })
    expect(await set(_id, '/unblock')).toMatchObject({ blockedAt: null })
    const changesOf = async () =>
      (await ask('GET', '/api/v1/events?types=customer.updated')).body.data.map(
        ({ changes }: Change) => changes,
      )
    await expect
      .poll(changesOf)
      .toMatchObject([
        { blockedAt: { from: null, to: blocked.blockedAt } },
        {},
        { blockedAt: { from: blocked.blockedAt, to: null } },
      ])
    const log = (await ask('GET', '/api/tenant/audit-log')).body.data
    const actions = log.map(({ action }: { action: string }) => action)
    expect(actions.filter((action: string) => action.includes('locked'))).toEqual([
      'customer.unblocked',
      'customer.blocked',
    ])
  })

  test.each(['target', 'source'] as const)(
    'outlives a merge when the %s is blocked [own.block]',
    async (which) => {
      const people = { target: await create({ firstName: 'Ada' }), source: await create({ firstName: 'A.' }) }
      const { blockedAt } = await set(people[which]._id, '/block')
      const path = `/api/v1/customers/${people.target._id}/merge`
      const merged = await ask('POST', path, { sourceId: people.source._id })
      expect(merged.body.data).toMatchObject({ _id: people.target._id, blockedAt })
    },
  )
})

describe('a mail of a blocked customer', () => {
  async function blockedSender() {
    const inbox = await makeMailInbox(service, { autoReply: { enabled: true, content: 'Thank you.' } })
    const { conversationId = '' } = await inbox.receive()
    // The automatic reply is sent by background work, which would change it between two reads of a test.
    const statuses = async () =>
      (await inbox.messagesOf(conversationId)).map(({ status }: { status: string }) => status)
    await expect.poll(statuses).toEqual(['sent', 'sent'])
    const { customerId: customer } = await inbox.conversationOf(conversationId)
    await inbox.ask('PUT', `/api/v1/conversations/${conversationId}`, { status: 'closed' })
    const set = (action: string) => inbox.ask('POST', `/api/v1/customers/${customer._id}${action}`)
    await set('/block')
    return { ...inbox, conversationId, set }
  }

  test('is stored and ignored: no message, no reopening, no automatic reply and no event [own.block]', async () => {
    const { receive, ask, conversationId, messagesOf } = await blockedSender()
    const messages = await messagesOf(conversationId)
    const eventsOf = async () => (await ask('GET', '/api/v1/events?limit=100')).body.data
    const events = await eventsWithBlock(eventsOf)
    const reply = [`In-Reply-To: <${messages.at(-1).email.messageId}>`]
    for (const headers of [[], reply])
      expect(await receive({ from: 'Somebody <ADA@example.com>', headers })).toMatchObject({
        status: 'ignored',
        reason: 'blocked',
        conversationId: null,
        from: 'ada@example.com',
      })
    expect(await eventsOf()).toEqual(events)
    expect(await messagesOf(conversationId)).toEqual(messages)
    const list = await ask('GET', '/api/v1/conversations')
    expect(list.body.data).toMatchObject([{ _id: conversationId, status: 'closed' }])
    expect((await ask('GET', '/api/v1/inbound-mails?status=ignored')).body.data).toHaveLength(2)
    expect(await receive({ from: 'bob@example.com' })).toMatchObject({ status: 'processed' })
  })

  test('with a forged From is ignored alone, and changes nothing about the customer [own.block]', async () => {
    const { receive, ask } = await blockedSender()
    const customers = async () => (await ask('GET', '/api/v1/customers')).body.data
    const before = await customers()
    const headers = ['Authentication-Results: mx.acme.test; dmarc=fail header.from=example.com']
    expect(await receive({ headers })).toMatchObject({ status: 'ignored', reason: 'blocked' })
    expect(await customers()).toEqual(before)
  })

  test('is processed again when a person asks after the customer is unblocked, and not before [own.block]', async () => {
    const { receive, ask, set, conversationOf } = await blockedSender()
    const { _id } = await receive()
    const again = () => ask('POST', `/api/v1/inbound-mails/${_id}/process-again`)
    expect(await again()).toMatchObject({
      status: 409,
      body: { code: 'INVALID_STATE', details: { status: 'blocked', allowed: ['unblocked'] } },
    })
    await set('/unblock')
    expect(await again()).toMatchObject({ status: 200, body: { data: { status: 'received', reason: null } } })
    const read = async () => (await ask('GET', `/api/v1/inbound-mails/${_id}`)).body.data
    await expect.poll(async () => (await read()).status).toBe('processed')
    expect(await conversationOf((await read()).conversationId)).toMatchObject({ messageCount: 2 })
    expect(await again()).toMatchObject({ status: 409, body: { details: { status: 'processed' } } })
  })

  test('does not keep the team from writing to the customer', async () => {
    const { reply, conversationId } = await blockedSender()
    expect(await reply(conversationId)).toMatchObject({ status: 201 })
  })
})

describe('a visitor who is blocked', () => {
  test('reads what was written, and every way to write is refused until the block ends [own.block]', async () => {
    const owner = await registerTenant(service.url)
    const { key } = await switchWidgetOn(service.url, owner.token)
    const asTeam = (method: string, path: string) => call(service.url, { method, path, token: owner.token })
    const visitor = new WidgetVisitor(service.url)
    await visitor.begin(key)
    const first = randomUUID()
    const { _id, message } = await visitor.ask('Hello', first)
    const [customer] = (await asTeam('GET', '/api/v1/customers')).body.data
    const set = (action: string) => asTeam('POST', `/api/v1/customers/${customer._id}${action}`)
    await set('/block')
    const path = `/api/v1/widget/conversations/${_id}`
    const write = (more: string, body: object) => visitor.send('POST', `${path}${more}`, body)
    const send = (clientMessageId = randomUUID()) => write('/messages', { content: 'Hi', clientMessageId })
    const form = () => {
      const files = new FormData()
      files.append('file', new Blob(['x']), 'a.txt')
      return files
    }
    const upload = () =>
      fetch(`${service.url}/api/v1/widget/attachments`, {
        method: 'POST',
        headers: { authorization: `Bearer ${visitor.token}` },
        body: form(),
      })
    const events = async () => (await asTeam('GET', '/api/v1/events?limit=100')).body.data
    const before = await eventsWithBlock(events)
    const begin = { message: 'Hi', clientMessageId: randomUUID() }
    for (const refused of [
      await send(),
      await visitor.send('POST', '/api/v1/widget/conversations', begin),
      await write('/typing', { isTyping: true }),
      await write('/rating', { rating: 1 }),
    ])
      expect(refused).toMatchObject({ status: 409, body: refusal })
    expect((await upload()).status).toBe(409)
    expect(await events()).toEqual(before)
    const shown = await visitor.send('GET', `${path}/messages`)
    expect(shown.body.data).toMatchObject([{ _id: message._id, content: 'Hello' }])
    expect((await write('/read', {})).status).toBe(200)
    // A repeat of what was stored before the block is no second message.
    const repeated = { message: 'Hello', clientMessageId: first }
    expect((await visitor.send('POST', '/api/v1/widget/conversations', repeated)).status).toBe(200)
    await set('/unblock')
    expect((await send()).status).toBe(201)
    expect((await upload()).status).toBe(201)
  })
})
