import type { DeliveryErrorCode, DeliveryLog } from '@crmkit/core'

/** Sends one webhook request to a destination that the guard allows; the only way out of the house. */
export interface HttpSender {
  /** One POST, with one bound on everything from name resolution to the last byte. Never rejects. */
  post(request: SenderRequest): Promise<SenderResult>
  close(): Promise<void>
}

export interface SenderRequest {
  url: string
  headers: Record<string, string>
  body: string
  timeoutMs: number
  /** Connections are kept and shared within one tenant only. */
  tenantId: string
}

export interface SenderResult {
  /** Null when no answer came. */
  statusCode: number | null
  /** Null for a 2xx. */
  errorCode: DeliveryErrorCode | null
  /** A sentence for the log; never holds anything that the receiver sent, nor a private address. */
  error: string | null
  timings: NonNullable<DeliveryLog['timings']>
  remoteAddress: string | null
  /** `Retry-After` of a 429 or 503, in ms. */
  retryAfterMs: number | null
}

/** What is wrong with a destination as it is written; undefined when it may be stored. */
export type CheckDestination = (url: string) => { message: string; rule: 'url' | 'destination' } | undefined
