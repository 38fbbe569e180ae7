import { randomUUID, sign } from 'node:crypto'
import { generate } from 'selfsigned'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { providerHeaders } from '../../src/mail/out/provider-headers.ts'
import {
  makeCertificate,
  startReceiver,
  type TestCertificate,
  type TestReceiver,
} from '../support/https-receiver.ts'
import { type MailInbox, makeMailInbox } from '../support/mail-inbox.ts'
import { type SmtpReceiver, startSmtpReceiver } from '../support/smtp-receiver.ts'
import { type RunningService, startService } from '../support/start-service.ts'

const topicArn = 'arn:aws:sns:eu-west-1:123456789012:mail'
const relayTopicArn = 'arn:aws:sns:eu-west-1:123456789012:relay'
const relayToken = 'token-of-the-relay-that-nobody-can-guess'
/** The key of a topic, as Amazon has one, and one of somebody else. */
type Signer = { private: string; cert: string }

let certificate: TestCertificate
let sns: TestReceiver
let smtp: SmtpReceiver
let service: RunningService
let signer: Signer
let stranger: Signer
let isSnsAway = false
let inbox: MailInbox
let token: string

async function newSigner(): Promise<Signer> {
  return generate([{ name: 'commonName', value: 'sns.amazonaws.com' }], {
    keyType: 'rsa',
    algorithm: 'sha256',
  })
}

beforeAll(async () => {
  certificate = await makeCertificate()
  signer = await newSigner()
  stranger = await newSigner()
  sns = await startReceiver(certificate, (req, res) => {
    if (isSnsAway) res.statusCode = 500
    const name = req.url ?? ''
    if (name.startsWith('/signer')) res.end(signer.cert)
    else if (name.startsWith('/stranger')) res.end(stranger.cert)
    else res.end('<ConfirmSubscriptionResponse/>')
  })
  smtp = await startSmtpReceiver({ certificate, security: 'none' })
  service = await startService({
    CRM_SECRETS_KEY: 'the key of these tests which is long enough',
    CRM_SMTP_URL: `smtp://127.0.0.1:${smtp.port}`,
    CRM_MAIL_FROM: 'relay@crm.test',
    CRM_MAIL_CA_FILE: certificate.caFile,
    CRM_MAIL_SNS_HOSTS: `127.0.0.1:${sns.port}`,
    CRM_MAIL_EVENTS_TOKEN: relayToken,
    CRM_MAIL_EVENTS_SES_TOPIC: relayTopicArn,
  })
})
afterAll(async () => {
  await service?.stop()
  await smtp?.stop()
  await sns?.close()
  certificate.remove()
})
beforeEach(async () => {
  isSnsAway = false
  smtp.behave({})
  inbox = await makeMailInbox(service, { sesTopicArn: topicArn })
  token = await newToken()
})

async function newToken(of = inbox): Promise<string> {
  const made = await of.ask('POST', `/api/v1/inboxes/${of.inboxId}/events-token`, {})
  expect(made.status).toBe(200)
  return made.body.data.eventsToken
}

/** The form of the ids that Amazon SES gives: https://docs.aws.amazon.com/ses/latest/dg/send-email-smtp.html */
const newRemoteId = () => `0102018${randomUUID().replaceAll('-', '').slice(0, 9)}-${randomUUID()}-000000`

/** Sends a mail that the server accepts with an id of its own. */
async function sent(to = ['ada@example.com'], of = inbox) {
  const remoteId = newRemoteId()
  smtp.behave({ accepted: `Ok ${remoteId}` })
  const conversation = await of.ask('POST', '/api/v1/conversations', { subject: 'Lamp', inboxId: of.inboxId })
  const { _id } = (await of.reply(conversation.body.data._id, { to })).body.data
  await expect.poll(async () => (await of.messageOf(_id)).status).toBe('sent')
  const { email, conversationId } = await of.messageOf(_id)
  return { remoteId, conversationId, rfcId: String(email.messageId), message: () => of.messageOf(_id) }
}

interface Envelope {
  type?: string
  topic?: string
  by?: Signer
  version?: '1' | '2'
  changes?: Record<string, string>
}

