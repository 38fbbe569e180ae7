import { createHmac, randomUUID, timingSafeEqual, verify } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { Failure, type IdFactory, notFound } from '@crmkit/core'
import { findMailTags } from '../../mail/addresses/mail-key.ts'
import { type MailTags, readEventsToken } from '../../mail/addresses/mail-tags.ts'
import { noteEvent } from '../../mail/in/note-event.ts'
import { eventsOfBody, type ProviderEvents, readEvent } from '../../mail/in/provider-events.ts'
import type { Clock } from '../../ports/clock.ts'
import type { Log, RequestLog } from '../../ports/log.ts'
import type { Meters } from '../../ports/meters.ts'
import type { RateLimiter } from '../../ports/rate-limiter.ts'
import type { SecretBox } from '../../ports/secret-box.ts'
import type { Storage, TenantStore } from '../../ports/storage.ts'
import { isoTime } from '../../shared/clock.ts'
import { type MailSecrets, openMailSecrets } from '../../shared/mail-secrets.ts'
import { sendgridKey } from '../../shared/sendgrid-key.ts'
import type { InboxRecord } from '../../storage/kinds/inboxes.ts'
import { clientAddress } from '../credentials/client-address.ts'
import type { ApiHandler } from '../pipeline/mount-operations.ts'
import { type RequestLimits, tooManyRequests } from '../pipeline/rate-limit.ts'
import { replyToError } from '../response/handle-error.ts'
import { type Reply, sendReply } from '../response/send-reply.ts'

interface EventDoorParts {
  storage: Pick<Storage, 'forTenant' | 'system'>
  secrets: SecretBox
  clock: Clock
  ids: IdFactory
  limiter: RateLimiter
  limits: RequestLimits
  log: Log
  requestLog: RequestLog
  meters: Pick<Meters, 'errorReplied'>
  trustProxyHops: number
}

/** The path that providers post events to is no operation: its bodies have the forms of the providers. */
export const eventPrefix = '/api/v1/inbound/events/'
const pattern = /^\/api\/v1\/inbound\/events\/([^/?]{1,100})(?:\?|$)/
const bodyBytesMax = 1024 * 1024
const eventsMax = 1_000
const postsPerMinute = 600
/** Ids that were made in one moment may begin in the same way. */
const tenantsMax = 20
const mailgunAgeMsMax = 5 * 60_000
/** It signs the time of an event, and repeats a post for a day. */
const sendgridAgeMsMax = 48 * 3_600_000

/**
 * Takes what mail providers say about mails of an inbox: that they arrived, came back, or were called spam. The token in
 * the path is the credential, which no log has. The response is 200 once all is durable, also for events about nothing of ours.
 */
export function createEventDoor(parts: EventDoorParts): ApiHandler {
  return async (req, res) => {
    const startedAt = performance.now()
    const requestId = randomUUID()
    const fields = { requestId, method: req.method ?? 'POST', path: `${eventPrefix}{token}` }
    let reply: Reply
    try {
      reply = await handle(parts, req)
    } catch (error) {
      reply = replyToError(error, { ...parts, request: fields })
    }
    sendReply(res, reply, { requestId, isLegacy: false, limit: undefined })
    const ms = Math.round((performance.now() - startedAt) * 10) / 10
    parts.requestLog.note({ ...fields, status: reply.status, ms })
  }
}

async function handle(door: EventDoorParts, req: IncomingMessage): Promise<Reply> {
  const [, token = ''] = pattern.exec(req.url ?? '') ?? []
  const { store, inbox, tags } = await findInbox(door, req, token)
  if (req.method !== 'POST')
    throw new Failure('METHOD_NOT_ALLOWED', 'This path takes POST', { headers: { Allow: 'POST' } })
  const limit = { name: 'events', cell: `events:${inbox._id}`, requests: postsPerMinute, windowMs: 60_000 }
  if ((await door.limiter.take([limit])).isRefused) throw later('Too many events arrive at this address')
  const bytes = await readBody(req)
  const body = parsed(bytes)
  const found = eventsOfBody(body)
  if (found === undefined) throw new Failure('INVALID_JSON', 'The body holds no events of a mail provider')
  if (found.events.length > eventsMax)
    throw new Failure('PAYLOAD_TOO_LARGE', `A body may have at most ${eventsMax} events`)
  const isNew = await checkSignature(door, { req, bytes, body, inbox, provider: found.provider })
  const accepted = isNew ? await noteAll(door, { store, inbox, tags, found }) : 0
  const data = { accepted, ignored: found.events.length - accepted }
  return { status: 200, body: JSON.stringify({ success: true, data }) }
}

interface FoundInbox {
  store: TenantStore
  inbox: InboxRecord
  tags: MailTags
}

/** Only requests with an unknown token count against the limit of their address. */
async function findInbox(door: EventDoorParts, req: IncomingMessage, token: string): Promise<FoundInbox> {
  const { storage, limits, trustProxyHops } = door
  const named = readEventsToken(token)
  if (named !== undefined) {
    const tenants = await storage.system.listTenants({ after: named.tenantIdStart, limit: tenantsMax })
    for (const { tenantId, isSuspended } of tenants) {
      if (!tenantId.startsWith(named.tenantIdStart)) continue
      const found = await inboxOfToken(door, storage.forTenant(tenantId), { token, inboxId: named.inboxId })
      if (found !== undefined && isSuspended) throw later('The tenant is suspended')
      if (found !== undefined) return found
    }
  }
  const state = await limits.takeAnonymous(clientAddress(req, trustProxyHops))
  if (state?.isRefused) throw tooManyRequests(state)
  throw notFound()
}

