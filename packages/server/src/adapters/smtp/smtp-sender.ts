import net, { isIP, type Socket } from 'node:net'
import { Readable } from 'node:stream'
import tls, { type SecureContext } from 'node:tls'
import { asciiDomain, splitEmail } from '@crmkit/core/vocabulary'
import type SMTPConnection from 'nodemailer/lib/smtp-connection'
import type {
  MailResult,
  MailSender,
  MailServer,
  OutgoingMail,
  RecipientResult,
} from '../../ports/mail-sender.ts'
import { atFirstUse } from '../../shared/at-first-use.ts'
import { passFaultPoint } from '../../shared/fault-points.ts'
import { isMailPort, type MailDestinations, resolveServer } from '../../shared/mail-destinations.ts'
import { KeptConnections, type OpenConnection, socketOf } from './kept-connections.ts'
import { probeServer } from './probe-server.ts'
import { signIn } from './sign-in.ts'

const smtpConnection = atFirstUse<typeof SMTPConnection>('nodemailer/lib/smtp-connection')

export interface SmtpTimeouts {
  connectMs: number
  /** Silence at any moment before the last byte of the body. */
  silenceMs: number
  /** Silence between the last byte of the body and the response (RFC 5321 4.5.3.2.6 asks for ten minutes). */
  afterDataMs: number
}

const defaultTimeouts: SmtpTimeouts = { connectMs: 30_000, silenceMs: 120_000, afterDataMs: 600_000 }

export interface SmtpSenderOptions extends MailDestinations {
  /** The name of this machine in the greeting. */
  name: string
  timeouts?: Partial<SmtpTimeouts>
}

/** A connection whose mail was accepted is kept for the next mail to its server. */
export function createSmtpSender(options: SmtpSenderOptions): MailSender {
  const kept = new KeptConnections()
  return {
    checkServer: ({ host, port }) => {
      if (!isMailPort(port))
        return { message: 'must use port 25, 143, 465, 587, 993 or one from 1024', rule: 'destination' }
      const isAllowed = isIP(host) === 0 || options.isAllowedAddress(host)
      return isAllowed ? undefined : { message: 'must lead to a public address', rule: 'destination' }
    },
    probe: (server, mail) => probeServer(options, server, mail),
    send: async (mail) => {
      const startedAt = performance.now()
      const result = await sendOnce({ ...options, kept }, mail)
      return { ...result, host: mail.server.host, durationMs: Math.round(performance.now() - startedAt) }
    },
  }
}

type Sent = Omit<MailResult, 'host' | 'durationMs'>

type Sending = SmtpSenderOptions & { kept: KeptConnections }

async function sendOnce(options: Sending, mail: OutgoingMail): Promise<Sent> {
  const reused = options.kept.take(mail.server)
  if (reused !== undefined) {
    const { sent, isBegun } = await transferOn(reused, { options, mail })
    // The server has ended the connection while it was kept: that says nothing about the mail, of which it has no byte.
    if (sent.outcome !== 'unreachable' || isBegun) return sent
  }
  let connection: SMTPConnection
  let isOpen = false
  try {
    connection = await connect(options, mail.server, () => {
      isOpen = true
    })
  } catch (error) {
    return unreachable(error, isOpen)
  }
  try {
    await signIn(connection, mail.server)
  } catch (error) {
    connection.close()
    return { ...unreachable(error, isOpen), ...(isRefusal(error) && { outcome: 'refused_sign_in' }) }
  }
  const opened = { connection, openedAt: performance.now(), mails: 0 }
  return (await transferOn(opened, { options, mail })).sent
}

/** Sends the mail, and keeps the connection when the server has accepted it. `isBegun`: the body was opened. */
async function transferOn(
  open: OpenConnection,
  { options, mail }: { options: Sending; mail: OutgoingMail },
): Promise<{ sent: Sent; isBegun: boolean }> {
  const { connection } = open
  const silence = { ...defaultTimeouts, ...options.timeouts }
  socketOf(connection)?.setTimeout(silence.silenceMs)
  let isKept = false
  let isBegun = false
  try {
    const content = () => {
      isBegun = true
      return mail.content()
    }
    const sent = await transfer(connection, { ...mail, content }, silence)
    isKept = sent.outcome === 'sent'
    return { sent, isBegun }
  } finally {
    if (isKept) options.kept.keep(mail.server, { ...open, mails: open.mails + 1 })
    else connection.close()
  }
}