/** A message of a topic. Fields and signature: https://docs.aws.amazon.com/sns/latest/dg/sns-message-and-json-formats.html */
function ofTopic(
  message: unknown,
  { type = 'Notification', topic = topicArn, by = signer, version = '1', changes = {} }: Envelope = {},
): Record<string, string> {
  const isConfirmation = type !== 'Notification'
  const fields: Record<string, string> = {
    Type: type,
    MessageId: randomUUID(),
    TopicArn: topic,
    Message: typeof message === 'string' ? message : JSON.stringify(message),
    Timestamp: new Date().toISOString(),
    SignatureVersion: version,
    SigningCertURL: `https://127.0.0.1:${sns.port}/signer.pem`,
    ...(isConfirmation && { Token: 'token-of-a-subscription', SubscribeURL: 'https://evil.example/' }),
    ...changes,
  }
  const signed = isConfirmation
    ? ['Message', 'MessageId', 'SubscribeURL', 'Timestamp', 'Token', 'TopicArn', 'Type']
    : ['Message', 'MessageId', 'Subject', 'Timestamp', 'TopicArn', 'Type']
  const text = signed.filter((name) => name in fields).map((name) => `${name}\n${fields[name]}\n`)
  const algorithm = version === '1' ? 'sha1' : 'sha256'
  return { ...fields, Signature: sign(algorithm, Buffer.from(text.join('')), by.private).toString('base64') }
}

async function post(body: unknown, to = token) {
  const response = await fetch(`${service.url}/api/v1/inbound/events/${to}`, {
    method: 'POST',
    // https://docs.aws.amazon.com/sns/latest/dg/sns-http-https-endpoint-as-subscriber.html
    headers: { 'Content-Type': 'text/plain; charset=UTF-8' },
    body: JSON.stringify(body),
  })
  return { status: response.status, body: (await response.json()) as { data?: object; code?: string } }
}

const taken = (accepted: number, ignored = 0) => ({ status: 200, body: { data: { accepted, ignored } } })
const suppressed = async () =>
  (await inbox.ask('GET', '/api/v1/suppressed-addresses')).body.data.map(
    ({ address }: { address: string }) => address,
  )

/** The mail of an event: https://docs.aws.amazon.com/ses/latest/dg/notification-contents.html#mail-object */
const mailOf = (messageId: string, tags?: object) => ({
  timestamp: '2017-08-05T00:40:02.012Z',
  source: 'Support <support@acme.test>',
  messageId,
  destination: ['ada@example.com', 'bob@example.com'],
  headersTruncated: false,
  ...(tags && { tags }),
})

/** https://docs.aws.amazon.com/ses/latest/dg/notification-examples.html#notification-examples-bounce */
const bounceOf = (remoteId: string, emailAddress: string, said: object = {}) => ({
  notificationType: 'Bounce',
  bounce: {
    bounceType: 'Permanent',
    bounceSubType: 'General',
    reportingMTA: 'dns; email.example.com',
    bouncedRecipients: [
      { emailAddress, status: '5.1.1', action: 'failed', diagnosticCode: 'smtp; 550 5.1.1 user unknown' },
    ],
    timestamp: '2017-08-05T00:41:02.669Z',
    ...said,
  },
  mail: mailOf(remoteId),
})

/** https://docs.aws.amazon.com/ses/latest/dg/notification-examples.html#notification-examples-complaint */
const complaintOf = (remoteId: string, people: string[], said: object = {}) => ({
  notificationType: 'Complaint',
  complaint: {
    complainedRecipients: people.map((emailAddress) => ({ emailAddress })),
    complaintFeedbackType: 'abuse',
    ...said,
  },
  mail: mailOf(remoteId),
})

/** https://docs.aws.amazon.com/ses/latest/dg/event-publishing-retrieving-sns-examples.html */
const deliveryOf = (remoteId: string, recipients: string[], tags?: object) => ({
  eventType: 'Delivery',
  mail: mailOf(remoteId, tags),
  delivery: { recipients, smtpResponse: '250 2.6.0 Message received', reportingMTA: 'mta.example.com' },
})

