import { createHmac, randomUUID } from 'node:crypto'
import { beforeEach, describe, expect, test } from 'vitest'
import { findMailTags } from '../../src/mail/addresses/mail-key.ts'
import { createSecretBox } from '../../src/security/secret-box.ts'
import { StorageUnavailable } from '../../src/storage/errors.ts'
import { call, registerTenant } from '../support/call.ts'
import { useService } from '../support/use-service.ts'

const secretsKey = 'the key of these tests which is long enough'
const secrets = createSecretBox([secretsKey])
const service = useService({ CRM_SECRETS_KEY: secretsKey })
let owner: Awaited<ReturnType<typeof registerTenant>>
let inboxId: string
let address: string
let token: string
beforeEach(async () => {
  owner = await registerTenant(service.url)
  inboxId = (await ask('GET', '/api/v1/inboxes')).body.data[0]._id
  address = newAddress()
  await setEmail()
  token = await newToken()
})

const ask = (method: string, path: string, body?: unknown, credential = owner.token) =>
  call(service.url, { method, path, token: credential, ...(body !== undefined && { body }) })
// The signed addresses of a longer one would not fit into an address.
const newAddress = () => `h${randomUUID().slice(0, 8)}@acme.test`
async function setEmail(): Promise<void> {
  const email = { address, plusAddressing: true, authservIds: ['mx.acme.test'] }
  const { status } = await ask('PUT', `/api/v1/inboxes/${inboxId}`, { email })
  expect(status).toBe(200)
}
const newToken = async (body = {}): Promise<string> =>
  (await ask('POST', `/api/v1/inboxes/${inboxId}/inbound-token`, body)).body.data.inboundToken

interface Fields {
  from?: string
  text?: string
  id?: string
  headers?: readonly string[]
}

function mailOf({
  from = 'Ada Lovelace <ada@example.com>',
  text = 'Hello',
  id,
  headers = [],
}: Fields = {}): string {
  const lines = [
    `From: ${from}`,
    `To: ${address}`,
    'Subject: Broken lamp',
    `Message-ID: <${id ?? `${randomUUID()}@example.com`}>`,
    'Date: Sun, 22 Nov 2026 10:00:00 +0000',
    ...headers,
    '',
    text,
  ]
  return lines.join('\r\n')
}

async function post(body: string | Uint8Array, { type = 'message/rfc822', to = token, query = '' } = {}) {
  const response = await fetch(`${service.url}/api/v1/inbound/email/${to}${query}`, {
    method: 'POST',
    headers: { 'Content-Type': type },
    body,
  })
  const reply = (await response.json()) as { data: { _id: string; status: string } }
  return { status: response.status, body: reply }
}

/** Sends a mail and waits for the decision about it. */
async function deliver(mail: string): Promise<Record<string, string>> {
  const { status, body } = await post(mail)
  expect(status).toBe(200)
  return decided(body.data._id)
}

async function decided(id: string): Promise<Record<string, string>> {
  await expect
    .poll(async () => (await ask('GET', `/api/v1/inbound-mails/${id}`)).body.data.status)
    .not.toBe('received')
  return (await ask('GET', `/api/v1/inbound-mails/${id}`)).body.data
}

const conversationOf = async (id = '') => (await ask('GET', `/api/v1/conversations/${id}`)).body.data
const messagesOf = async (id = '') => (await ask('GET', `/api/v1/conversations/${id}/messages`)).body.data
const tags = async () => {
  const { storage } = service.service
  const found = await findMailTags(storage.forTenant(owner.tenant._id), secrets)
  if (found === undefined) throw new Error('the tenant has no mail key')
  return found
}

/** The same text with two other letters at its end. */
const otherEnd = (text: string) => `${text.slice(0, -2)}${text.endsWith('aa') ? 'bb' : 'aa'}`

