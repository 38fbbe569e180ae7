import { createHash, randomUUID, timingSafeEqual } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { Failure, type IdFactory, notFound } from '@crmkit/core'
import { findMailTags } from '../../mail/addresses/mail-key.ts'
import { type MailTags, readEventsToken } from '../../mail/addresses/mail-tags.ts'
import { tenantsBeginning } from '../../mail/addresses/tenants-beginning.ts'
import { noteEvent, noteRelayEvent } from '../../mail/in/note-event.ts'
import {
  eventsOfBody,
  type ProviderEvent,
  type ProviderEvents,
  readEvent,
} from '../../mail/in/provider-events.ts'
import type { Log, RequestLog } from '../../ports/log.ts'
import type { EventKeys, RelayEvents } from '../../ports/mail-topics.ts'
import type { Meters } from '../../ports/meters.ts'
import type { SecretBox } from '../../ports/secret-box.ts'
import type { Storage, TenantStore } from '../../ports/storage.ts'
import { isoTime } from '../../shared/clock.ts'
import { openMailSecrets } from '../../shared/mail-secrets.ts'
import { doorWrites, isNotedDoor, type Trouble } from '../../shared/note-door.ts'
import type { InboxRecord } from '../../storage/kinds/inboxes.ts'
import { clientAddress, type TrustedProxies } from '../credentials/client-address.ts'
import type { ApiHandler } from '../pipeline/mount-operations.ts'
import { type RequestLimits, tooManyRequests } from '../pipeline/rate-limit.ts'
import { replyToError } from '../response/handle-error.ts'
import { type Reply, sendReply } from '../response/send-reply.ts'
import { checkSignature, type SignatureParts } from './event-signatures.ts'

interface EventDoorParts extends SignatureParts {
  storage: Pick<Storage, 'forTenant' | 'system'>
  secrets: SecretBox
  ids: IdFactory
  /** Undefined: the operator takes no events of the relay. */
  relayEvents: RelayEvents | undefined
  limits: RequestLimits
  log: Log
  requestLog: RequestLog
  meters: Pick<Meters, 'errorReplied'>
  trustedProxies: TrustedProxies
}

/** The path that providers post events to is no operation: its bodies have the forms of the providers. */
export const eventPrefix = '/api/v1/inbound/events/'
const pattern = /^\/api\/v1\/inbound\/events\/([^/?]{1,100})(?:\?|$)/
const bodyBytesMax = 1024 * 1024
const eventsMax = 1_000
const postsPerMinute = 600

/**
 * Takes what mail providers say about mails of an inbox or of the relay: that they arrived, came back, or were called spam. The token in
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

/** Where events arrive: an inbox, or the relay of the installation. */
interface EventDoor {
  id: string
  keys: EventKeys
  /** Returns whether the event is about a mail of this door. It says nothing new when it comes again. */
  note(event: ProviderEvent): Promise<boolean>
  noteTrouble(trouble: Trouble | null): Promise<void>
}

async function handle(parts: EventDoorParts, req: IncomingMessage): Promise<Reply> {
  const [, token = ''] = pattern.exec(req.url ?? '') ?? []
  const door = relayDoor(parts, token) ?? (await findInboxDoor(parts, req, token))
  if (req.method !== 'POST')
    throw new Failure('METHOD_NOT_ALLOWED', 'This path takes POST', { headers: { Allow: 'POST' } })
  const limit = { name: 'events', cell: `events:${door.id}`, requests: postsPerMinute, windowMs: 60_000 }
  if ((await parts.limiter.take([limit])).isRefused) throw later('Too many events arrive at this address')
  const bytes = await readBody(req)
  const body = parsed(bytes)
  const found = eventsOfBody(body)
  if (found === undefined) throw new Failure('INVALID_JSON', 'The body holds no events of a mail provider')
  if (found.events.length > eventsMax)
    throw new Failure('PAYLOAD_TOO_LARGE', `A body may have at most ${eventsMax} events`)
  const accepted = await takeEvents(parts, door, { req, bytes, body, found })
  const data = { accepted, ignored: found.events.length - accepted }
  return { status: 200, body: JSON.stringify({ success: true, data }) }
}