describe('a mail whose Message-ID the server replaced', () => {
  test('is found by the id of its 250 line: a reply of the recipient joins, one of a stranger does not', async () => {
    const { remoteId, conversationId } = await sent()
    const headers = [`In-Reply-To: <${remoteId}@eu-west-1.amazonses.com>`]
    const joined = await inbox.receive({ from: 'ada@example.com', headers })
    expect(joined['conversationId']).toBe(conversationId)
    const other = await inbox.receive({ from: 'eve@example.net', headers })
    expect(other).toMatchObject({ status: 'processed' })
    expect(other['conversationId']).not.toBe(conversationId)
    const forged = await inbox.receive({
      from: 'ada@example.com',
      headers: [...headers, 'Authentication-Results: mx.acme.test; dmarc=fail header.from=example.com'],
    })
    expect(forged['conversationId']).not.toBe(conversationId)
  })

  test('is not found by another inbox or tenant that names its id', async () => {
    const { remoteId } = await sent()
    const neighbour = await makeMailInbox(service)
    const headers = [`In-Reply-To: <${remoteId}@eu-west-1.amazonses.com>`]
    const { conversationId } = await neighbour.receive({ from: 'ada@example.com', headers })
    expect((await neighbour.messagesOf(conversationId)).length).toBe(1)
  })

  test('has no id when the server ends its line with a short word', async () => {
    smtp.behave({ accepted: 'OK queued as 4F2ab12' })
    const conversation = await inbox.ask('POST', '/api/v1/conversations', {
      subject: 'Lamp',
      inboxId: inbox.inboxId,
    })
    const { _id } = (await inbox.reply(conversation.body.data._id, { to: ['ada@example.com'] })).body.data
    await expect.poll(async () => (await inbox.messageOf(_id)).status).toBe('sent')
    expect((await inbox.store.mailSends.find(_id))?.remoteKey ?? null).toBe(null)
  })
})

describe('an event of Amazon SES', () => {
  test('about a bounce fails the recipient and suppresses the address, with either version of the signature', async () => {
    const { remoteId, message } = await sent(['ada@example.com', 'bob@example.com'])
    expect(await post(ofTopic(bounceOf(remoteId, 'ada@example.com')))).toMatchObject(taken(1))
    expect((await message()).recipients).toMatchObject([
      { status: 'failed', text: '5.1.1 smtp; 550 5.1.1 user unknown' },
      { status: 'sent' },
    ])
    expect(await suppressed()).toEqual(['ada@example.com'])
    const transient = { bounceType: 'Transient', bounceSubType: 'MailboxFull' }
    const full = bounceOf(remoteId, 'bob@example.com', transient)
    expect(await post(ofTopic(full, { version: '2' }))).toMatchObject(taken(1))
    expect((await message()).status).toBe('failed')
    expect(await suppressed()).toEqual(['ada@example.com'])
  })

  test('about a delivery is found by our value in its tags, and by none of another tenant', async () => {
    const { rfcId, message } = await sent(['ada@example.com', 'bob@example.com'])
    const [tag = ''] = rfcId.split('@')
    const tags = { 'ses:configuration-set': ['crm'], crmkit: [tag.replaceAll('.', '-')] }
    const unknown = newRemoteId()
    const event = deliveryOf(unknown, ['ada@example.com', 'bob@example.com', 'eve@example.net'], tags)
    const other = await makeMailInbox(service, { sesTopicArn: topicArn })
    expect(await post(ofTopic(event), await newToken(other))).toMatchObject(taken(0, 3))
    expect(await post(ofTopic(event))).toMatchObject(taken(2, 1))
    expect((await message()).status).toBe('delivered')
  })

  test('about a complaint suppresses one person, and marks several of whom it names nobody in particular', async () => {
    const { remoteId, message } = await sent(['ada@example.com', 'bob@example.com'])
    const both = complaintOf(remoteId, ['ada@example.com', 'bob@example.com'])
    expect(await post(ofTopic(both))).toMatchObject(taken(2))
    expect((await message()).recipients).toMatchObject([
      { complainedAt: null, text: 'One of several recipients reported spam' },
      { complainedAt: null },
    ])
    expect(await suppressed()).toEqual([])
    await post(ofTopic(complaintOf(remoteId, ['bob@example.com'], { complaintFeedbackType: 'not-spam' })))
    expect(await suppressed()).toEqual([])
    await post(ofTopic(complaintOf(remoteId, ['bob@example.com'])))
    expect(await suppressed()).toEqual(['bob@example.com'])
  })

  test('about an address on the list of the account says that it was not tried', async () => {
    const { remoteId, message } = await sent(['ada@example.com'])
    const listed = { bounceSubType: 'OnAccountSuppressionList' }
    await post(ofTopic(bounceOf(remoteId, 'ada@example.com', listed)))
    expect((await message()).recipients).toMatchObject([{ status: 'suppressed', bouncedAt: null }])
    expect(await suppressed()).toEqual([])
  })

  test('that is no event changes nothing', async () => {
    const greeting = 'Successfully validated SNS topic for Amazon SES event publishing.'
    expect(await post(ofTopic(greeting))).toMatchObject(taken(0))
    expect(await post(ofTopic({ notificationType: 'Bounce' }))).toMatchObject(taken(0))
    expect(await post(ofTopic({ eventType: 'Open', mail: null, open: {} }))).toMatchObject(taken(0))
  })
})