describe('a mail that is posted', () => {
  test('becomes a message of a new conversation with its customer, and keeps its bytes [own.mail.in]', async () => {
    const raw = mailOf({ text: 'Gr\u00fc\u00dfe\r\n\r\nOn 1 Jan 2026, Help wrote:\r\n> Hi' })
    const mail = await deliver(raw)
    expect(mail).toMatchObject({
      status: 'processed',
      reason: null,
      door: 'http',
      from: 'ada@example.com',
      subject: 'Broken lamp',
      sizeBytes: Buffer.byteLength(raw),
    })
    const conversation = await conversationOf(mail['conversationId'])
    expect(conversation).toMatchObject({
      subject: 'Broken lamp',
      source: 'email',
      channel: 'email',
      inboxId,
      customerId: { profile: { firstName: 'Ada', lastName: 'Lovelace', email: 'ada@example.com' } },
    })
    const [message] = await messagesOf(mail['conversationId'])
    expect(message).toMatchObject({
      _id: mail['messageId'],
      direction: 'inbound',
      contentType: 'text',
      email: { from: { address: 'ada@example.com', name: 'Ada Lovelace' }, verified: null, quotedFrom: null },
    })
    expect(message.content).toBe('Gr\u00fc\u00dfe\n\nOn 1 Jan 2026, Help wrote:\n> Hi')
    const bytes = await fetch(`${service.url}/api/v1/inbound-mails/${mail['_id']}/raw`, {
      headers: { Authorization: `Bearer ${owner.token}` },
    })
    expect(bytes.headers.get('content-type')).toContain('message/rfc822')
    expect(await bytes.text()).toBe(raw)
  })

  test('brings its files, which are downloaded like those of any message', async () => {
    const mail = await deliver(
      mailOf({
        headers: ['MIME-Version: 1.0', 'Content-Type: multipart/mixed; boundary=b'],
        text: '--b\r\n\r\nSee file\r\n--b\r\nContent-Type: text/csv; name=a.csv\r\nContent-Disposition: attachment\r\nContent-Transfer-Encoding: base64\r\n\r\nMSwy\r\n--b--',
      }),
    )
    const [message] = await messagesOf(mail['conversationId'])
    expect(message).toMatchObject({ content: 'See file', attachments: [{ filename: 'a.csv', size: 3 }] })
    const file = await fetch(`${service.url}${message.attachments[0].url}`, {
      headers: { Authorization: `Bearer ${owner.token}` },
    })
    expect(await file.text()).toBe('1,2')
  })

  test('is stored once however often it is posted, also at the same moment [own.mail.in]', async () => {
    const raw = mailOf()
    const replies = await Promise.all(Array.from({ length: 5 }, () => post(raw)))
    expect(replies.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200])
    expect(new Set(replies.map(({ body }) => body.data._id)).size).toBe(1)
    await decided(replies[0]?.body.data._id ?? '')
    expect((await ask('GET', '/api/v1/conversations')).body.pagination.total).toBe(1)
  })

  test('is another mail when only its Message-ID is the same', async () => {
    const first = await deliver(mailOf({ id: 'reused@shop.test' }))
    const second = await deliver(mailOf({ id: 'reused@shop.test', from: 'bob@example.com' }))
    expect(second['conversationId']).not.toBe(first['conversationId'])
  })

  test('is parked without a sender, and processed again when a person asks [own.mail.in]', async () => {
    const mail = await deliver(mailOf({ from: 'undisclosed' }))
    expect(mail).toMatchObject({ status: 'parked', reason: 'no_sender', error: 'The mail names no sender' })
    const path = `/api/v1/inbound-mails/${mail['_id']}/process-again`
    expect((await ask('POST', path)).body.data).toMatchObject({ status: 'received', reason: null })
    expect(await decided(mail['_id'] ?? '')).toMatchObject({ status: 'parked' })
    const processed = await deliver(mailOf())
    const refused = await ask('POST', `/api/v1/inbound-mails/${processed['_id']}/process-again`)
    expect(refused).toMatchObject({ status: 409, body: { code: 'INVALID_STATE' } })
  })

  test('is parked while its inbox is not in use, and processed again once it is', async () => {
    const inbox = `/api/v1/inboxes/${inboxId}`
    const { _id: other } = (await ask('POST', '/api/v1/inboxes', { name: 'Other' })).body.data
    expect((await ask('PUT', `/api/v1/inboxes/${other}`, { isDefault: true })).status).toBe(200)
    expect((await ask('PUT', inbox, { isActive: false })).status).toBe(200)
    const mail = await deliver(mailOf())
    expect(mail).toMatchObject({ status: 'parked', reason: 'inbox_inactive', conversationId: null })
    expect((await ask('PUT', inbox, { isActive: true })).status).toBe(200)
    expect((await ask('POST', `/api/v1/inbound-mails/${mail['_id']}/process-again`)).status).toBe(200)
    const processed = await decided(mail['_id'] ?? '')
    expect(processed).toMatchObject({ status: 'processed', reason: null })
    expect(await messagesOf(processed['conversationId'])).toHaveLength(1)
  })

  test('is refused for a second try once its inbox is deleted, whatever parked it', async () => {
    const inbox = `/api/v1/inboxes/${inboxId}`
    const { _id: other } = (await ask('POST', '/api/v1/inboxes', { name: 'Other' })).body.data
    expect((await ask('PUT', `/api/v1/inboxes/${other}`, { isDefault: true })).status).toBe(200)
    expect((await ask('PUT', inbox, { isActive: false })).status).toBe(200)
    const mail = await deliver(mailOf())
    expect(mail).toMatchObject({ status: 'parked', reason: 'inbox_inactive' })
    expect((await ask('DELETE', inbox)).status).toBe(200)
    const refused = await ask('POST', `/api/v1/inbound-mails/${mail['_id']}/process-again`)
    expect(refused).toMatchObject({
      status: 409,
      body: { code: 'INVALID_STATE', details: { status: 'inbox_deleted' } },
    })
    expect((await ask('GET', `/api/v1/inbound-mails/${mail['_id']}/raw`)).status).toBe(200)
  })

  test('is refused for later beyond 1,200 requests a minute at one address, and not at another [own.mail.doors]', async () => {
    const requestsPerMinute = 1_200
    const { _id: otherInbox } = (await ask('POST', '/api/v1/inboxes', { name: 'Other' })).body.data
    const other = (await ask('POST', `/api/v1/inboxes/${otherInbox}/inbound-token`, {})).body.data
      .inboundToken
    // A request counts before its body is read: an image costs less than a mail.
    for (let sent = 0; sent < requestsPerMinute; sent += 100) {
      const images = await Promise.all(
        Array.from({ length: 100 }, () => post('no mail', { type: 'image/png' })),
      )
      expect(new Set(images.map(({ status }) => status))).toEqual(new Set([415]))
    }
    const refused = await fetch(`${service.url}/api/v1/inbound/email/${token}`, {
      method: 'POST',
      headers: { 'Content-Type': 'message/rfc822' },
      body: mailOf(),
    })
    expect(refused.status).toBe(503)
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
    expect((await ask('GET', '/api/v1/inbound-mails')).body.data).toEqual([])
    expect((await post(mailOf(), { to: other })).status).toBe(200)
  })

  test('waits in its list, where its state and its inbox are filters', async () => {
    const parked = await deliver(mailOf({ from: 'nobody' }))
    await deliver(mailOf())
    const list = await ask('GET', `/api/v1/inbound-mails?status=parked&inboxId=${inboxId}`)
    expect(list.body.data.map(({ _id }: { _id: string }) => _id)).toEqual([parked['_id']])
    expect((await ask('GET', '/api/v1/inbound-mails?inboxId=inb_unknown')).body.data).toEqual([])
  })

  test('is erased with its conversation: its row and its bytes [own.mail.erasure]', async () => {
    const mail = await deliver(mailOf())
    expect((await ask('DELETE', `/api/v1/conversations/${mail['conversationId']}`)).status).toBe(200)
    expect((await ask('GET', `/api/v1/inbound-mails/${mail['_id']}`)).status).toBe(404)
    expect((await ask('GET', `/api/v1/inbound-mails/${mail['_id']}/raw`)).status).toBe(404)
  })
})