/** A failure before MAIL is the fault of the transport, whatever its code. */
function unreachable(error: unknown, isOpen: boolean): Sent {
  const { responseCode, code = '', message } = error as SmtpError
  return {
    outcome: 'unreachable',
    code: responseCode ?? null,
    response: oneLine(message),
    recipients: [],
    wasConnected: isOpen || refusedTls.test(code),
  }
}

/** Codes of Node for a connection that could not be encrypted from its first byte on. */
const refusedTls = /TLS|SSL|CERT|EPROTO|UNABLE_TO/

/** A server that has no time or no memory for a sign-in says 4xx; 5xx is about the user or the password. */
function isRefusal(error: unknown): boolean {
  const { responseCode = 0 } = error as SmtpError
  return responseCode >= 500
}

interface SmtpError extends Error {
  code?: string | undefined
  command?: string | undefined
  response?: string | undefined
  responseCode?: number | undefined
  recipient?: string | undefined
  rejectedErrors?: SmtpError[] | undefined
}

async function connect(
  options: SmtpSenderOptions,
  server: MailServer,
  onOpen?: () => void,
): Promise<SMTPConnection> {
  const { connectMs, silenceMs } = { ...defaultTimeouts, ...options.timeouts }
  const { addresses, secureContext } = await resolveServer(options, server)
  const trust = { secureContext, minVersion: 'TLSv1.2' as const, rejectUnauthorized: true }
  const servername = isIP(server.host) === 0 ? server.host : ''
  const socket = await openSocket({ addresses, server, connectMs, secureContext, servername })
  onOpen?.()
  const connection = new (smtpConnection())({
    host: server.host,
    port: server.port,
    name: options.name,
    connection: socket,
    secure: server.security === 'tls',
    secured: server.security === 'tls',
    requireTLS: server.security === 'starttls',
    ignoreTLS: server.security === 'none',
    connectionTimeout: connectMs,
    greetingTimeout: connectMs,
    socketTimeout: silenceMs,
    tls: { ...trust, ...(servername !== '' && { servername }) },
  })
  await new Promise<void>((resolve, reject) => {
    connection.once('error', reject)
    connection.connect((error) => (error ? reject(error) : resolve()))
  })
  // Errors of a later moment arrive by the callback of the command, which is under way.
  connection.on('error', () => undefined)
  return connection
}

interface Opening {
  addresses: readonly string[]
  server: MailServer
  connectMs: number
  secureContext: SecureContext
  servername: string
}

/** Connects to the first address that accepts, and checks the certificate before the first byte. */
function openSocket({ addresses, server, connectMs, secureContext, servername }: Opening): Promise<Socket> {
  const lookup: net.LookupFunction = (_host, options, done) => {
    const pinned = addresses.map((address) => ({ address, family: isIP(address) }))
    if (options.all) done(null, pinned)
    else done(null, pinned[0]?.address ?? '', pinned[0]?.family ?? 0)
  }
  const { host, port } = server
  const socket =
    server.security === 'tls'
      ? tls.connect({ host, port, lookup, secureContext, servername, minVersion: 'TLSv1.2' })
      : net.connect({ host, port, lookup })
  const event = server.security === 'tls' ? 'secureConnect' : 'connect'
  return new Promise((resolve, reject) => {
    const timer = setTimeout(
      () => socket.destroy(new Error('The server did not accept a connection')),
      connectMs,
    )
    const settle = (done: () => void) => {
      clearTimeout(timer)
      socket.removeAllListeners(event).removeListener('error', fail)
      done()
    }
    const fail = (error: Error) => settle(() => reject(error))
    socket.once(event, () => settle(() => resolve(socket))).once('error', fail)
  })
}