describe('the signature of a topic', () => {
  test('counts for the topic of the inbox alone, once, and from a certificate of Amazon', async () => {
    const { remoteId } = await sent()
    const event = bounceOf(remoteId, 'ada@example.com')
    const cert = (SigningCertURL: string) => ({ changes: { SigningCertURL } })
    const at = (path: string) => `https://127.0.0.1:${sns.port}${path}`
    const before = sns.requests.length
    for (const body of [
      ofTopic(event, { topic: relayTopicArn }),
      ofTopic(event, { changes: { Timestamp: new Date(Date.now() - 2 * 3_600_000).toISOString() } }),
      ofTopic(event, cert('https://sns.eu-west-1.amazonaws.com.evil.example/signer.pem')),
      ofTopic(event, cert('https://evil.example/sns.eu-west-1.amazonaws.com/signer.pem')),
      ofTopic(event, cert('http://sns.eu-west-1.amazonaws.com/signer.pem')),
      ofTopic(event, cert('https://sns.eu-west-1.amazonaws.com@evil.example/signer.pem')),
      ofTopic(event, cert('https://sns.eu-west-1.amazonaws.com:8443/signer.pem')),
      ofTopic(event, cert('https://127.0.0.1/signer.pem')),
      ofTopic(event, cert(at('/signer.txt'))),
      ofTopic(event, cert('no address')),
    ])
      expect(await post(body)).toMatchObject({ status: 401, body: { code: 'AUTH_REQUIRED' } })
    expect(sns.requests.length).toBe(before)
    for (const body of [
      ofTopic(event, { by: stranger }),
      { ...ofTopic(event), Message: JSON.stringify(bounceOf(remoteId, 'bob@example.com')) },
      { ...ofTopic(event), Signature: '' },
      { ...ofTopic(event), SignatureVersion: '3' },
    ])
      expect((await post(body)).status).toBe(401)
    expect(await suppressed()).toEqual([])
    const signed = ofTopic(event, { changes: { Subject: 'Amazon SES Email Event Notification' } })
    expect(await post(signed)).toMatchObject(taken(1))
    expect(await post(signed)).toMatchObject(taken(0, 1))
  })

  test('is demanded of every other provider too, once the inbox has a topic', async () => {
    const postmark = { RecordType: 'Delivery', Recipient: 'ada@example.com' }
    expect((await post(postmark)).status).toBe(401)
    const without = await makeMailInbox(service)
    const own = await newToken(without)
    expect(await post(postmark, own)).toMatchObject(taken(0, 1))
    expect((await post(ofTopic({ eventType: 'Send' }), own)).status).toBe(401)
  })

  test('waits for a certificate that cannot be fetched, and fetches it once', async () => {
    const { remoteId } = await sent()
    const name = `/signer-${randomUUID()}.pem`
    const changes = { SigningCertURL: `https://127.0.0.1:${sns.port}${name}` }
    const event = ofTopic(bounceOf(remoteId, 'ada@example.com'), { changes })
    isSnsAway = true
    expect((await post(event)).status).toBe(503)
    isSnsAway = false
    expect(await post(event)).toMatchObject(taken(1))
    await post(ofTopic(deliveryOf(remoteId, ['ada@example.com']), { changes }))
    expect(sns.requests.filter(({ url }) => url === name).length).toBe(2)
  })

  test('confirms a subscription at the server of the certificate, and never at the address of the body', async () => {
    const asked = () => sns.requests.filter(({ url }) => url.includes('ConfirmSubscription'))
    const before = asked().length
    const confirmation = { type: 'SubscriptionConfirmation' }
    expect((await post(ofTopic('You have chosen', { ...confirmation, by: stranger }))).status).toBe(401)
    expect((await post(ofTopic('You have chosen', { ...confirmation, topic: relayTopicArn }))).status).toBe(
      401,
    )
    expect(asked().length).toBe(before)
    expect(await post(ofTopic('You have chosen', confirmation))).toMatchObject(taken(0))
    // https://docs.aws.amazon.com/sns/latest/api/API_ConfirmSubscription.html
    const query = new URL(asked().at(-1)?.url ?? '', 'https://sns.test').searchParams
    expect(Object.fromEntries(query)).toEqual({
      Action: 'ConfirmSubscription',
      TopicArn: topicArn,
      Token: 'token-of-a-subscription',
      Version: '2010-03-31',
    })
    expect(asked().length).toBe(before + 1)
    expect(await post(ofTopic('You have left', { type: 'UnsubscribeConfirmation' }))).toMatchObject(taken(0))
  })
})

