// Runs on both databases by day: two commits decide about one mail, and a patch fills what another one has emptied.
import { copyFileSync } from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { dueReplyChange } from '../../src/features/widget/due-reply.ts'
import { createSecretBox } from '../../src/security/secret-box.ts'
import { call } from '../support/call.ts'
import { makeCertificate, type TestCertificate } from '../support/https-receiver.ts'
import { type MailInbox, makeMailInbox } from '../support/mail-inbox.ts'
import { type SmtpReceiver, startSmtpReceiver } from '../support/smtp-receiver.ts'
import { type RunningService, startService } from '../support/start-service.ts'
import { textOf } from '../support/system-mail.ts'
import { signUser, switchWidgetOn, type Widget, WidgetVisitor } from '../support/widget-visitor.ts'

// Replies that a visitor of the chat widget has not read, by mail to the address that the visitor gave.

const baseUrl = 'https://crm.acme.test'
const secretsKey = 'the key of these tests which is long enough'
const minuteMs = 60_000
let laterMs = 0
const clock = { nowMs: () => Date.now() + laterMs }
let service: RunningService
let receiver: SmtpReceiver
let certificate: TestCertificate
let inbox: MailInbox
let widget: Widget

beforeAll(async () => {
  certificate = await makeCertificate()
  service = await startService({ CRM_BASE_URL: baseUrl, CRM_SECRETS_KEY: secretsKey }, { clock })
  copyFileSync(certificate.caFile, path.join(service.dataDir, 'webhook-ca.pem'))
  receiver = await startSmtpReceiver({ certificate })
})
afterAll(async () => {
  await service.stop()
  await receiver.stop()
  certificate.remove()
})
beforeEach(async () => {
  const smtp = { host: 'localhost', port: receiver.port, security: 'starttls', user: null }
  inbox = await makeMailInbox(service, { transport: 'smtp', smtp, displayName: 'Acme' })
  const replyByMail = { enabled: true, inboxId: inbox.inboxId }
  widget = await switchWidgetOn(service.url, inbox.owner.token, { replyByMail })
})

let count = 0
const newAddress = () => `vera${count++}@example.com`

interface Chat {
  visitor: WidgetVisitor
  id: string
  address: string
}

async function beginChat(address: string | null = newAddress(), words = 'My secret words'): Promise<Chat> {
  const visitor = new WidgetVisitor(service.url)
  await visitor.begin(widget.key, {
    page: 'https://shop.example.com/lamps?from=ad',
    profile: { firstName: 'Vera' },
  })
  const { _id: id } = await visitor.ask(words)
  if (address !== null) await sayAddress(visitor, address)
  return { visitor, id, address: address ?? '' }
}

const sayAddress = (visitor: WidgetVisitor, email: string | null) =>
  visitor.send('PUT', '/api/v1/widget/sessions/current', { email })

async function reply(id: string, content: string): Promise<string> {
  const made = await inbox.reply(id, { content })
  expect(made.status, JSON.stringify(made.body)).toBe(201)
  return made.body.data._id
}

/** The clock goes on. Every session is as old as before, so a visitor who was there is away now. */
const pass = (minutes: number) => {
  laterMs += minutes * minuteMs
}

const mailsTo = (address: string) => receiver.mails.filter(({ to }) => to.includes(address))
const lastMail = (address: string) => textOf(mailsTo(address).at(-1)?.raw ?? '')
const untilMailed = (address: string, mails = 1) =>
  expect.poll(() => mailsTo(address).length, { timeout: 20_000 }).toBe(mails)

/** Waits until the look of a conversation is over, which mails nothing. */
async function untilLookedAt(id: string): Promise<void> {
  const isDue = async () =>
    ((await inbox.store.chatMails.find(id))?.dueAt ?? '~') <= new Date(clock.nowMs()).toISOString()
  await expect.poll(isDue, { timeout: 20_000 }).toBe(false)
}

