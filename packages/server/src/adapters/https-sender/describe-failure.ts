import type { DeliveryErrorCode } from '@crmkit/core'
import { DialRefused } from './guarded-agents.ts'

interface Circumstances {
  statusCode: number | null
  cause: Error | undefined
  timeoutMs: number
}

/** The sentence for the log. Of the cause only Node's own code is told, never its text. */
export function describeFailure(
  errorCode: DeliveryErrorCode,
  { statusCode, cause, timeoutMs }: Circumstances,
): string {
  const sentence = sentences[errorCode]
  if (errorCode === 'STATUS' || errorCode === 'REDIRECT') return `${sentence} ${statusCode}`
  if (errorCode === 'TIMEOUT') return `${sentence} ${timeoutMs / 1000} s`
  const code = nodeCodeOf(cause)
  return code === undefined ? sentence : `${sentence} (${code})`
}

const sentences: Record<DeliveryErrorCode, string> = {
  DNS: 'The host name could not be resolved',
  CONNECT: 'The connection failed or was closed before an answer came',
  TLS: 'The TLS handshake failed or the certificate is not trusted',
  TIMEOUT: 'There was no complete answer within',
  STATUS: 'The receiver answered with status',
  REDIRECT: 'Redirects are not followed; the receiver answered with status',
  BLOCKED: 'The destination is not a public address',
  BODY: 'The answer was not valid HTTP or broke off',
  ERASED: 'The subject of the event was erased',
}

function nodeCodeOf(cause: Error | undefined): string | undefined {
  const root = cause instanceof DialRefused ? cause.cause : cause
  const code = (root as NodeJS.ErrnoException | undefined)?.code
  return typeof code === 'string' && /^[A-Z0-9_]+$/.test(code) ? code : undefined
}