describe('the door of the relay', () => {
  const ofRelay = (event: object) => post(ofTopic(event, { topic: relayTopicArn }), relayToken)

  test('finds the mail of whichever tenant by the id of its 250 line', async () => {
    const other = await makeMailInbox(service)
    const [mine, theirs] = [await sent(), await sent(['ada@example.com'], other)]
    expect(await ofRelay(bounceOf(theirs.remoteId, 'ada@example.com'))).toMatchObject(taken(1))
    expect((await theirs.message()).status).toBe('failed')
    expect((await mine.message()).status).toBe('sent')
    expect(await suppressed()).toEqual([])
    expect(await ofRelay(bounceOf(newRemoteId(), 'ada@example.com'))).toMatchObject(taken(0, 1))
    expect(await ofRelay(bounceOf(mine.remoteId, 'eve@example.net'))).toMatchObject(taken(0, 1))
  })

  test('takes nothing about an inbox with a server of its own, and nothing unsigned', async () => {
    const { remoteId, message } = await sent()
    await inbox.ask('PUT', `/api/v1/inboxes/${inbox.inboxId}`, {
      email: { ...inbox.settings, transport: 'none' },
    })
    expect(await ofRelay(bounceOf(remoteId, 'ada@example.com'))).toMatchObject(taken(0, 1))
    expect((await message()).status).toBe('sent')
    const postmark = { RecordType: 'Delivery', Recipient: 'ada@example.com' }
    expect((await post(postmark, relayToken)).status).toBe(401)
    expect((await post(ofTopic({ eventType: 'Send' }), relayToken)).status).toBe(401)
    expect((await post(postmark, `${relayToken}x`)).status).toBe(404)
  })
})

test('the settings keep the topic and the configuration set, and refuse what is none', async () => {
  const path = `/api/v1/inboxes/${inbox.inboxId}`
  const put = (email: object) => inbox.ask('PUT', path, { email: { ...inbox.settings, ...email } })
  expect((await put({ sesConfigurationSet: 'crm' })).body.data.email).toMatchObject({
    sesTopicArn: topicArn,
    sesConfigurationSet: 'crm',
  })
  for (const email of [{ sesTopicArn: 'https://sns.example' }, { sesConfigurationSet: 'a\r\nBcc: eve' }])
    expect((await put(email)).status).toBe(422)
  const { email } = (await put({ sesTopicArn: null })).body.data
  expect(email).toMatchObject({ sesTopicArn: null, sesConfigurationSet: null })
})

test('only Amazon SES gets our value as a tag, in its characters', () => {
  const value = { ref: 'msg_1.abc.def', sesConfigurationSet: 'crm' }
  expect(providerHeaders('email-smtp.eu-west-1.amazonaws.com', value)).toEqual({
    'X-SES-MESSAGE-TAGS': 'crmkit=msg_1-abc-def',
    'X-SES-CONFIGURATION-SET': 'crm',
  })
  expect(providerHeaders('email-smtp.eu-west-1.amazonaws.com', { ref: 'r' })).toEqual({
    'X-SES-MESSAGE-TAGS': 'crmkit=r',
  })
  expect(providerHeaders('email-smtp.amazonaws.com.evil.example', value)).toEqual({})
})
