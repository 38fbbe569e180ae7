import { createHmac, randomUUID, timingSafeEqual } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { finished } from 'node:stream/promises'
import { Failure, mailBytesMax, notFound } from '@crmkit/core'
import { BudgetSpent, unavailable } from '../../fairness/budgets.ts'
import type { MailBudgets } from '../../fairness/mail-budgets.ts'
import type { HeldBytes } from '../../fairness/waiting-bytes.ts'
import { type ReceivedMail, type StoreMailParts, storeMail } from '../../mail/in/store-mail.ts'
import { isAddress } from '../../mail/parse/mail-addresses.ts'
import { MailRefused } from '../../mail/parse/mail-refused.ts'
import { gatherBytes } from '../../mail/parser-process/mail-bytes.ts'
import { type MailParser, ParserKilled } from '../../mail/parser-process/mail-parser.ts'
import type { Log, RequestLog } from '../../ports/log.ts'
import type { Meters } from '../../ports/meters.ts'
import type { RateLimit, RateLimiter } from '../../ports/rate-limiter.ts'
import type { SecretBox } from '../../ports/secret-box.ts'
import type { SystemStore } from '../../ports/system-store.ts'
import { isoTime } from '../../shared/clock.ts'
import { findInboxByToken, inboundTokenHash, inboundTokenPattern } from '../../shared/inbound-token.ts'
import { openMailSecrets } from '../../shared/mail-secrets.ts'
import type { InboxRecord } from '../../storage/kinds/inboxes.ts'
import type { TenantId } from '../../storage/records.ts'
import { clientAddress, type TrustedProxies } from '../credentials/client-address.ts'
import type { ApiHandler } from '../pipeline/mount-operations.ts'
import { type RequestLimits, tooManyRequests } from '../pipeline/rate-limit.ts'
import { replyToError } from '../response/handle-error.ts'
import { type Reply, sendReply } from '../response/send-reply.ts'

interface MailDoorParts extends Omit<StoreMailParts, 'storage' | 'budgets'> {
  budgets: MailBudgets
  storage: StoreMailParts['storage'] & { system: Pick<SystemStore, 'across' | 'findTenant'> }
  parser: Pick<MailParser, 'unwrap'>
  secrets: SecretBox
  limiter: RateLimiter
  limits: RequestLimits
  log: Log
  requestLog: RequestLog
  meters: Pick<Meters, 'errorReplied'>
  trustedProxies: TrustedProxies
}

/** The path that mail is posted to is no operation: its bodies are mails and forms. */
export const mailPrefix = '/api/v1/inbound/email/'
const pattern = /^\/api\/v1\/inbound\/email\/([^/?]{1,100})(?:\/mime)?(?:\?(.*))?$/
const bodyBytesMax = 80 * 1024 * 1024
const mailsPerMinute = 1_200
const retrySeconds = 30
const signatureAgeMsMax = 5 * 60_000

const rawTypes = new Set(['message/rfc822', 'application/octet-stream'])
const wrappedTypes = new Set(['multipart/form-data', 'application/x-www-form-urlencoded', 'application/json'])

/**
 * Receives mail over HTTP. The token in the path is the credential. The response is 200 once the mail is durable; what may
 * be tried later is 503 and never 429, because SendGrid deletes a mail on any 4xx. No mail is refused for its content.
 */
export function createMailDoor(parts: MailDoorParts): ApiHandler {
  return async (req, res) => {
    const startedAt = performance.now()
    const requestId = randomUUID()
    // The path holds the token, which is in no log.
    const fields = { requestId, method: req.method ?? 'POST', path: `${mailPrefix}{token}` }
    let reply: Reply
    try {
      reply = await handle(parts, req)
    } catch (error) {
      const known = error instanceof BudgetSpent ? unavailable(error) : error
      reply = replyToError(known, { ...parts, request: fields })
    }
    sendReply(res, reply, { requestId, isLegacy: false, limit: undefined })
    const ms = Math.round((performance.now() - startedAt) * 10) / 10
    parts.requestLog.note({ ...fields, status: reply.status, ms })
  }
}

type Door = MailDoorParts

