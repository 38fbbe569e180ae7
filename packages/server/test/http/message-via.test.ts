// Runs on both databases by day: the webhooks that a process knows.

import { beforeEach, describe, expect, it } from 'vitest'
import { call, createKey, registerTenant } from '../support/call.ts'
import { comeDue } from '../support/come-due.ts'
import { makeMailInbox } from '../support/mail-inbox.ts'
import { useService } from '../support/use-service.ts'
import { switchWidgetOn, type Widget, WidgetVisitor } from '../support/widget-visitor.ts'

const running = useService({ CRM_MAIL_DOMAIN: 'in.acme.test' })
let owner: Awaited<ReturnType<typeof registerTenant>>

beforeEach(async () => {
  owner = await registerTenant(running.url)
})

async function send(method: string, path: string, body?: unknown, token = owner.token) {
  const response = await call(running.url, { method, path: `/api/v1/${path}`, token, body })
  expect(response.body).toMatchObject({ success: true })
  return response.body.data
}
const begin = async (more: object = {}): Promise<string> => {
  const inboxId = (await send('GET', 'inboxes'))[0]._id
  return (await send('POST', 'conversations', { subject: 'Lamp', inboxId, channel: 'whatsapp', ...more }))._id
}
const say = (id: string, more: object = {}) =>
  send('POST', `conversations/${id}/messages`, { content: 'It is repaired.', ...more })
const recipientsOf = (id: string, token?: string) =>
  send('GET', `conversations/${id}/recipients`, undefined, token)
const addWebhook = (events: string[]) =>
  send('POST', 'webhooks', { name: 'Carrier', url: 'https://carrier.example/crm', events })
/** The door that is named before a reply is written, and the one that then stands in it. */
const doors = async (id: string) => [(await recipientsOf(id)).door, (await say(id)).via]

describe('via of a message', () => {
  it('is none where nobody sends the reply, and webhook as long as an active webhook hears message.sent [own.via]', async () => {
    const id = await begin()
    expect(await doors(id)).toEqual(['none', 'none'])
    await addWebhook(['message.received', 'message.updated'])
    expect(await doors(id)).toEqual(['none', 'none'])
    const { _id } = await addWebhook(['message.sent'])
    expect(await doors(id)).toEqual(['webhook', 'webhook'])
    await send('PUT', `webhooks/${_id}`, { isActive: false })
    expect(await doors(id)).toEqual(['none', 'none'])
    await send('PUT', `webhooks/${_id}`, { isActive: true })
    expect(await doors(id)).toEqual(['webhook', 'webhook'])
    await send('DELETE', `webhooks/${_id}`)
    expect(await doors(id)).toEqual(['none', 'none'])
  })

  it('stays as the commit of the message has fixed it, whatever changes later [own.via]', async () => {
    const id = await begin()
    const alone = await say(id)
    const { _id } = await addWebhook(['message.sent'])
    const heard = await say(id)
    await send('DELETE', `webhooks/${_id}`)
    for (const { _id: messageId } of [alone, heard])
      await send('PUT', `messages/${messageId}`, { status: 'delivered' })
    const shown = (await send('GET', `conversations/${id}/messages`)).map(
      ({ via, status }: { via: string; status: string }) => [via, status],
    )
    expect(shown).toEqual([
      ['none', 'delivered'],
      ['webhook', 'delivered'],
    ])
    expect(await send('GET', `messages/${heard._id}`)).toMatchObject({ via: 'webhook' })
  })

  it('is null for notes and for messages of customers, and stands in the events of every message', async () => {
    const id = await begin({ message: { content: 'Hello', direction: 'inbound' } })
    await say(id, { type: 'note' })
    await say(id)
    const shown = (await send('GET', `conversations/${id}/messages`)).map(({ via }: { via: unknown }) => via)
    expect(shown).toEqual([null, null, 'none'])
    const events = (await send('GET', 'events?limit=100')).filter(({ event }: { event: string }) =>
      ['message.received', 'note.created', 'message.sent'].includes(event),
    )
    expect(events.map(({ data }: { data: { via: unknown } }) => data.via)).toEqual([null, null, 'none'])
  })

  it('is said of the first message of a conversation, and of drafts that people and programs have written', async () => {
    const first = await begin({ message: { content: 'A question' } })
    expect((await send('GET', `conversations/${first}/messages`))[0].via).toBe('none')
    const id = await begin()
    await addWebhook(['message.sent'])
    const key = await createKey(running.url, owner.token, ['read:conversations', 'write:conversations'])
    for (const token of [owner.token, key]) {
      const draft = await send('PUT', `conversations/${id}/draft`, { content: 'A draft' }, token)
      expect(draft.basis).toMatchObject({ door: 'webhook' })
      const sent = await send('POST', `conversations/${id}/drafts/${draft._id}/send`, {})
      expect(sent).toMatchObject({ via: 'webhook' })
    }
  })

  it('is said of a planned reply at its time, which stays unsent when another door has opened', async () => {
    const id = await begin()
    const store = running.service.storage.forTenant(owner.tenant._id)
    const sendAt = new Date(Date.now() + 3_600_000).toISOString()
    const plan = async () => {
      const { _id } = await send('PUT', `conversations/${id}/draft`, { content: 'Later', sendAt })
      return () => comeDue(store, _id)
    }
    const viaOfNewest = async () => (await send('GET', `conversations/${id}/messages`)).at(-1)?.via
    await (await plan())()
    await expect.poll(viaOfNewest).toBe('none')
    const ofOther = await plan()
    await addWebhook(['message.sent'])
    await ofOther()
    await expect
      .poll(async () => (await send('GET', `conversations/${id}/draft`)).sendError)
      .toBe('RECIPIENT_CHANGED')
  })
})

