import type { DeliveryErrorCode } from '@crmkit/core'
import { DialRefused } from './guarded-agents.ts'

interface Circumstances {
  statusCode: number | null
  cause: Error | undefined
  timeoutMs: number
}

/** Returns the sentence for the delivery log. It includes Node's own code of the cause, never the cause's text. */
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
  CONNECT: 'The connection failed or was closed before a response came',
  TLS: 'The TLS handshake failed or the certificate is not trusted',
  TIMEOUT: 'There was no complete response within',
  STATUS: 'The receiver responded with status',
  REDIRECT: 'Redirects are not followed; the receiver responded with status',
  BLOCKED: 'The destination is not a public address',
  BODY: 'The response was not valid HTTP or ended early',
  ERASED: 'The subject of the event was erased',
}

function nodeCodeOf(cause: Error | undefined): string | undefined {
  const root = cause instanceof DialRefused ? cause.cause : cause
  const code = (root as NodeJS.ErrnoException | undefined)?.code
  return typeof code === 'string' && /^[A-Z0-9_]+$/.test(code) ? code : undefined
}
