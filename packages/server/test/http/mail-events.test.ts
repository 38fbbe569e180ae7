import { createHmac, generateKeyPairSync, randomUUID, sign } from 'node:crypto'
import { beforeEach, describe, expect, test } from 'vitest'
import { providerHeaders } from '../../src/mail/out/provider-headers.ts'
import { call, registerTenant } from '../support/call.ts'
import { useService } from '../support/use-service.ts'

// Without a relay, as on a developer's machine, every mail is taken and kept in memory.
const service = useService({ CRM_SECRETS_KEY: 'the key of these tests which is long enough' })
let owner: Awaited<ReturnType<typeof registerTenant>>
let inboxId: string
let token: string
beforeEach(async () => {
  owner = await registerTenant(service.url)
  inboxId = await mailInbox()
  token = await newToken()
})

const ask = (method: string, path: string, body?: unknown) =>
  call(service.url, { method, path, token: owner.token, ...(body !== undefined && { body }) })

async function mailInbox(): Promise<string> {
  const email = { address: `h${randomUUID().slice(0, 8)}@acme.test`, transport: 'relay' }
  const { status, body } = await ask('POST', '/api/v1/inboxes', { name: 'Mail', channel: 'email', email })
  expect(status).toBe(201)
  return body.data._id
}

async function newToken(body = {}): Promise<string> {
  const made = await ask('POST', `/api/v1/inboxes/${inboxId}/events-token`, body)
  expect(made.status).toBe(200)
  return made.body.data.eventsToken
}

/** Sends a reply to two people, and returns it once it has left. */
async function sent(to = ['ada@example.com', 'bob@example.com']) {
  const conversation = await ask('POST', '/api/v1/conversations', { subject: 'Lamp', inboxId })
  const path = `/api/v1/conversations/${conversation.body.data._id}/messages`
  const { _id } = (await ask('POST', path, { content: 'Hello', to })).body.data
  const message = () => messageOf(path, _id)
  await expect.poll(async () => (await message()).status).toBe('sent')
  const { email } = await message()
  return { message, rfcId: email.messageId as string, ref: String(email.messageId).replace(/@.*/, '') }
}

async function messageOf(path: string, id: string) {
  const { data } = (await ask('GET', path)).body
  return data.find(({ _id }: { _id: string }) => _id === id)
}