describe('a visitor who is away', () => {
  it('gets one mail with all unread replies after five minutes, and nothing of their own words', async () => {
    const { id, address } = await beginChat()
    const first = await reply(id, 'It is **repaired**.')
    const second = await reply(id, 'You can fetch it.')
    await untilLookedAt(id)
    expect(mailsTo(address)).toEqual([])
    pass(6)
    await untilMailed(address)
    const raw = lastMail(address)
    expect(raw).toContain('Subject: A reply from Acme')
    expect(raw).toContain('It is **repaired**.')
    expect(raw).toContain('You can fetch it.')
    expect(raw).not.toContain('secret words')
    expect(raw).not.toContain('Vera')
    expect(raw).toMatch(/^List-Unsubscribe-Post: List-Unsubscribe=One-Click\r?$/m)
    expect(raw).toMatch(/^List-Unsubscribe: ?\s*<https:\/\/crm\.acme\.test\/widget\/stop\//m)
    // No page of the inbox's list: the visitor's browser may have named any.
    expect(raw).not.toContain('shop.example.com')
    const shown = async (message: string) => {
      const { status, via, recipients } = await inbox.messageOf(message)
      return { status, via, recipients: recipients.map((one: { status: string }) => one.status) }
    }
    const sent = { status: 'sent', via: 'chat', recipients: ['sent'] }
    await expect.poll(() => shown(first)).toEqual(sent)
    expect(await shown(second)).toEqual(sent)
    const events = (await inbox.ask('GET', '/api/v1/events?limit=100')).body.data
    const updates = events.filter(({ event }: { event: string }) => event === 'message.updated')
    expect(updates.map(({ data }: { data: { _id: string } }) => data._id).sort()).toEqual(
      [first, first, second, second].sort(),
    )
  })

  it('gets none of a reply that they have read, and one of a reply after it', async () => {
    const { visitor, id, address } = await beginChat()
    await reply(id, 'Read already')
    pass(1)
    await visitor.send('POST', `/api/v1/widget/conversations/${id}/read`)
    pass(1)
    await reply(id, 'Not read')
    pass(10)
    await untilMailed(address)
    expect(lastMail(address)).toContain('Not read')
    expect(lastMail(address)).not.toContain('Read already')
  })

  it('gets none without an address, and gets what is unread once they have given one', async () => {
    const { visitor, id } = await beginChat(null)
    await reply(id, 'Are you there?')
    pass(6)
    await untilLookedAt(id)
    const address = newAddress()
    await sayAddress(visitor, address)
    pass(6)
    await untilMailed(address)
    expect(lastMail(address)).toContain('Are you there?')
  })

  it('gets the link back to a page of the list', async () => {
    await widget.set({ allowedOrigins: ['https://shop.example.com'] })
    const { id, address } = await beginChat()
    await reply(id, 'Hello')
    pass(6)
    await untilMailed(address)
    expect(lastMail(address)).toContain('https://shop.example.com/lamps#crm-chat')
  })

  it('gets the next mail of a conversation after fifteen minutes, with what came meanwhile', async () => {
    const { id, address } = await beginChat()
    await reply(id, 'The first reply')
    pass(6)
    await untilMailed(address)
    await reply(id, 'Two')
    pass(8)
    await untilLookedAt(id)
    expect(mailsTo(address)).toHaveLength(1)
    pass(8)
    await untilMailed(address, 2)
    expect(lastMail(address)).toContain('Two')
    expect(lastMail(address)).not.toContain('The first reply')
  })

  it('gets five mails a day to one unconfirmed address, over all conversations of the tenant', async () => {
    const address = newAddress()
    const chats: Chat[] = []
    for (let n = 0; n < 6; n++) chats.push(await beginChat(address))
    for (const { id } of chats) await reply(id, `To ${id}`)
    pass(6)
    await untilMailed(address, 5)
    for (const { id } of chats) await untilLookedAt(id)
    expect(mailsTo(address)).toHaveLength(5)
    pass(24 * 60)
    await untilMailed(address, 6)
  })

  it('gets none as a blocked customer, at a suppressed address, or with the setting switched off', async () => {
    const blocked = await beginChat()
    const suppressed = await beginChat()
    const off = await beginChat()
    for (const { id } of [blocked, suppressed, off]) await reply(id, 'Hello')
    const { customerId } = await inbox.conversationOf(blocked.id)
    const block = await inbox.ask('POST', `/api/v1/customers/${customerId._id}/block`, {})
    expect(block.status, JSON.stringify(block.body)).toBe(200)
    const now = new Date(clock.nowMs()).toISOString()
    await inbox.store.commit({
      writes: [
        {
          op: 'insert',
          kind: 'suppressedAddresses',
          row: {
            _id: service.service.ids.next('sup'),
            tenantId: inbox.owner.tenant._id,
            address: suppressed.address,
            status: '5.1.1',
            text: null,
            messageId: null,
            customerId: null,
            createdAt: now,
            updatedAt: now,
          },
        },
      ],
      events: [],
    })
    pass(6)
    for (const { id } of [blocked, suppressed]) await untilLookedAt(id)
    await untilMailed(off.address)
    await reply(off.id, 'Later')
    await widget.set({ replyByMail: { enabled: false, inboxId: inbox.inboxId } })
    pass(20)
    await untilLookedAt(off.id)
    expect(mailsTo(blocked.address)).toEqual([])
    expect(mailsTo(suppressed.address)).toEqual([])
    expect(mailsTo(off.address)).toHaveLength(1)
  })
})

/** Another process decides, so many minutes from now. */
const partsIn = (minutes: number) => ({
  ids: service.service.ids,
  secrets: createSecretBox([secretsKey]),
  mail: { relay: undefined, domain: undefined, smtpDoor: null, hasLinks: true, baseUrl },
  store: inbox.store,
  tenantLimits: undefined,
  nowMs: clock.nowMs() + minutes * minuteMs,
})

describe('two processes at once', () => {
  it('queue one mail: of two equal decisions one is stored', async () => {
    const { id, address } = await beginChat()
    await reply(id, 'Hello')
    const row = await inbox.store.chatMails.find(id)
    if (row === undefined) throw new Error('no look is planned')
    const parts = partsIn(6)
    const changes = [await dueReplyChange(parts, row), await dueReplyChange(parts, row)]
    const ended = await Promise.allSettled(changes.map((change) => inbox.store.commit(change)))
    expect(ended.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
    pass(6)
    await untilMailed(address)
    pass(20)
    await untilLookedAt(id)
    expect(mailsTo(address)).toHaveLength(1)
  })

  it('mail nothing that the visitor reads, or the team changes, at this moment', async () => {
    const { visitor, id, address } = await beginChat()
    await reply(id, 'Hello')
    const row = await inbox.store.chatMails.find(id)
    if (row === undefined) throw new Error('no look is planned')
    const parts = partsIn(6)
    const change = await dueReplyChange(parts, row)
    await visitor.send('POST', `/api/v1/widget/conversations/${id}/read`)
    await expect(inbox.store.commit(change)).rejects.toThrow()
    pass(10)
    await untilLookedAt(id)
    expect(mailsTo(address)).toEqual([])
  })
})

describe('a mail of the visitor', () => {
  it('joins the conversation, turns its door to mail and confirms the address; a chat message turns it back', async () => {
    const { visitor, id, address } = await beginChat()
    await reply(id, 'Is it the lamp?')
    pass(6)
    await untilMailed(address)
    const [mail] = mailsTo(address)
    const signedAddress = /<(h\w+\+[\w.]+@acme\.test)>/.exec(mail?.raw ?? '')?.[1] ?? ''
    const joined = await inbox.receive({
      from: address,
      to: signedAddress,
      text: 'Yes, it is.',
      headers: ['Authentication-Results: mx.acme.test; dmarc=pass header.from=example.com'],
    })
    expect(joined['conversationId']).toBe(id)
    const recipients = async () =>
      (await inbox.ask('GET', `/api/v1/conversations/${id}/recipients`)).body.data
    expect(await recipients()).toMatchObject({ door: 'email', to: [{ address }] })
    const made = await reply(id, 'We repair it.')
    expect(await inbox.messageOf(made)).toMatchObject({ via: 'email', recipients: [{ address }] })
    await untilMailed(address, 2)
    const chat = { content: 'I write here again', clientMessageId: 'again' }
    await visitor.send('POST', `/api/v1/widget/conversations/${id}/messages`, chat)
    expect((await recipients()).door).toBe('chat')
    const last = await reply(id, 'By mail, with the subject')
    expect((await inbox.messageOf(last)).via).toBe('chat')
    pass(20)
    await untilMailed(address, 3)
    expect(lastMail(address)).toMatch(/^Subject: Re: My secret words\r?$/m)
  })
})

describe('the link in the mail', () => {
  it('shows one button, changes nothing by itself, and ends the mail of this conversation and address', async () => {
    const { id, address } = await beginChat()
    const other = await beginChat(address)
    await reply(id, 'One')
    pass(6)
    await untilMailed(address)
    const link = /<https:\/\/crm\.acme\.test(\/widget\/stop\/[^>\s]+)>/.exec(lastMail(address))?.[1] ?? ''
    const page = await fetch(service.url + link)
    expect([page.status, await page.text()]).toEqual([200, expect.stringContaining('<button')])
    expect((await inbox.store.chatMails.find(id))?.stopped).toEqual([])
    const changed = link.replace(/.$/, (last) => (last === 'a' ? 'b' : 'a'))
    for (const wrong of [changed, `${link}x`, link.replace(id, other.id)]) {
      expect((await fetch(service.url + wrong, { method: 'POST' })).status).toBe(404)
    }
    const body = new URLSearchParams({ 'List-Unsubscribe': 'One-Click' })
    for (const _ of [1, 2])
      expect((await fetch(service.url + link, { method: 'POST', body })).status).toBe(200)
    await reply(id, 'Two')
    await reply(other.id, 'Other')
    pass(20)
    await untilMailed(address, 2)
    await untilLookedAt(id)
    expect(lastMail(address)).toContain('Other')
    expect(mailsTo(address)).toHaveLength(2)
  })
})

describe('a signed visitor', () => {
  it('gets mail at the signed address, with the subject', async () => {
    const made = await inbox.ask('POST', `/api/v1/inboxes/${widget.inboxId}/widget-secret`, {})
    const visitor = new WidgetVisitor(service.url)
    const address = newAddress()
    const at = Math.floor(clock.nowMs() / 1000)
    const claims = { sub: 'p1', email: address, iat: at, exp: at + 300 }
    await visitor.begin(widget.key, { userToken: signUser(made.body.data.secret, claims) })
    const { _id: id } = await visitor.ask('Where is my order?')
    await reply(id, 'On its way')
    pass(6)
    await untilMailed(address)
    expect(lastMail(address)).toMatch(/^Subject: Re: Where is my order\?\r?$/m)
  })
})

describe('POST /api/v1/widget/conversations/{id}/transcript', () => {
  const ask = ({ visitor, id }: Chat) => visitor.send('POST', `/api/v1/widget/conversations/${id}/transcript`)

  it('mails the words of the team to a typed address, once an hour, and needs an address', async () => {
    const chat = await beginChat(null, 'My secret words')
    await reply(chat.id, 'It is repaired.')
    await inbox.reply(chat.id, { content: 'A note of the team', type: 'note' })
    const refused = await ask(chat)
    expect([refused.status, refused.body.code]).toEqual([409, 'INVALID_STATE'])
    const address = newAddress()
    await sayAddress(chat.visitor, address)
    expect((await ask(chat)).body.data).toMatchObject({ _id: chat.id })
    await untilMailed(address)
    const raw = lastMail(address)
    expect(raw).toContain('It is repaired.')
    expect(raw).not.toContain('secret words')
    expect(raw).not.toContain('A note')
    const again = await ask(chat)
    expect([again.status, again.body.code]).toEqual([429, 'RATE_LIMIT_EXCEEDED'])
    expect(Number(again.headers.get('retry-after'))).toBeGreaterThan(3_000)
    const other = await beginChat(address)
    expect((await ask({ ...other, id: chat.id })).status).toBe(404)
    expect((await ask(other)).status).toBe(200)
  })

  it('mails both sides to a signed address, and at most three of a conversation a day', async () => {
    const made = await inbox.ask('POST', `/api/v1/inboxes/${widget.inboxId}/widget-secret`, {})
    const visitor = new WidgetVisitor(service.url)
    const address = newAddress()
    const at = Math.floor(clock.nowMs() / 1000)
    const claims = { sub: 'p1', email: address, iat: at, exp: at + 300 }
    await visitor.begin(widget.key, { userToken: signUser(made.body.data.secret, claims) })
    const { _id: id } = await visitor.ask('Where is my order?')
    await reply(id, 'On its way')
    const statuses: number[] = []
    for (let n = 0; n < 4; n++) {
      statuses.push((await ask({ visitor, id, address })).status)
      pass(61)
    }
    expect(statuses).toEqual([200, 200, 200, 429])
    await untilMailed(address, 3)
    expect(lastMail(address)).toContain('Where is my order?')
    expect(lastMail(address)).toContain('On its way')
  })
})

describe('an erasure', () => {
  it('of the customer ends what waits, and leaves no row of it', async () => {
    const { id, address } = await beginChat()
    await reply(id, 'Hello')
    const { customerId } = await inbox.conversationOf(id)
    const gone = await call(service.url, {
      method: 'DELETE',
      path: `/api/v1/customers/${customerId._id}`,
      token: inbox.owner.token,
    })
    expect(gone.status, JSON.stringify(gone.body)).toBe(200)
    await expect.poll(() => inbox.store.chatMails.find(id)).toBeUndefined()
    pass(10)
    const other = await beginChat()
    await reply(other.id, 'Hello')
    pass(6)
    await untilMailed(other.address)
    expect(mailsTo(address)).toEqual([])
  })
})
