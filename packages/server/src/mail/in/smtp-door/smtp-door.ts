import { finished } from 'node:stream/promises'
import { mailBytesMax, normalizeEmail } from '@crmkit/core'
import type { SMTPServer, SMTPServerDataStream, SMTPServerSession } from 'smtp-server'
import { BudgetSpent } from '../../../fairness/budgets.ts'
import type { MailBudgets } from '../../../fairness/mail-budgets.ts'
import type { HeldBytes } from '../../../fairness/waiting-bytes.ts'
import type { Meters } from '../../../ports/meters.ts'
import type { RateLimiter } from '../../../ports/rate-limiter.ts'
import { atFirstUse } from '../../../shared/at-first-use.ts'
import { gatherBytes } from '../../parser-process/mail-bytes.ts'
import { type StoreMailParts, storeMail } from '../store-mail.ts'
import { DoorPlaces, type PlaceLimits } from './door-places.ts'
import { type FoundRecipient, findRecipient, type RecipientParts } from './find-recipient.ts'
import { returnPath, traceHeader, untrustedHeader } from './trace-header.ts'

const smtp = atFirstUse<{ SMTPServer: typeof SMTPServer }>('smtp-server')

interface SmtpDoorParts extends Omit<StoreMailParts, 'storage' | 'budgets'>, RecipientParts {
  budgets: MailBudgets
  meters: Pick<Meters, 'budgetRefused'>
  limiter: RateLimiter
  tls: { cert: string; key: string }
  limits?: Partial<DoorLimits>
}

interface DoorLimits extends PlaceLimits {
  /** A sender that says nothing for as long loses its connection. */
  silenceMs: number
  /** A mail that takes longer loses its connection, however often a byte arrives. */
  mailMs: number
  recipients: number
}

const defaultLimits: DoorLimits = {
  connections: 200,
  connectionsPerAddress: 10,
  withoutMailMs: 300_000,
  silenceMs: 60_000,
  mailMs: 600_000,
  recipients: 100,
}

/** Recipients of one connection that may be unknown: a sender with more guesses addresses. */
const unknownMax = 10
const mailsPerMinute = 1_200
/** Looking up a signed address takes time, so an address of the network may name few that do not exist. */
const unknownPerMinute = 60
const stopMs = 5_000

export interface SmtpDoor {
  readonly server: SMTPServer['server']
  listen(port: number, host: string): void
  stop(): Promise<void>
}

/** The state of one connection. */
interface Receiving {
  recipients: Map<string, FoundRecipient>
  unknown: number
}

/** The response of the server; the library writes the message behind the code. */
class Refusal extends Error {
  readonly responseCode: number

  constructor(responseCode: number, message: string) {
    super(message)
    this.responseCode = responseCode
  }
}

const later = (message: string) => new Refusal(451, `4.3.0 ${message}`)

/**
 * Receives mail over SMTP, for the addresses that this service made. 250 follows the commit of the raw mail; whatever may
 * be tried later is 451, so the sender repeats it, and a repeated mail is stored once. It never sends a mail itself.
 */
