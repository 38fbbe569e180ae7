import { randomUUID } from 'node:crypto'
import { beforeAll, beforeEach, expect, test } from 'vitest'
import { findMailTags } from '../../src/mail/addresses/mail-key.ts'
import { createSecretBox } from '../../src/security/secret-box.ts'
import { deliveryReport } from '../support/delivery-report.ts'
import { type MailFields, type MailInbox, makeMailInbox } from '../support/mail-inbox.ts'
import { useService } from '../support/use-service.ts'

// A hundred ways to get into a conversation, into another tenant, or into the headers of a mail of the team.

const secretsKey = 'the key of these tests which is long enough'
const service = useService({
  CRM_SECRETS_KEY: secretsKey,
  CRM_MAIL_DOMAIN: 'in.acme.test',
  CRM_LIMIT_MAILS_PER_SENDER: '0',
})
let inbox: MailInbox
let other: MailInbox
let firstId: string
let target: { conversationId: string; messageId: string; tag: string; signedId: string; plus: Plus }
type Plus = (tag: string) => string
beforeAll(async () => {
  inbox = await makeMailInbox(service)
  other = await makeMailInbox(service)
})
beforeEach(async () => {
  firstId = `${randomUUID()}@example.com`
  const { conversationId = '', messageId = '' } = await inbox.receive({ id: firstId })
  const tags = await findMailTags(inbox.store, createSecretBox([secretsKey]))
  const tag = tags?.addressTag(conversationId) ?? ''
  const signedId = tags?.messageIdTag(messageId) ?? ''
  const plus = (text: string) => inbox.address.replace('@', `+${text}@`)
  target = { conversationId, messageId, tag, signedId, plus }
})

/** Replaces the last character by another one of the same alphabet. */
const otherEnd = (text: string) => `${text.slice(0, -1)}${/a$/i.test(text) ? 'b' : 'a'}`
const eve = 'eve@example.net'

/** Headers of a stranger's mail; each names the conversation in a way that proves nothing. */
function forgedJoins(): string[][] {
  const { conversationId, messageId, tag, signedId, plus } = target
  const [reference = '', mac = ''] = tag.split('.')
  const [, idMac = ''] = signedId.split('.')
  const ulid = conversationId.slice(4)
  return [
    ['Subject: Re: Broken lamp'],
    [`Subject: Re: [${conversationId}] Broken lamp`],
    [`Thread-Topic: Broken lamp`, `Thread-Index: ${Buffer.from(conversationId).toString('base64')}`],
    [`Delivered-To: ${plus(otherEnd(tag))}`],
    [`Delivered-To: ${plus(reference)}`],
    [`Delivered-To: ${plus(`${reference}.`)}`],
    [`Delivered-To: ${plus(`.${mac}`)}`],
    [`Delivered-To: ${plus(`${reference}.${mac.slice(0, 8)}`)}`],
    [`Delivered-To: ${plus(`${reference}.${mac}${mac}`)}`],
    [`Delivered-To: ${plus(`${reference}.${idMac}`)}`],
    [`Delivered-To: ${plus(`${messageId.slice(4).toLowerCase()}.${mac}`)}`],
    [`Delivered-To: ${plus(`${otherEnd(reference)}.${mac}`)}`],
    [`Delivered-To: ${plus(ulid)}`],
    [`Delivered-To: ${plus(conversationId)}`],
    [`Delivered-To: ${tag}@acme.test`],
    [`Delivered-To: other+${tag}@acme.test`],
    [`Delivered-To: ${plus(tag).replace('@acme.test', '@evil.test')}`],
    [`Delivered-To: ${plus(tag).replace('@acme.test', '@acme.test.evil.test')}`],
    [`Delivered-To: x${plus(tag)}`],
    [`Delivered-To: reply+${tag}@acme.test`],
    [`Delivered-To: help+${tag}@in.acme.test`],
    [`Delivered-To: reply+${otherEnd(tag)}@in.acme.test`],
    [`Delivered-To: reply-${tag}@in.acme.test`],
    [`X-Forwarded-To: ${plus(tag)}`],
    [`In-Reply-To: <${firstId}>`],
    [`References: <x@y.test> <${firstId}>`],
    [`In-Reply-To: <${messageId}@acme.test>`],
    [`In-Reply-To: <${conversationId}@acme.test>`],
    [`In-Reply-To: <${otherEnd(signedId)}@acme.test>`],
    [`In-Reply-To: <${messageId}.${mac}@acme.test>`],
    [`In-Reply-To: <${messageId}.@acme.test>`],
    [`In-Reply-To: <.${idMac}@acme.test>`],
    [`In-Reply-To: <${otherEnd(signedId).toUpperCase()}@acme.test>`],
    [`In-Reply-To: <x${signedId}@acme.test>`],
    [`In-Reply-To: <${signedId}>`],
    [`X-Message-ID: <${signedId}@acme.test>`],
    [`X-Loop: ${signedId}`, `In-Reply-To: <${firstId}>`],
    ['From: ada@example.com, eve@example.net', 'In-Reply-To: <other@example.com>'],
  ]
}

