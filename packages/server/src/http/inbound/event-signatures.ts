import { createHmac, timingSafeEqual, verify } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { Failure } from '@crmkit/core'
import type { ProviderEvents } from '../../mail/in/provider-events.ts'
import { readSnsMessage } from '../../mail/in/sns-message.ts'
import type { Clock } from '../../ports/clock.ts'
import { SourceFailure } from '../../ports/connector.ts'
import type { EventKeys, MailTopics } from '../../ports/mail-topics.ts'
import type { RateLimit, RateLimiter } from '../../ports/rate-limiter.ts'
import { sendgridKey } from '../../shared/sendgrid-key.ts'

export interface SignatureParts {
  clock: Clock
  limiter: RateLimiter
  mailTopics: MailTopics
}

export interface SignedEvents {
  req: IncomingMessage
  bytes: Buffer
  body: unknown
  provider: ProviderEvents['provider']
  keys: EventKeys
  /** The door at which a signature counts once. */
  door: string
}

/** A body that was taken; `use` counts its signature, which a failure gives back. */
export interface TakenEvents {
  isNew: boolean
  use?: RateLimit
}

const mailgunAgeMsMax = 5 * 60_000
/** It signs the time of an event, and repeats a post for a day. */
const sendgridAgeMsMax = 48 * 3_600_000
/** It repeats a post for an hour. */
const snsAgeMsMax = 75 * 60_000

const unsigned = () => new Failure('AUTH_REQUIRED', 'The signature of these events is not valid')

/**
 * Throws AUTH_REQUIRED for a body that its provider did not sign, once the door has a key of any of them; events of SES need their
 * topic always. One that was taken before is not new: a refusal would make it come again.
 */
export async function checkSignature(parts: SignatureParts, signed: SignedEvents): Promise<TakenEvents> {
  const { provider, keys } = signed
  if (provider === 'ses') return checkSns(parts, signed)
  if (Object.values(keys).every((key) => key === undefined)) return { isNew: true }
  if (provider === 'mailgun' && keys.mailgun !== undefined) return checkMailgun(parts, signed, keys.mailgun)
  if (provider === 'sendgrid' && keys.sendgrid !== undefined) {
    checkSendgrid(parts, signed, keys.sendgrid)
    return { isNew: true }
  }
  throw unsigned()
}

async function useOnce({ limiter }: SignatureParts, use: RateLimit): Promise<TakenEvents> {
  return { isNew: !(await limiter.take([use])).isRefused, use }
}

/** https://documentation.mailgun.com/docs/mailgun/user-manual/webhooks/securing-webhooks */
async function checkMailgun(
  parts: SignatureParts,
  { body, door }: SignedEvents,
  key: string,
): Promise<TakenEvents> {
  const given = (body as { signature?: Record<string, unknown> | null }).signature ?? {}
  const [timestamp, token, signature] = ['timestamp', 'token', 'signature'].map((name) =>
    String(given[name] ?? ''),
  )
  const expected = createHmac('sha256', key).update(`${timestamp}${token}`).digest()
  const bytes = Buffer.from(signature ?? '', 'hex')
  const isRight = bytes.length === expected.length && timingSafeEqual(bytes, expected)
  const isRecent = Math.abs(parts.clock.nowMs() - Number(timestamp) * 1000) <= mailgunAgeMsMax
  if (!isRight || !isRecent) throw unsigned()
  const cell = `event:${door}:${expected.toString('base64url')}`
  return useOnce(parts, { name: 'event', cell, requests: 1, windowMs: 2 * mailgunAgeMsMax })
}

/** https://www.twilio.com/docs/sendgrid/for-developers/tracking-events/getting-started-event-webhook-security-features */
function checkSendgrid({ clock }: SignatureParts, { req, bytes }: SignedEvents, key: string): void {
  const header = (name: string) => String(req.headers[`x-twilio-email-event-webhook-${name}`] ?? '')
  const timestamp = header('timestamp')
  const signedBytes = Buffer.concat([Buffer.from(timestamp), bytes])
  const signature = Buffer.from(header('signature'), 'base64')
  const isRight = verify('sha256', signedBytes, sendgridKey(key), signature)
  const isRecent = Math.abs(clock.nowMs() - Number(timestamp) * 1000) <= sendgridAgeMsMax
  if (!isRight || !isRecent) throw unsigned()
}

/**
 * https://docs.aws.amazon.com/sns/latest/dg/sns-verify-signature-of-message.html: anybody has a topic that Amazon signs for, so
 * the topic is compared before anything is fetched.
 */
async function checkSns(parts: SignatureParts, { body, keys, door }: SignedEvents): Promise<TakenEvents> {
  const { clock, mailTopics } = parts
  const message = readSnsMessage(body)
  if (message === undefined || message.topicArn !== keys.sesTopicArn) throw unsigned()
  const { signatureVersion, signature, signedText, signingCertUrl, timestamp, topicArn, token } = message
  const algorithm = { '1': 'sha1', '2': 'sha256' }[signatureVersion]
  const isRecent = Math.abs(clock.nowMs() - Date.parse(timestamp)) <= snsAgeMsMax
  if (algorithm === undefined || !isRecent) throw unsigned()
  const key = await orLater(mailTopics.keyAt(signingCertUrl))
  if (key === undefined) throw unsigned()
  if (!verify(algorithm, Buffer.from(signedText), key, Buffer.from(signature, 'base64'))) throw unsigned()
  if (message.type === 'SubscriptionConfirmation')
    await orLater(mailTopics.confirm({ certificateUrl: signingCertUrl, topicArn, token }))
  const cell = `event:${door}:${message.messageId}`
  return useOnce(parts, { name: 'event', cell, requests: 1, windowMs: 2 * snsAgeMsMax })
}

async function orLater<T>(asked: Promise<T>): Promise<T> {
  try {
    return await asked
  } catch (error) {
    if (!(error instanceof SourceFailure)) throw error
    const headers = { 'Retry-After': '30' }
    throw new Failure('SERVICE_UNAVAILABLE', 'The signature cannot be checked at present', { headers })
  }
}