export function createSmtpDoor(parts: SmtpDoorParts): SmtpDoor {
  const limits = { ...defaultLimits, ...parts.limits }
  const sessions = new WeakMap<SMTPServerSession, Receiving>()
  const receivingOf = (session: SMTPServerSession): Receiving => {
    const known = sessions.get(session) ?? { recipients: new Map(), unknown: 0 }
    sessions.set(session, known)
    return known
  }
  const places = new DoorPlaces(limits, (id, reason) => {
    for (const connection of server.connections) if (connection.id === id) refuse(connection, reason)
  })
  const door = { ...parts, limits, receivingOf }
  const server = new (smtp().SMTPServer)({
    name: parts.domain,
    banner: 'crmkit',
    key: parts.tls.key,
    cert: parts.tls.cert,
    minVersion: 'TLSv1.2',
    size: mailBytesMax,
    // Some have not been let in yet.
    maxClients: 2 * limits.connections,
    socketTimeout: limits.silenceMs,
    closeTimeout: stopMs,
    authOptional: true,
    disabledCommands: ['AUTH'],
    disableReverseLookup: true,
    logger: false,
    onConnect: ({ id, remoteAddress }, done) => {
      if (places.enter(id, remoteAddress)) return done(null)
      parts.meters.budgetRefused('smtpConnections')
      done(new Refusal(421, '4.7.0 Too many connections'))
    },
    onClose: ({ id }) => places.leave(id),
    onMailFrom: (_address, session, done) => {
      places.use(session.id)
      receivingOf(session).recipients.clear()
      settle(begin(door), { done, hangUp: () => hangUp(session) })
    },
    onRcptTo: ({ address }, session, done) => {
      places.use(session.id)
      settle(acceptRecipient(door, session, address), { done, hangUp: () => hangUp(session) })
    },
    onData: (stream, session, done) => {
      places.beginMail(session.id)
      const received = receive(door, stream, session).finally(() => places.endMail(session.id))
      settle(received, { done, hangUp: () => hangUp(session) })
    },
  })
  const hangUp = (session: SMTPServerSession) => {
    for (const connection of server.connections) if (connection.session === session) connection.close()
  }
  // A connection that breaks is its sender's matter.
  server.on('error', () => undefined)
  return {
    server: server.server,
    listen: (port, host) => {
      server.listen(port, host)
    },
    stop: () => new Promise((resolve) => server.close(() => resolve())),
  }
}

type Connection = Parameters<SMTPServer['connections']['add']>[0]

/** Says why the connection ends, and ends it. */
function refuse(connection: Connection, reason: string): void {
  connection.send(421, `4.7.0 ${reason}`, false)
  connection.close()
}

interface Door extends SmtpDoorParts {
  limits: DoorLimits
  receivingOf(session: SMTPServerSession): Receiving
}

interface Settling {
  done(error: Error | null, said?: string): void
  hangUp(): void
}

/** Sends the response; 421 announces the end of the connection. */
function settle(work: Promise<string | undefined>, { done, hangUp }: Settling): void {
  work.then(
    (said) => done(null, said),
    (error: unknown) => {
      const isOurs = error instanceof Refusal
      done(isOurs ? error : later('The mail cannot be stored now, try again later'))
      if (isOurs && error.responseCode === 421) hangUp()
    },
  )
}

/** Throws 452 while the disk has little space. */
async function begin({ budgets }: Door): Promise<undefined> {
  try {
    budgets.assertDisk()
  } catch (error) {
    throw refusalOf(error) ?? error
  }
}

/** Returns the response to a mail that a budget refuses; undefined for every other error. */
function refusalOf(error: unknown): Refusal | undefined {
  if (!(error instanceof BudgetSpent)) return undefined
  const { budget, message } = error
  if (budget === 'waitingBodies') return later(message)
  return new Refusal(452, `${budget === 'diskFree' ? '4.3.1' : '4.2.2'} ${message}`)
}

async function acceptRecipient(door: Door, session: SMTPServerSession, address: string): Promise<undefined> {
  const { limits, limiter, log } = door
  const receiving = door.receivingOf(session)
  if (receiving.recipients.size >= limits.recipients) throw new Refusal(452, '4.5.3 Too many recipients')
  const guesser = `smtp-guesser:${session.remoteAddress}`
  if (receiving.unknown >= unknownMax || (await limiter.remembered([guesser])).length > 0)
    throw new Refusal(421, '4.7.0 Too many unknown recipients')
  const found = await findRecipient(door, address).catch((err: unknown) => {
    log.error({ err }, 'A recipient could not be looked up')
    throw later('The recipient cannot be looked up now')
  })
  if (found === undefined) {
    receiving.unknown += 1
    const cell = `smtp:${session.remoteAddress}`
    const limit = { name: 'smtp', cell, requests: unknownPerMinute, windowMs: 60_000 }
    if ((await limiter.take([limit])).isRefused) await limiter.remember(guesser, 60_000)
    throw new Refusal(550, '5.1.1 There is no such recipient')
  }
  if (found.isSuspended) throw later('The recipient receives no mail now')
  const inbox = { name: 'mail', cell: `mail:${found.inboxId}`, requests: mailsPerMinute, windowMs: 60_000 }
  if ((await limiter.take([inbox])).isRefused) throw later('Too many mails arrive at this address')
  receiving.recipients.set(address, found)
}