describe('the door for mail', () => {
  test('takes the forms of Mailgun, SendGrid and Postmark [own.mail.doors]', async () => {
    const [mailgun, sendGrid, postmark] = [mailOf(), mailOf(), mailOf()]
    const form = new FormData()
    form.append('email', sendGrid)
    form.append('envelope', JSON.stringify({ to: [address], from: 'ada@example.com' }))
    const multipart = new Response(form)
    const replies = [
      await post(
        new URLSearchParams({
          'body-mime': mailgun,
          recipient: address,
          sender: 'ada@example.com',
        }).toString(),
        {
          type: 'application/x-www-form-urlencoded',
          query: '/mime',
        },
      ),
      await post(await multipart.bytes(), { type: multipart.headers.get('content-type') ?? '' }),
      await post(JSON.stringify({ RawEmail: postmark, OriginalRecipient: address }), {
        type: 'application/json',
      }),
    ]
    for (const { status, body } of replies) {
      expect(status).toBe(200)
      expect(await decided(body.data._id)).toMatchObject({ status: 'processed', envelope: { to: [address] } })
    }
  })

  test('reads the envelope of a raw mail in the query', async () => {
    const { body } = await post(mailOf(), {
      query: `?to=${address}&to=x@acme.test&from=Ada@Example.com&to=broken`,
    })
    expect(await decided(body.data._id)).toMatchObject({
      envelope: { from: 'ada@example.com', to: [address, 'x@acme.test'] },
    })
  })

  test('knows a token only in its own form, and says 404 to any other path', async () => {
    const unknown = `imt_${'0'.repeat(32)}`
    for (const to of [unknown, 'imt_short', token.toLowerCase(), `${token}x`, '..%2f']) {
      expect((await post(mailOf(), { to })).status).toBe(404)
    }
    expect((await ask('GET', `/api/v1/inbound/email/${token}`)).status).toBe(405)
  })

  test('keeps the previous token for its overlap alone', async () => {
    const next = await newToken()
    expect((await post(mailOf())).status).toBe(200)
    expect((await post(mailOf(), { to: next })).status).toBe(200)
    const last = await newToken({ overlapSeconds: 0 })
    expect((await post(mailOf(), { to: next })).status).toBe(404)
    expect((await post(mailOf(), { to: last })).status).toBe(200)
    const { body } = await ask('GET', `/api/v1/inboxes/${inboxId}`)
    expect(body.data.email.inboundTokenPrefix).toBe(last.slice(0, 8))
    expect(JSON.stringify(body)).not.toContain(last)
  })

  test('demands the signature of Mailgun once its key is set, each one once and of the last minutes [own.mail.doors]', async () => {
    await ask('PUT', `/api/v1/inboxes/${inboxId}/email-credentials`, { mailgunSigningKey: 'key-1' })
    const signed = (at: number, key: string, name: string) => {
      const timestamp = String(Math.floor(at / 1000))
      const signature = createHmac('sha256', key).update(`${timestamp}${name}`).digest('hex')
      const fields = { 'body-mime': mailOf(), timestamp, token: name, signature }
      return post(new URLSearchParams(fields).toString(), { type: 'application/x-www-form-urlencoded' })
    }
    expect((await signed(Date.now(), 'key-1', 'a')).status).toBe(200)
    expect((await signed(Date.now(), 'key-1', 'a')).status).toBe(401)
    expect((await signed(Date.now(), 'key-2', 'b')).status).toBe(401)
    expect((await signed(Date.now() - 600_000, 'key-1', 'c')).status).toBe(401)
    const unsigned = new URLSearchParams({ 'body-mime': mailOf() }).toString()
    expect((await post(unsigned, { type: 'application/x-www-form-urlencoded' })).status).toBe(401)
    expect((await post(mailOf(), { type: 'message/rfc822' })).status).toBe(401)
    // Several at the same moment, each with another mail.
    const atOnce = await Promise.all(Array.from({ length: 6 }, () => signed(Date.now(), 'key-1', 'd')))
    expect(atOnce.map(({ status }) => status).sort()).toEqual([200, 401, 401, 401, 401, 401])
  })

  test('takes a signature of Mailgun again after the mail could not be stored', async () => {
    await ask('PUT', `/api/v1/inboxes/${inboxId}/email-credentials`, { mailgunSigningKey: 'key-1' })
    const timestamp = String(Math.floor(Date.now() / 1000))
    const signature = createHmac('sha256', 'key-1').update(`${timestamp}a`).digest('hex')
    const fields = { 'body-mime': mailOf(), timestamp, token: 'a', signature }
    const send = () =>
      post(new URLSearchParams(fields).toString(), { type: 'application/x-www-form-urlencoded' })
    const { attachments } = service.service
    const { write } = attachments
    Object.assign(attachments, { write: () => Promise.reject(new StorageUnavailable()) })
    expect((await send()).status).toBe(503)
    Object.assign(attachments, { write })
    expect((await send()).status).toBe(200)
    expect((await send()).status).toBe(401)
  })

  test('refuses what is no mail, and a mail that is too large', async () => {
    expect((await post('')).status).toBe(400)
    expect((await post('{}', { type: 'application/json' })).status).toBe(400)
    expect((await post('x', { type: 'text/html' })).status).toBe(415)
    expect((await post(new Uint8Array(30 * 1024 * 1024 + 1))).status).toBe(413)
  })
})