function transfer(
  connection: SMTPConnection,
  { envelope, content }: OutgoingMail,
  { afterDataMs }: SmtpTimeouts,
): Promise<Sent> {
  const body = lazyBody(content, () => extendSilence(connection, afterDataMs))
  return new Promise((resolve) => {
    const to = [...envelope.to]
    const wire = { from: wireAddress(envelope.from), to: to.map(wireAddress) }
    connection.send(wire, body.stream, (error, info) => {
      if (error) resolve(failedTransfer(error as SmtpError, to, body.isRead()))
      else {
        const rejected = rejectionsOf(info.rejectedErrors)
        resolve({
          outcome: 'sent',
          code: codeOf(info.response),
          response: oneLine(info.response),
          recipients: to.map(
            (address) => rejectionOf(rejected, address) ?? acceptedBy(address, info.response),
          ),
        })
      }
    })
  })
}

/** Most servers take no domain beyond ASCII, and every domain has a form in ASCII. */
function wireAddress(address: string): string {
  const { local, domain } = splitEmail(address) ?? { local: address, domain: '' }
  return domain === '' ? address : `${local}@${asciiDomain(domain) ?? domain}`
}

/** A server repeats the address of the wire; a result names the recipient as the mail does. */
function rejectionOf(
  rejected: ReadonlyMap<string, RecipientResult>,
  address: string,
): RecipientResult | undefined {
  const found = rejected.get(wireAddress(address))
  return found && { ...found, address }
}

/** The server may take long to store a mail: silence is a failure much later once it has the whole body. */
function extendSilence(connection: SMTPConnection, afterDataMs: number): void {
  socketOf(connection)?.setTimeout(afterDataMs)
}

/** A body that is opened when the server has accepted DATA; `isRead` says whether its last byte was handed over. */
function lazyBody(content: () => Readable, onRead: () => void) {
  let isRead = false
  async function* read() {
    yield* content()
    isRead = true
    onRead()
    passFaultPoint('mail-body-before-response')
  }
  return { stream: Readable.from(read(), { objectMode: false }), isRead: () => isRead }
}

function acceptedBy(address: string, response: string): RecipientResult {
  return { address, outcome: 'sent', code: codeOf(response), text: oneLine(response) }
}

function rejectionsOf(errors: readonly SmtpError[] = []): Map<string, RecipientResult> {
  return new Map(
    errors.map((error) => {
      const { recipient = '', responseCode = null, response } = error
      const outcome = responseCode !== null && responseCode >= 500 ? 'failed' : 'deferred'
      const result = {
        address: recipient,
        outcome,
        code: responseCode,
        text: oneLine(response ?? error.message),
      }
      return [recipient, result as RecipientResult]
    }),
  )
}

function failedTransfer(error: SmtpError, to: readonly string[], isRead: boolean): Sent {
  const { responseCode: code = null, command = '' } = error
  const response = oneLine(error.response ?? error.message)
  if (code === 421 || code === null) {
    if (!isRead || code === 421)
      return { outcome: 'unreachable', code, response, recipients: [], wasConnected: true }
    return {
      outcome: 'unknown',
      code,
      response,
      recipients: to.map((address) => unknownOf(address, response)),
    }
  }
  const rejected =
    command === 'RCPT TO' ? rejectionsOf(error.rejectedErrors) : new Map<string, RecipientResult>()
  const whole = code >= 500 ? 'failed' : 'deferred'
  const recipients = to.map(
    (address): RecipientResult =>
      rejectionOf(rejected, address) ?? { address, outcome: whole, code, text: response },
  )
  const isDeferred = recipients.some(({ outcome }) => outcome === 'deferred')
  return { outcome: isDeferred ? 'deferred' : 'failed', code, response, recipients }
}

function unknownOf(address: string, text: string): RecipientResult {
  return { address, outcome: 'unknown', code: null, text }
}

function codeOf(response: string): number | null {
  const code = /^\d{3}/.exec(response)?.[0]
  return code === undefined ? null : Number(code)
}

const responseMax = 500

/** A server may send anything: control characters become blanks, and the rest is cut. */
function oneLine(text: string): string {
  return text.replace(/[\u0000-\u001f\u007f-\u009f]+/g, ' ').slice(0, responseMax)
}