async function handle(door: Door, req: IncomingMessage): Promise<Reply> {
  const [, token = '', query = ''] = pattern.exec(req.url ?? '') ?? []
  const { tenantId, inbox } = await findInbox(door, req, token)
  if (req.method !== 'POST') {
    throw new Failure('METHOD_NOT_ALLOWED', 'This path takes POST', { headers: { Allow: 'POST' } })
  }
  await takeLimit(door, inbox._id)
  const type = typeOf(req)
  if (!rawTypes.has(type) && !wrappedTypes.has(type)) {
    throw new Failure('UNSUPPORTED_MEDIA_TYPE', 'The body must be a mail, a form or JSON of a mail provider')
  }
  const isRaw = rawTypes.has(type)
  if (isRaw && signingKeyOf(door, inbox) !== undefined) throw unsigned()
  door.budgets.assertDisk()
  // The parser, and the disk, may take long: the memory is given back with the response.
  const held = door.budgets.hold(tenantId)
  try {
    return await receive(door, req, { tenantId, inbox, held, query, isRaw })
  } catch (error) {
    await passOver(req)
    throw error
  } finally {
    held.end()
  }
}

/** Reads what is left of a body that was refused, so that its sender reads the response. */
async function passOver(req: IncomingMessage): Promise<void> {
  if (!req.readableDidRead || req.readableEnded || req.destroyed) return
  let length = 0
  req.on('data', (chunk: Buffer) => {
    length += chunk.length
    if (length > bodyBytesMax) req.destroy()
  })
  req.resume()
  await finished(req, { writable: false }).catch(() => {})
}

/** The bytes that the header announces, and no more arrive; undefined where it says nothing. */
function lengthOf({ headers }: IncomingMessage): number | undefined {
  const length = headers['content-length']
  return length === undefined ? undefined : Number(length)
}

interface Receiving extends FoundInbox {
  held: HeldBytes
  query: string
  isRaw: boolean
}

async function receive(door: Door, req: IncomingMessage, receiving: Receiving): Promise<Reply> {
  const { tenantId, inbox, held, query, isRaw } = receiving
  const body = bodyOf(door, req, { held, bytesMax: isRaw ? mailBytesMax : bodyBytesMax })
  const { signature, ...taken } = isRaw
    ? { bytes: body, length: lengthOf(req), envelope: envelopeOf(query), signature: null }
    : await unwrap(door, req, { tenantId, body: await gatherBytes(body) })
  if (taken.length === 0) throw noMail()
  if ((taken.length ?? 0) > mailBytesMax) throw tooLarge()
  const mail = { tenantId, inboxId: inbox._id, door: 'http' as const, ...taken }
  const used = await useSignature(door, inbox, signature)
  try {
    const data = await storeMail(door, mail)
    return { status: 200, body: JSON.stringify({ success: true, data }) }
  } catch (error) {
    // The provider repeats a mail that could not be stored with the same signature.
    if (used) await door.limiter.giveBack([used])
    throw error
  }
}

interface FoundInbox {
  tenantId: TenantId
  inbox: InboxRecord
}

/** Only requests with an unknown token count against the limit of their address. */
async function findInbox(
  { storage, clock, limits, trustedProxies }: Door,
  req: IncomingMessage,
  token: string,
): Promise<FoundInbox> {
  const hash = inboundTokenHash(token)
  const found = inboundTokenPattern.test(token) ? await findInboxByToken(storage.system, hash) : undefined
  const isValid =
    found !== undefined &&
    (found.row.inboundTokenHash === hash ||
      (found.row.previousInboundTokenEndsAt ?? '') > isoTime(clock.nowMs()))
  if (!isValid) {
    const state = await limits.takeAnonymous(clientAddress(req, trustedProxies))
    if (state?.isRefused) throw tooManyRequests(state)
    throw notFound()
  }
  const tenant = await storage.system.findTenant(found.tenantId)
  if (tenant === undefined) throw notFound()
  if (tenant.isSuspended) throw later('The tenant is suspended')
  return { tenantId: found.tenantId, inbox: found.row }
}

function later(message: string): Failure {
  return new Failure('SERVICE_UNAVAILABLE', message, { headers: { 'Retry-After': String(retrySeconds) } })
}

async function takeLimit({ limiter }: Door, inboxId: string): Promise<void> {
  const limit = { name: 'mail', cell: `mail:${inboxId}`, requests: mailsPerMinute, windowMs: 60_000 }
  const { isRefused } = await limiter.take([limit])
  if (isRefused) throw later('Too many mails arrive at this address')
}

function typeOf({ headers }: IncomingMessage): string {
  return (headers['content-type'] ?? '').split(';')[0]?.trim().toLowerCase() ?? ''
}