async function inboxOfToken(
  { secrets, clock }: EventDoorParts,
  store: TenantStore,
  { token, inboxId }: { token: string; inboxId: string },
): Promise<FoundInbox | undefined> {
  const [inbox, tags] = await Promise.all([store.inboxes.find(inboxId), findMailTags(store, secrets)])
  if (!inbox?.eventsToken || tags === undefined) return undefined
  const { number, previousEndsAt } = inbox.eventsToken
  const isPreviousValid = (previousEndsAt ?? '') > isoTime(clock.nowMs())
  const numbers = isPreviousValid ? [number, number - 1] : [number]
  // Nobody was ever given number 0.
  const isValid = numbers.some((each) => each > 0 && tags.isEventsToken(token, inbox, each))
  return isValid ? { store, inbox, tags } : undefined
}

function later(message: string): Failure {
  return new Failure('SERVICE_UNAVAILABLE', message, { headers: { 'Retry-After': '30' } })
}

async function readBody(req: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = []
  let length = 0
  for await (const chunk of req as AsyncIterable<Buffer>) {
    length += chunk.length
    if (length > bodyBytesMax) throw new Failure('PAYLOAD_TOO_LARGE', 'The body may have at most 1 MB')
    chunks.push(chunk)
  }
  if (!req.complete) throw new Failure('INVALID_JSON', 'The body ended early')
  return Buffer.concat(chunks)
}

function parsed(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString('utf8'))
  } catch {
    throw new Failure('INVALID_JSON', 'The body is no JSON')
  }
}

interface Signed {
  req: IncomingMessage
  bytes: Buffer
  body: unknown
  inbox: InboxRecord
  provider: ProviderEvents['provider']
}

const unsigned = () => new Failure('AUTH_REQUIRED', 'The signature of these events is not valid')

/**
 * Throws AUTH_REQUIRED for a body that its provider did not sign, once the inbox has a key of any of them. Returns false for one
 * that was taken before: a refusal would make it come again.
 */
async function checkSignature(door: EventDoorParts, signed: Signed): Promise<boolean> {
  const secrets: MailSecrets = openMailSecrets(door.secrets, signed.inbox)
  const { mailgunSigningKey, sendgridVerificationKey } = secrets
  if (mailgunSigningKey === undefined && sendgridVerificationKey === undefined) return true
  const { provider } = signed
  if (provider === 'mailgun' && mailgunSigningKey !== undefined)
    return checkMailgun(door, signed, mailgunSigningKey)
  if (provider === 'sendgrid' && sendgridVerificationKey !== undefined)
    return checkSendgrid(door, signed, sendgridVerificationKey)
  throw unsigned()
}

/** https://documentation.mailgun.com/docs/mailgun/user-manual/webhooks/securing-webhooks */
async function checkMailgun(
  { clock, limiter }: EventDoorParts,
  { body, inbox }: Signed,
  key: string,
): Promise<boolean> {
  const given = (body as { signature?: Record<string, unknown> | null }).signature ?? {}
  const [timestamp, token, signature] = ['timestamp', 'token', 'signature'].map((name) =>
    String(given[name] ?? ''),
  )
  const expected = createHmac('sha256', key).update(`${timestamp}${token}`).digest()
  const bytes = Buffer.from(signature ?? '', 'hex')
  const isRight = bytes.length === expected.length && timingSafeEqual(bytes, expected)
  const isRecent = Math.abs(clock.nowMs() - Number(timestamp) * 1000) <= mailgunAgeMsMax
  if (!isRight || !isRecent) throw unsigned()
  const cell = `event:${inbox._id}:${expected.toString('base64url')}`
  const use = { name: 'event', cell, requests: 1, windowMs: 2 * mailgunAgeMsMax }
  return !(await limiter.take([use])).isRefused
}

/** https://www.twilio.com/docs/sendgrid/for-developers/tracking-events/getting-started-event-webhook-security-features */
function checkSendgrid({ clock }: EventDoorParts, { req, bytes }: Signed, key: string): boolean {
  const header = (name: string) => String(req.headers[`x-twilio-email-event-webhook-${name}`] ?? '')
  const timestamp = header('timestamp')
  const signedBytes = Buffer.concat([Buffer.from(timestamp), bytes])
  const signature = Buffer.from(header('signature'), 'base64')
  const isRight = verify('sha256', signedBytes, sendgridKey(key), signature)
  const isRecent = Math.abs(clock.nowMs() - Number(timestamp) * 1000) <= sendgridAgeMsMax
  if (!isRight || !isRecent) throw unsigned()
  return true
}

interface Found extends FoundInbox {
  found: ProviderEvents
}

/** Returns how many events are about a mail of the inbox. Each is committed alone, and says nothing new when it comes again. */
async function noteAll(
  { ids, clock }: EventDoorParts,
  { store, inbox, tags, found: { provider, events } }: Found,
): Promise<number> {
  let accepted = 0
  for (const each of events) {
    const event = readEvent(provider, each)
    if (event === undefined) continue
    if (await noteEvent({ store, tags, inboxId: inbox._id, ids, clock }, event)) accepted += 1
  }
  return accepted
}