/** Headers by which a stranger looks like the customer ada@example.com. */
const impostors: readonly string[][] = [
  ['From: "ada@example.com" <eve@example.net>'],
  ['From: =?utf-8?Q?Ada_=3Cada=40example.com=3E?= <eve@example.net>'],
  ['From: eve@example.net (ada@example.com)'],
  ['From: Ada <ada@example.com.evil.test>'],
  ['From: Ada <ada@sub.example.com>'],
  ['From: Ada <ada@examp1e.com>'],
  ['From: Ada <ada+x@example.com>'],
  ['From: Ada <\u0430da@example.com>'],
  ['From: Ada <ada@ex\u0430mple.com>'],
  ['From: Ada <ada@example.com .evil.test>'],
  ['From: Ada <ada@example.com(.evil).test>'],
  ['From: Ada <"ada@example.com"@evil.test>'],
  ['From: Ada <@example.com:eve@example.net>'],
  [`From: ${eve}`, 'Sender: ada@example.com'],
  [`From: ${eve}`, 'Reply-To: ada@example.com'],
  [`From: ${eve}`, 'Return-Path: <ada@example.com>'],
  [`From: ${eve}`, 'X-Original-From: ada@example.com'],
]
/** Words of the conversation, which a stranger may have seen. */
const quotation = 'Yes.\r\n\r\nOn Mon, 1 Jun 2026 at 10:00, Ada <ada@example.com> wrote:\r\n> Hi\r\n'

/** Mails of strangers who look like the customer, and know the id of a mail, or all of its words, or both. */
function impostures(): MailFields[] {
  return impostors.flatMap((headers) => [
    { headers: [...headers, `In-Reply-To: <${firstId}>`] },
    { headers, text: quotation },
    { headers: [...headers, `References: <${firstId}>`, 'Subject: Re: Broken lamp'], text: quotation },
  ])
}

test('a stranger who looks like the customer joins no conversation by an id or by its words [own.mail.threads]', async () => {
  const mails = impostures()
  // With the headers below: no way into a conversation is left out when a vector is.
  expect(mails.length + forgedJoins().length).toBeGreaterThanOrEqual(80)
  const joins = mails.map(async (fields) => {
    const mail = await inbox.receive(fields)
    expect(mail['conversationId'], fields.headers?.join()).not.toBe(target.conversationId)
  })
  await Promise.all(joins)
  expect(await inbox.messagesOf(target.conversationId)).toHaveLength(1)
})

test('a stranger joins no conversation by knowledge of its subject, its ids or parts of its signatures [own.mail.threads]', async () => {
  const joins = forgedJoins().map(async (headers) => {
    const fields = headers.some((line) => line.startsWith('From')) ? {} : { from: eve }
    const mail = await inbox.receive({ ...fields, headers })
    expect(mail['conversationId'], headers.join()).not.toBe(target.conversationId)
  })
  await Promise.all(joins)
  expect(await inbox.messagesOf(target.conversationId)).toHaveLength(1)
})

test('signatures of one tenant are worth nothing in another one [own.mail.threads]', async () => {
  const { tag, signedId, plus } = target
  const vectors = [
    [`Delivered-To: ${plus(tag)}`],
    [`Delivered-To: ${other.address.replace('@', `+${tag}@`)}`],
    [`Delivered-To: reply+${tag}@in.acme.test`],
    [`In-Reply-To: <${signedId}@acme.test>`],
    [`In-Reply-To: <${firstId}>`],
  ]
  for (const headers of vectors) {
    const { conversationId } = await other.receive({ headers })
    expect((await other.conversationOf(conversationId)).tenantId, headers.join()).toBe(other.owner.tenant._id)
  }
  for (const messageId of [`${signedId}@acme.test`, firstId])
    expect(await other.deliver(deliveryReport({ recipient: 'ada@example.com', messageId }))).toMatchObject({
      status: 'parked',
    })
  expect(await inbox.messagesOf(target.conversationId)).toHaveLength(1)
})

const lineBreaks = ['\r\n', '\n', '\r', '\u2028', '\u0085']
const injection = 'Bcc: evil@example.net'
/** Places of a reply that end in its headers. */
const fields: readonly ((text: string) => object)[] = [
  (text) => ({ subject: `x${text}` }),
  (text) => ({ to: [`a@example.com${text}`] }),
  (text) => ({ cc: [`a${text}@example.com`] }),
]

test('no line break in a reply, a name or a subject becomes a header of a mail', async () => {
  const made: string[] = []
  for (const lineBreak of lineBreaks)
    for (const field of fields) {
      const { status, body } = await inbox.reply(target.conversationId, field(`${lineBreak}${injection}`))
      if (status === 201) made.push(body.data._id)
      else expect(status).toBe(422)
    }
  const word = Buffer.from(`Ada\r\n${injection}`).toString('base64')
  const { conversationId } = await inbox.receive({
    from: `=?utf-8?B?${word}?= <ada@example.com>`,
    headers: [`Subject: =?utf-8?Q?Lamp=0D=0A${injection.replaceAll(' ', '_')}?=`],
  })
  made.push((await inbox.reply(conversationId)).body.data._id)
  for (const id of made) await expect.poll(async () => (await inbox.messageOf(id)).status).not.toBe('queued')
  const response = await fetch(`${service.url}/dev/mail.json`)
  const { data } = (await response.json()) as { data: { raw: string; envelope: { to: string[] } }[] }
  const sent = data.filter(({ raw }) => made.some((id) => raw.includes(`Message-ID: <${id}.`)))
  expect(sent).toHaveLength(made.length)
  for (const { raw, envelope } of sent) {
    expect(raw.split('\r\n\r\n', 1)[0]).not.toMatch(/^Bcc:/im)
    expect(envelope.to).not.toContain('evil@example.net')
  }
})