describe('via of e-mail', () => {
  it('is email for a reply and for an automatic one, also after it was sent again, and none once the inbox sends no e-mail', async () => {
    const autoReply = { enabled: true, content: 'We have it.' }
    const inbox = await makeMailInbox(running, { autoReply })
    const { conversationId = '' } = await inbox.receive()
    const sent = (await inbox.reply(conversationId)).body.data
    const shown = (await inbox.messagesOf(conversationId)).map(({ via }: { via: unknown }) => via)
    expect(shown).toEqual([null, 'email', 'email'])
    // The job that sends it writes it too.
    await expect.poll(async () => (await inbox.messageOf(sent._id)).status).toBe('sent')
    const { version = 0 } = (await inbox.store.messages.find(sent._id)) ?? {}
    const recipients = sent.recipients.map((one: object) => ({ ...one, status: 'failed' }))
    const set = { status: 'failed' as const, recipients }
    await inbox.store.commit({
      writes: [{ op: 'update', kind: 'messages', id: sent._id, expectVersion: version, set }],
      events: [],
    })
    const again = await inbox.ask('POST', `/api/v1/messages/${sent._id}/send-again`, {})
    expect(again.body.data).toMatchObject({ status: 'queued', via: 'email' })
    const email = { ...inbox.settings, autoReply, transport: 'none' }
    await inbox.ask('PUT', `/api/v1/inboxes/${inbox.inboxId}`, { email })
    expect((await inbox.reply(conversationId)).body.data).toMatchObject({ status: 'sent', via: 'none' })
  })
})

describe('via of a chat', () => {
  let widget: Widget
  let visitor: WidgetVisitor
  let id: string
  beforeEach(async () => {
    widget = await switchWidgetOn(running.url, owner.token)
    visitor = new WidgetVisitor(running.url)
    await visitor.begin(widget.key)
    id = (await visitor.ask('Hello'))._id
  })

  it('is chat, whoever else hears of the reply, and the visitor does not see it', async () => {
    await addWebhook(['message.sent'])
    expect(await doors(id)).toEqual(['chat', 'chat'])
    const { body } = await visitor.send('GET', `/api/v1/widget/conversations/${id}/messages`)
    expect(body.data).toHaveLength(2)
    for (const message of body.data) expect(message).not.toHaveProperty('via')
  })

  it('says when the visitor was last there, to the minute, in no event, and not of a conversation that is no chat', async () => {
    const seen = await recipientsOf(id)
    expect(seen).toMatchObject({ sendsMail: false, door: 'chat', from: null, to: [] })
    expect(Date.parse(seen.visitorSeenAt)).toBeGreaterThan(Date.now() - 60_000)
    expect(await recipientsOf(await begin())).toMatchObject({ visitorSeenAt: null })
    const events = await send('GET', 'events?limit=100')
    expect(JSON.stringify(events)).not.toContain('SeenAt')
  })

  it('notes that a visitor is there once a minute, and not with each request', async () => {
    const store = running.service.storage.forTenant(owner.tenant._id)
    const { customerId } = (await store.conversations.find(id)) ?? {}
    const find = async () => {
      const newest = { customerId: customerId ?? '', sort: '-createdAt', page: 1, limit: 1 } as const
      const [session] = (await store.widgetSessions.list(newest)).rows
      if (session === undefined) throw new Error('the visitor has no session')
      return session
    }
    // A change of the inbox makes the service read the session again with the next request.
    const look = async (greeting: string) => {
      await widget.set({ greeting })
      await visitor.send('GET', '/api/v1/widget/conversations')
      return (await find()).lastSeenAt
    }
    const { _id, version, lastSeenAt } = await find()
    expect(await look('Hello')).toBe(lastSeenAt)
    const set = { lastSeenAt: new Date(Date.now() - 61_000).toISOString() }
    await store.commit({
      writes: [{ op: 'update', kind: 'widgetSessions', id: _id, expectVersion: version, set }],
      events: [],
    })
    expect((await recipientsOf(id)).visitorSeenAt).toBe(set.lastSeenAt)
    expect(Date.parse((await look('Hi')) ?? '')).toBeGreaterThan(Date.now() - 60_000)
  })

  it('is said to a key without read:customers too, and no address [own.via]', async () => {
    const key = await createKey(running.url, owner.token, ['read:conversations'])
    expect(await recipientsOf(id, key)).toMatchObject({ door: 'chat', visitorSeenAt: expect.any(String) })
    const inbox = await makeMailInbox(running)
    const { conversationId = '' } = await inbox.receive({ headers: ['Reply-To: other@example.org'] })
    const reader = await createKey(running.url, inbox.owner.token, ['read:conversations'])
    const shown = await recipientsOf(conversationId, reader)
    const hidden = { address: null, name: null }
    expect(shown).toMatchObject({ door: 'email', to: [hidden], offered: [hidden] })
    expect(shown.from.address).toContain('@')
  })
})
