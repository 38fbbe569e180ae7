import { isIP } from 'node:net'
import { checkServerIdentity, type SecureContext } from 'node:tls'
import { mailBytesMax } from '@crmkit/core'
import type { ImapFlow } from 'imapflow'
import type { MailboxServer } from '../../ports/mail-source.ts'
import { atFirstUse } from '../../shared/at-first-use.ts'

const imap = atFirstUse<{ ImapFlow: typeof ImapFlow }>('imapflow')

/** A mail may be as long as allowed, and the response around it has its own bytes. */
const literalBytesMax = mailBytesMax + 1024 * 1024
const lineBytesMax = 4 * 1024 * 1024
const connectMs = 15_000
/** Above the longest pause of a connection that waits, so that a silent server is noticed without being asked. */
const silenceMs = 6 * 60_000

interface ClientOptions {
  server: MailboxServer
  /** Checked: the connection is made to this address alone. */
  address: string
  secureContext: SecureContext
  /** Called when the certificate of the server was found right. */
  onSecured?: (() => void) | undefined
}

/** Makes a client that is not connected yet. It never sends a credential without TLS, and bounds what a server sends. */
export function createImapClient({ server, address, secureContext, onSecured }: ClientOptions): ImapFlow {
  const { host, port, security, user, password, accessToken } = server
  const isTls = security === 'tls'
  const client = new (imap().ImapFlow)({
    host: address,
    port,
    secure: isTls,
    ...(!isTls && { doSTARTTLS: true }),
    ...(isIP(host) === 0 && { servername: host }),
    auth: accessToken === undefined ? { user, pass: password ?? '' } : { user, accessToken },
    logger: false,
    clientInfo: { name: 'crmkit' },
    disableAutoIdle: true,
    // A server could send a few bytes that become gigabytes.
    disableCompression: true,
    disableBinary: true,
    connectionTimeout: connectMs,
    greetingTimeout: connectMs,
    socketTimeout: silenceMs,
    maxLineLength: lineBytesMax,
    maxLiteralSize: literalBytesMax,
    maxResponseSize: literalBytesMax + lineBytesMax,
    tls: {
      secureContext,
      minVersion: 'TLSv1.2',
      rejectUnauthorized: true,
      checkServerIdentity: (name, certificate) => {
        const problem = checkServerIdentity(name, certificate)
        if (problem === undefined) onSecured?.()
        return problem
      },
    },
  })
  client.on('error', (error: Error) => endings.set(client, error))
  return client
}

interface Budget {
  ms: number
  /** The most that the server may send meanwhile. */
  bytes: number
}

const watchEveryMs = 50

/** Runs work of a client; a server that takes longer, or sends more, loses the connection. */
export async function withinBudget<T>(
  client: ImapFlow,
  { ms, bytes }: Budget,
  work: () => Promise<T>,
): Promise<T> {
  const startedAt = performance.now()
  const { received } = client.stats()
  const watch = setInterval(() => {
    const isOver = client.stats().received - received > bytes
    if (isOver) endings.set(client, Object.assign(new Error(`${bytes} bytes`), { code: 'BudgetExceeded' }))
    if (isOver || performance.now() - startedAt > ms) client.close()
  }, watchEveryMs)
  try {
    return await work()
  } finally {
    clearInterval(watch)
  }
}

/** The error that ended the connection of a client. The calls under way fail with less: that there is none any more. */
const endings = new WeakMap<ImapFlow, Error>()

/** Returns why a call of the client failed. */
export function causeOf(client: ImapFlow, error: unknown): unknown {
  return endings.get(client) ?? error
}