describe('a reply by mail', () => {
  test('joins by a signed address and by a signed Message-ID, in whatever case the address arrives [own.mail.threads]', async () => {
    const first = await deliver(mailOf())
    const { conversationId = '', messageId = '' } = first
    const signed = await tags()
    const [local, domain] = address.split('@')
    const plus = `${local}+${signed.addressTag(conversationId)}@${domain}`
    const byAddress = await deliver(mailOf({ headers: [`Delivered-To: ${plus.toUpperCase()}`] }))
    const own = `${signed.messageIdTag(messageId)}@acme.test`
    const byId = await deliver(mailOf({ headers: [`References: <other@x.test> <${own}>`] }))
    expect([byAddress['conversationId'], byId['conversationId']]).toEqual([conversationId, conversationId])
  })

  test('joins by a stored Message-ID only for someone who takes part [own.mail.threads]', async () => {
    const first = await deliver(mailOf({ id: 'first@example.com' }))
    const answer = ['In-Reply-To: <first@example.com>']
    const own = await deliver(mailOf({ headers: answer }))
    const stranger = await deliver(mailOf({ from: 'eve@example.net', headers: answer }))
    const forged = await deliver(
      mailOf({
        headers: [...answer, 'Authentication-Results: mx.acme.test; dmarc=fail header.from=example.com'],
      }),
    )
    expect(own['conversationId']).toBe(first['conversationId'])
    expect(stranger['conversationId']).not.toBe(first['conversationId'])
    expect(forged['conversationId']).not.toBe(first['conversationId'])
    expect((await conversationOf(forged['conversationId'])).customerId).toBeNull()
  })

  test('never joins by a subject, a guessed tag or the tag of another tenant [own.mail.threads]', async () => {
    const { conversationId = '', messageId = '' } = await deliver(mailOf())
    const [local, domain] = address.split('@')
    const signed = await tags()
    const own = signed.addressTag(conversationId)
    const first = owner
    const vectors = [
      ['Subject: Re: Broken lamp'],
      [`Delivered-To: ${local}+${otherEnd(own)}@${domain}`, `X-Original-To: ${local}+${own}a@${domain}`],
      [`Delivered-To: ${local}+${conversationId.slice(4).toLowerCase()}@${domain}`],
      [`Delivered-To: ${own}@${domain}`],
      [`In-Reply-To: <${messageId}@acme.test>`],
      [`In-Reply-To: <${otherEnd(signed.messageIdTag(messageId))}@acme.test>`],
      [`References: <${conversationId}@acme.test>`],
      [`In-Reply-To: <${messageId}.@acme.test>`],
    ]
    for (const headers of vectors) {
      const joined = await deliver(mailOf({ from: 'eve@example.net', headers }))
      expect(joined['conversationId'], headers.join()).not.toBe(conversationId)
    }
    const tag = signed.messageIdTag(messageId)
    owner = await registerTenant(service.url)
    inboxId = (await ask('GET', '/api/v1/inboxes')).body.data[0]._id
    address = newAddress()
    await setEmail()
    token = await newToken()
    const crossing = await deliver(
      mailOf({
        headers: [`In-Reply-To: <${tag}@acme.test>`, `Delivered-To: ${address.replace('@', `+${own}@`)}`],
      }),
    )
    expect(crossing['conversationId']).not.toBe(conversationId)
    owner = first
    expect(await messagesOf(conversationId)).toHaveLength(1)
  })

  test('opens a closed conversation again', async () => {
    const { conversationId = '' } = await deliver(mailOf({ id: 'old@example.com' }))
    await ask('PUT', `/api/v1/conversations/${conversationId}`, { status: 'closed' })
    await deliver(mailOf({ headers: ['In-Reply-To: <old@example.com>'] }))
    expect((await conversationOf(conversationId)).status).toBe('open')
  })

  test('of a machine opens a conversation at most three times an hour', async () => {
    const { conversationId = '' } = await deliver(mailOf({ id: 'auto@example.com' }))
    const states: string[] = []
    for (let count = 0; count < 4; count++) {
      await ask('PUT', `/api/v1/conversations/${conversationId}`, { status: 'closed' })
      const headers = ['In-Reply-To: <auto@example.com>', 'Auto-Submitted: auto-replied']
      expect(await deliver(mailOf({ headers }))).toMatchObject({ conversationId })
      states.push((await conversationOf(conversationId)).status)
    }
    expect(states).toEqual(['open', 'open', 'open', 'closed'])
  })

  test('reports its events in the order of the contract', async () => {
    await deliver(mailOf())
    // An event gets its place in the log soon after its change.
    const lastOf = async () => {
      const { body } = await ask('GET', '/api/v1/events')
      return body.data.map(({ event }: { event: string }) => event).slice(-3)
    }
    await expect.poll(lastOf).toEqual(['customer.created', 'conversation.created', 'message.received'])
  })
})
