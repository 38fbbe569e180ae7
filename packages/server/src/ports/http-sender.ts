import type { DeliveryErrorCode, DeliveryLog } from '@crmkit/core'

/** Sends one webhook request to a destination that the guard allows. No other code of the service sends requests. */
export interface HttpSender {
  /** Makes one POST. `timeoutMs` limits everything from name resolution to the last byte. Never rejects. */
  post(request: SenderRequest): Promise<SenderResult>
  close(): Promise<void>
}

export interface SenderRequest {
  url: string
  headers: Record<string, string>
  body: string
  timeoutMs: number
  /** Connections are reused within one tenant only. */
  tenantId: string
}

export interface SenderResult {
  /** Null when no response came. */
  statusCode: number | null
  /** Null for a 2xx. */
  errorCode: DeliveryErrorCode | null
  /** A sentence for the delivery log; never holds anything that the receiver sent, nor a private address. */
  error: string | null
  timings: NonNullable<DeliveryLog['timings']>
  remoteAddress: string | null
  /** `Retry-After` of a 429 or 503, in ms. */
  retryAfterMs: number | null
}

/** Returns the problem of a destination's URL as text; undefined when the URL may be stored. */
export type CheckDestination = (url: string) => { message: string; rule: 'url' | 'destination' } | undefined