/** Stores the mail for every inbox that it names. One that fails refuses the mail as a whole: the others know the repeat. */
async function receive(
  door: Door,
  stream: SMTPServerDataStream,
  session: SMTPServerSession,
): Promise<string> {
  const [first] = door.receivingOf(session).recipients.values()
  const held = door.budgets.hold(first?.tenantId ?? '')
  // It may fail while nobody reads it; its next reader sees the error.
  stream.on('error', () => {})
  const timer = setTimeout(
    () => stream.destroy(new Refusal(421, '4.4.2 The mail takes too long')),
    door.limits.mailMs,
  )
  try {
    return await store(door, session, bytesOf(door, stream, held))
  } catch (error) {
    // The response follows the last byte.
    stream.resume()
    await finished(stream)
    throw stream.sizeExceeded ? tooLarge() : error
  } finally {
    clearTimeout(timer)
    held.end()
  }
}

async function store(
  door: Door,
  session: SMTPServerSession,
  bytes: AsyncIterable<Uint8Array>,
): Promise<string> {
  const inboxes = Map.groupBy(door.receivingOf(session).recipients, ([, { tenantId, inboxId }]) =>
    JSON.stringify([tenantId, inboxId]),
  )
  const from = session.envelope.mailFrom ? normalizeEmail(session.envelope.mailFrom.address) : ''
  const trace = `${returnPath(from)}${traceHeader(session, { domain: door.domain, nowMs: door.clock.nowMs() })}`
  // The bytes arrive once: a mail for several inboxes stays in memory until each has it.
  const pieces = inboxes.size > 1 ? await gatherBytes(bytes) : undefined
  for (const recipients of inboxes.values()) {
    const [[, { tenantId, inboxId }] = [undefined, {} as FoundRecipient]] = recipients
    const isTrusted = recipients.some(([, recipient]) => recipient.isTrusted)
    const head = Buffer.from(isTrusted ? trace : `${untrustedHeader(door.domain)}${trace}`)
    try {
      await storeMail(door, {
        tenantId,
        inboxId,
        door: 'smtp',
        envelope: {
          from,
          to: recipients.map(([address]) => withoutToken(address)),
        },
        bytes: behind(head, pieces ?? bytes),
      })
    } catch (err) {
      const refusal = err instanceof Refusal ? err : refusalOf(err)
      if (refusal !== undefined) throw refusal
      door.log.error({ err, tenantId, inboxId }, 'A mail from the SMTP port could not be stored')
      throw later('The mail cannot be stored now, try again later')
    }
  }
  return 'OK: stored'
}

async function* behind(
  head: Uint8Array,
  bytes: Iterable<Uint8Array> | AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  yield head
  yield* bytes
}

/** A token is a credential: it is in no row that a person may read. */
function withoutToken(address: string): string {
  const lower = address.toLowerCase()
  return lower.startsWith('imt_') ? `inbound${lower.slice(lower.lastIndexOf('@'))}` : lower
}

/** The bytes of a mail while they arrive. One that is refused is read to its end: the response follows the last byte. */
async function* bytesOf(
  { budgets }: Door,
  stream: SMTPServerDataStream,
  held: HeldBytes,
): AsyncGenerator<Uint8Array> {
  let refusal: Refusal | undefined
  for await (const chunk of stream.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    if (refusal !== undefined) continue
    if (stream.sizeExceeded) refusal = tooLarge()
    else if (held.add(chunk.length)) yield chunk
    else refusal = refusalOf(budgets.refuseBody())
    if (refusal !== undefined) held.end()
  }
  if (stream.sizeExceeded) throw tooLarge()
  if (refusal !== undefined) throw refusal
}

function tooLarge(): Refusal {
  return new Refusal(552, `5.3.4 A mail may have at most ${mailBytesMax / 1024 / 1024} MB`)
}