async function post(body: unknown, { to = token, headers = {} } = {}) {
  const response = await fetch(`${service.url}/api/v1/inbound/events/${to}`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', ...headers },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  })
  return { status: response.status, body: (await response.json()) as { data?: object; code?: string } }
}

const taken = (accepted: number, ignored = 0) => ({ status: 200, body: { data: { accepted, ignored } } })
const suppressed = async () =>
  (await ask('GET', '/api/v1/suppressed-addresses')).body.data.map(
    ({ address }: { address: string }) => address,
  )
const setKeys = async (keys: object) =>
  expect((await ask('PUT', `/api/v1/inboxes/${inboxId}/email-credentials`, keys)).status).toBe(200)

/** A bounce, a delivery and a complaint in the form of each provider. */
const providers = {
  Postmark: {
    bounce: (ref: string, email: string) => ({
      RecordType: 'Bounce',
      Type: 'HardBounce',
      Email: email,
      Details: 'No such mailbox',
      Metadata: { crmkit: ref },
    }),
    delivery: (ref: string, email: string) => ({
      RecordType: 'Delivery',
      Recipient: email,
      Metadata: { crmkit: ref },
    }),
    complaint: (ref: string, email: string) => ({
      RecordType: 'SpamComplaint',
      Email: email,
      Metadata: { crmkit: ref },
    }),
  },
  SendGrid: {
    bounce: (ref: string, email: string) => [
      { event: 'bounce', type: 'bounce', email, status: '5.1.1', reason: 'No such mailbox', crmkit: ref },
    ],
    delivery: (ref: string, email: string) => [{ event: 'delivered', email, crmkit: ref }],
    complaint: (ref: string, email: string) => [{ event: 'spamreport', email, crmkit: ref }],
  },
  Mailgun: {
    bounce: (ref: string, recipient: string) => ({
      'event-data': {
        event: 'failed',
        severity: 'permanent',
        recipient,
        'delivery-status': { code: 550, message: '5.1.1 No such mailbox' },
        'user-variables': { crmkit: ref },
      },
    }),
    delivery: (ref: string, recipient: string) => ({
      'event-data': { event: 'delivered', recipient, 'user-variables': { crmkit: ref } },
    }),
    complaint: (ref: string, recipient: string) => ({
      'event-data': { event: 'complained', recipient, 'user-variables': { crmkit: ref } },
    }),
  },
}

describe.each(Object.entries(providers))('an event of %s', (_name, forms) => {
  test('about a bounce fails the recipient, suppresses the address, and leaves no reply sent', async () => {
    const { message, ref } = await sent()
    expect(await post(forms.bounce(ref, 'Ada@example.com'))).toMatchObject(taken(1))
    const [ada, bob] = (await message()).recipients
    expect(ada).toMatchObject({ status: 'failed', text: '5.1.1 No such mailbox' })
    expect(Date.parse(ada.bouncedAt)).toBeGreaterThan(0)
    expect(bob).toMatchObject({ status: 'sent', bouncedAt: null })
    expect(await suppressed()).toEqual(['ada@example.com'])
    expect((await message()).status).toBe('sent')
    await post(forms.bounce(ref, 'bob@example.com'))
    expect((await message()).status).toBe('failed')
    const { updatedAt } = await message()
    expect(await post(forms.bounce(ref, 'bob@example.com'))).toMatchObject(taken(1))
    expect((await message()).updatedAt).toBe(updatedAt)
  })

  test('about a delivery says so, and never takes a bounce back', async () => {
    const { message, ref } = await sent()
    expect(await post(forms.delivery(ref, 'bob@example.com'))).toMatchObject(taken(1))
    expect(await message()).toMatchObject({
      status: 'delivered',
      recipients: [{ status: 'sent' }, { status: 'delivered' }],
    })
    await post(forms.bounce(ref, 'ada@example.com'))
    await post(forms.delivery(ref, 'ada@example.com'))
    expect((await message()).recipients[0]).toMatchObject({ status: 'failed' })
    expect(await suppressed()).toEqual(['ada@example.com'])
  })

  test('about a complaint notes it and suppresses the address', async () => {
    const { message, ref } = await sent(['ada@example.com'])
    expect(await post(forms.complaint(ref, 'ada@example.com'))).toMatchObject(taken(1))
    const [ada] = (await message()).recipients
    expect(ada).toMatchObject({ status: 'sent', bouncedAt: null })
    expect(Date.parse(ada.complainedAt)).toBeGreaterThan(0)
    expect(await suppressed()).toEqual(['ada@example.com'])
  })

  test('about a stranger, an unsigned mail or a mail of another inbox changes nothing', async () => {
    const { message, ref } = await sent(['ada@example.com'])
    const before = await message()
    expect(await post(forms.bounce(ref, 'eve@example.com'))).toMatchObject(taken(0, 1))
    expect(await post(forms.bounce(`${ref.slice(0, -2)}aa`, 'ada@example.com'))).toMatchObject(taken(0, 1))
    inboxId = await mailInbox()
    const other = await newToken()
    expect(await post(forms.bounce(ref, 'ada@example.com'), { to: other })).toMatchObject(taken(0, 1))
    expect(await message()).toEqual(before)
    expect(await suppressed()).toEqual([])
  })
})

test('an event about a mail counts after its conversation moved to another inbox, whose own address takes none about it', async () => {
  const { message, ref } = await sent(['ada@example.com'])
  const own = token
  inboxId = await mailInbox()
  const other = await newToken()
  const { conversationId } = await message()
  expect((await ask('PUT', `/api/v1/conversations/${conversationId}`, { inboxId })).status).toBe(200)
  const bounce = providers.Postmark.bounce(ref, 'ada@example.com')
  expect(await post(bounce, { to: other })).toMatchObject(taken(0, 1))
  expect(await post(bounce, { to: own })).toMatchObject(taken(1))
  expect((await message()).status).toBe('failed')
})

describe('the address for events', () => {
  test('finds a mail by its Message-ID too, and marks a temporary failure without a bounce', async () => {
    const { message, rfcId } = await sent(['ada@example.com'])
    const deferred = {
      event: 'deferred',
      email: 'ada@example.com',
      'smtp-id': `<${rfcId}>`,
      response: 'Busy',
    }
    expect(await post([deferred, { event: 'open', email: 'ada@example.com' }])).toMatchObject(taken(1, 1))
    expect((await message()).recipients).toMatchObject([{ status: 'sent', text: 'Busy', bouncedAt: null }])
  })

  test('counts a blocked mail as failed and does not suppress the address', async () => {
    const { message, ref } = await sent(['ada@example.com'])
    const blocked = {
      event: 'bounce',
      type: 'blocked',
      email: 'ada@example.com',
      status: '5.1.1',
      crmkit: ref,
    }
    await post([blocked])
    const { _id, status } = await message()
    expect(status).toBe('failed')
    expect(await suppressed()).toEqual([])
    const again = await ask('POST', `/api/v1/messages/${_id}/send-again`)
    expect(again).toMatchObject({ status: 200, body: { data: { recipients: [{ bouncedAt: null }] } } })
  })

  test('takes a token until another one replaces it', async () => {
    const body = providers.Postmark.delivery('x', 'ada@example.com')
    const second = await newToken()
    expect((await post(body)).status).toBe(200)
    expect((await post(body, { to: second })).status).toBe(200)
    const third = await newToken({ overlapSeconds: 0 })
    expect((await post(body, { to: second })).status).toBe(404)
    expect((await post(body, { to: third })).status).toBe(200)
    expect((await post(body, { to: `${third.slice(0, -2)}aa` })).status).toBe(404)
  })

  test('refuses what is no event, or too many of them', async () => {
    expect((await post('no JSON')).status).toBe(400)
    expect((await post({ hello: 1 })).status).toBe(400)
    expect((await post(Array.from({ length: 1_001 }, () => ({})))).status).toBe(413)
    expect((await post(`"${'x'.repeat(1024 * 1024)}"`)).status).toBe(413)
    const got = await fetch(`${service.url}/api/v1/inbound/events/${token}`)
    expect(got.status).toBe(405)
  })

  test('demands the signature of Mailgun once there is a key, takes it once, and then refuses every unsigned body', async () => {
    const { ref } = await sent(['ada@example.com'])
    await setKeys({ mailgunSigningKey: 'key' })
    const event = providers.Mailgun.delivery(ref, 'ada@example.com')
    const signatureAt = (seconds: number, key = 'key') => {
      const timestamp = String(seconds)
      const signature = createHmac('sha256', key).update(`${timestamp}abc`).digest('hex')
      return { timestamp, token: 'abc', signature }
    }
    const now = Math.floor(Date.now() / 1000)
    const signed = { ...event, signature: signatureAt(now) }
    expect(await post(signed)).toMatchObject(taken(1))
    expect(await post(signed)).toMatchObject(taken(0, 1))
    for (const body of [
      event,
      { ...event, signature: signatureAt(now, 'other') },
      { ...event, signature: signatureAt(now - 400) },
      providers.Postmark.delivery(ref, 'ada@example.com'),
    ])
      expect((await post(body)).status).toBe(401)
  })

  test('demands the signature of SendGrid over the bytes once there is a key', async () => {
    const { ref } = await sent(['ada@example.com'])
    const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'prime256v1' })
    const shownKey = publicKey.export({ format: 'der', type: 'spki' }).toString('base64')
    const wrong = await ask('PUT', `/api/v1/inboxes/${inboxId}/email-credentials`, {
      sendgridVerificationKey: 'no key',
    })
    expect(wrong).toMatchObject({ status: 422, body: { details: [{ field: 'sendgridVerificationKey' }] } })
    await setKeys({ sendgridVerificationKey: shownKey })
    const body = JSON.stringify(providers.SendGrid.delivery(ref, 'ada@example.com'))
    const headersAt = (seconds: number) => ({
      'X-Twilio-Email-Event-Webhook-Timestamp': String(seconds),
      'X-Twilio-Email-Event-Webhook-Signature': sign(
        'sha256',
        Buffer.from(`${seconds}${body}`),
        privateKey,
      ).toString('base64'),
    })
    const now = Math.floor(Date.now() / 1000)
    expect(await post(body, { headers: headersAt(now) })).toMatchObject(taken(1))
    expect((await post(body)).status).toBe(401)
    expect((await post(`${body} `, { headers: headersAt(now) })).status).toBe(401)
    expect((await post(body, { headers: headersAt(now - 3 * 86_400) })).status).toBe(401)
  })

  test('gets our value from the provider alone that the mail goes through', () => {
    expect(providerHeaders('smtp.postmarkapp.com', { ref: 'r' })).toEqual({ 'X-PM-Metadata-crmkit': 'r' })
    expect(providerHeaders('smtp.eu.mailgun.org', { ref: 'r' })).toEqual({
      'X-Mailgun-Variables': '{"crmkit":"r"}',
    })
    expect(providerHeaders('smtp.sendgrid.net', { ref: 'r' })).toEqual({
      'X-SMTPAPI': '{"unique_args":{"crmkit":"r"}}',
    })
    expect(providerHeaders('mail.example.com', { ref: 'r' })).toEqual({})
    expect(providerHeaders('evilsendgrid.net', { ref: 'r' })).toEqual({})
  })
})
