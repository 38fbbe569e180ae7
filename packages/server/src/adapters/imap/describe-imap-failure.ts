import { MailboxFailure, type MailboxServer } from '../../ports/mail-source.ts'
import { ServerRefused } from '../../shared/mail-destinations.ts'

const responseMax = 300

interface ImapError extends Error {
  code?: string
  authenticationFailed?: boolean
  /** The words of the server. */
  response?: unknown
  /** `NO` or `BAD` where the server refuses the command, `BYE` where it ends the connection. */
  responseStatus?: string
  responseText?: string
}

const unreachableCodes = new Set([
  'ECONNREFUSED',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ETIMEDOUT',
  'CONNECT_TIMEOUT',
])

const sizeCodes = new Set(['LineTooLarge', 'LiteralTooLarge', 'ResponseTooLarge', 'BudgetExceeded'])

/** Returns a failure whose message is one sentence that a person can act on. */
export function describeImapFailure(
  error: unknown,
  { host, port, folder }: MailboxServer,
  phase: 'connect' | 'open_folder' | 'read',
): MailboxFailure {
  if (error instanceof MailboxFailure) return error
  if (error instanceof ServerRefused) return new MailboxFailure(`${error.message}.`)
  const {
    code = '',
    authenticationFailed,
    message,
    response,
    responseStatus,
    responseText,
  } = error as ImapError
  const words = responseText ?? (typeof response === 'string' ? response : message)
  const said = plain(words)
  if (authenticationFailed)
    return new MailboxFailure(`The server refuses the user or the password: ${said}`, {
      isSignInRefused: true,
    })
  if (sizeCodes.has(code))
    return new MailboxFailure(`The response of the server is longer than allowed (${code}).`)
  if (phase === 'open_folder' && ['NO', 'BAD'].includes(responseStatus ?? ''))
    return new MailboxFailure(`The folder ${plain(folder)} cannot be opened: check its name (${said}).`)
  if (phase !== 'connect') return new MailboxFailure(`The connection ended (${said}).`)
  if (code === 'ECONNREFUSED')
    return new MailboxFailure(`Nothing listens at port ${port} of ${host}: check the port.`)
  if (unreachableCodes.has(code))
    return new MailboxFailure(
      `${host} does not accept a connection at port ${port}: check the port and the firewall (${said}).`,
    )
  return new MailboxFailure(
    `The connection cannot be encrypted: check the security, the port and the certificate (${said}).`,
  )
}

export function isUnreachable(error: unknown): boolean {
  return unreachableCodes.has((error as ImapError).code ?? '')
}

/** A server's words end in a log and on a terminal. */
function plain(text: string): string {
  return text.replace(/[\u0000-\u001f\u007f-\u009f]+/g, ' ').slice(0, responseMax)
}