function tooLarge(): Failure {
  return new Failure('PAYLOAD_TOO_LARGE', `A mail may have at most ${mailBytesMax / 1024 / 1024} MB`)
}

const noMail = () => new Failure('INVALID_JSON', 'The body holds no mail')

/** The bytes of a body while they arrive, which holds their share of what all bodies may have together. */
async function* bodyOf(
  { budgets }: Door,
  req: IncomingMessage,
  { held, bytesMax }: { held: HeldBytes; bytesMax: number },
): AsyncGenerator<Uint8Array> {
  const announced = lengthOf(req) ?? 0
  if (announced > bytesMax) throw tooLarge()
  // Many that are read in part would refuse each other.
  if (!held.add(announced)) throw budgets.refuseBody()
  let length = 0
  // A request that is destroyed gets no response.
  for await (const chunk of req.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    length += chunk.length
    if (length > bytesMax) throw tooLarge()
    if (length > announced && !held.add(chunk.length)) throw budgets.refuseBody()
    yield chunk
  }
  if (!req.complete) throw new Failure('INVALID_JSON', 'The body ended early')
  if (length === 0) throw noMail()
}

/** Lets go of each piece once it is used. */
async function* drainedLater(pieces: Uint8Array[]): AsyncGenerator<Uint8Array> {
  yield* drained(pieces)
}

function* drained(pieces: Uint8Array[]): Generator<Uint8Array> {
  for (let piece = pieces.shift(); piece !== undefined; piece = pieces.shift()) yield piece
}

function envelopeOf(query: string): ReceivedMail['envelope'] {
  const params = new URLSearchParams(query)
  const plain = (text: string) => text.trim().toLowerCase()
  const [from] = params.getAll('from').map(plain).filter(isAddress)
  // `from=` is a sender who wants no reply; without it nothing is known.
  const isEmpty = params.get('from')?.trim() === ''
  return {
    from: from ?? (isEmpty ? '' : null),
    to: params.getAll('to').map(plain).filter(isAddress).slice(0, 100),
  }
}

type Taken = Pick<ReceivedMail, 'bytes' | 'envelope'> & { length: number; signature: Signature }

async function unwrap(
  door: Door,
  req: IncomingMessage,
  { tenantId, body }: { tenantId: TenantId; body: Uint8Array[] },
): Promise<Taken> {
  try {
    const contentType = req.headers['content-type'] ?? ''
    const taken = await door.parser.unwrap(drained(body), contentType, { owner: tenantId })
    const { mail, envelope, signature } = taken
    const length = mail.reduce((sum, piece) => sum + piece.length, 0)
    return { bytes: drainedLater(mail), length, envelope, signature }
  } catch (error) {
    if (error instanceof MailRefused && error.reason === 'parse_timeout')
      throw later('The mail cannot be read now')
    if (error instanceof MailRefused) throw noMail()
    if (error instanceof ParserKilled) throw later('The mail cannot be read now')
    throw error
  }
}

type Signature = Awaited<ReturnType<MailParser['unwrap']>>['signature']

const unsigned = () => new Failure('AUTH_REQUIRED', 'The signature of this mail is not valid')

const signingKeyOf = ({ secrets }: Door, inbox: InboxRecord) =>
  openMailSecrets(secrets, inbox).mailgunSigningKey

/**
 * Uses a signature of Mailgun, which is valid once, in whatever process. Returns the count of its use; undefined where the inbox
 * demands none. Throws AUTH_REQUIRED when there is none, an old or a used one.
 */
async function useSignature(
  door: Door,
  inbox: InboxRecord,
  given: Signature,
): Promise<RateLimit | undefined> {
  const key = signingKeyOf(door, inbox)
  if (key === undefined) return undefined
  if (given === null) throw unsigned()
  const { timestamp, token, signature } = given
  const expected = createHmac('sha256', key).update(`${timestamp}${token}`).digest()
  const bytes = Buffer.from(signature, 'hex')
  const isRight = bytes.length === expected.length && timingSafeEqual(bytes, expected)
  const isRecent = Math.abs(door.clock.nowMs() - Number(timestamp) * 1000) <= signatureAgeMsMax
  if (!isRight || !isRecent) throw unsigned()
  const cell = `signature:${inbox._id}:${expected.toString('base64url')}`
  const use = { name: 'signature', cell, requests: 1, windowMs: 2 * signatureAgeMsMax }
  if ((await door.limiter.take([use])).isRefused) throw unsigned()
  return use
}