interface ReadBody {
  req: IncomingMessage
  bytes: Buffer
  body: unknown
  found: ProviderEvents
}

/** Returns how many events are about a mail of the door. Each is committed alone. */
async function takeEvents(
  parts: EventDoorParts,
  door: EventDoor,
  { found: { provider, events }, ...body }: ReadBody,
): Promise<number> {
  const signed = { ...body, provider, keys: door.keys, door: door.id }
  const { isNew, use } = await checkSignature(parts, signed).catch(async (error: unknown) => {
    if (error instanceof Failure && error.code === 'AUTH_REQUIRED') await door.noteTrouble(unsignedTrouble)
    throw error
  })
  await door.noteTrouble(null)
  let accepted = 0
  try {
    for (const each of isNew ? events : []) {
      const event = readEvent(provider, each)
      if (event !== undefined && (await door.note(event))) accepted += 1
    }
  } catch (error) {
    // The provider repeats a post that failed with the same signature.
    if (use) await parts.limiter.giveBack([use])
    throw error
  }
  return accepted
}

function relayDoor(parts: EventDoorParts, token: string): EventDoor | undefined {
  const { relayEvents } = parts
  if (relayEvents === undefined || !isSameText(token, relayEvents.token)) return undefined
  return {
    id: 'relay',
    keys: relayEvents.keys,
    note: (event) => noteRelayEvent(parts, event),
    noteTrouble: async (trouble) => {
      if (trouble) parts.log.warn({}, 'Events of the relay are not signed with the key in the settings')
    },
  }
}

/** Compares in constant time. */
function isSameText(given: string, expected: string): boolean {
  const [a, b] = [given, expected].map((text) => createHash('sha256').update(text).digest())
  return a !== undefined && b !== undefined && timingSafeEqual(a, b)
}

interface FoundInbox {
  store: TenantStore
  inbox: InboxRecord
  tags: MailTags
}

/** Only requests with an unknown token count against the limit of their address. */
async function findInboxDoor(parts: EventDoorParts, req: IncomingMessage, token: string): Promise<EventDoor> {
  const { storage, limits, trustedProxies } = parts
  const named = readEventsToken(token)
  const tenants = named === undefined ? [] : await tenantsBeginning(storage.system, named.tenantIdStart)
  for (const { tenantId, isSuspended } of tenants) {
    const found = await inboxOfToken(parts, storage.forTenant(tenantId), {
      token,
      inboxId: named?.inboxId ?? '',
    })
    if (found !== undefined && isSuspended) throw later('The tenant is suspended')
    if (found !== undefined) return inboxDoor(parts, found)
  }
  const state = await limits.takeAnonymous(clientAddress(req, trustedProxies))
  if (state?.isRefused) throw tooManyRequests(state)
  throw notFound()
}

function inboxDoor(parts: EventDoorParts, { store, inbox, tags }: FoundInbox): EventDoor {
  const { mailgunSigningKey, sendgridVerificationKey } = openMailSecrets(parts.secrets, inbox)
  const sesTopicArn = inbox.email?.sesTopicArn ?? undefined
  const { ids, clock } = parts
  return {
    id: inbox._id,
    keys: { mailgun: mailgunSigningKey, sendgrid: sendgridVerificationKey, sesTopicArn },
    note: (event) => noteEvent({ store, tags, inboxId: inbox._id, ids, clock }, event),
    noteTrouble: (trouble) => noteDoor(parts, { store, inbox, trouble }),
  }
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

const unsignedTrouble = {
  reason: 'The events of the mail provider are not signed with the key of the inbox.',
  isSignInRefused: false,
}

/** A conflict says that another post notes the same. */
async function noteDoor(
  { clock }: EventDoorParts,
  { store, inbox, trouble }: Pick<FoundInbox, 'store' | 'inbox'> & { trouble: Trouble | null },
): Promise<void> {
  const noted = { trouble, now: isoTime(clock.nowMs()) }
  const writes = await doorWrites(store, { door: 'events', of: inbox._id }, noted)
  if (writes.length === 0) return
  await store.commit({ writes, events: [] }).catch((error: unknown) => {
    if (!isNotedDoor(error)) throw error
  })
}
