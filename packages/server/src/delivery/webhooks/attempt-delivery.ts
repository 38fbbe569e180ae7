import { headerMask, maskedHeaders, type RetryPolicy, retryDelayMs } from '@crmkit/core'
import type { Clock } from '../../ports/clock.ts'
import type { CheckDestination, HttpSender, SenderResult } from '../../ports/http-sender.ts'
import type { SecretBox } from '../../ports/secret-box.ts'
import type { WebhookRecord } from '../../storage/kinds/webhooks.ts'
import { erasedText, isErasedBody } from '../../storage/rules/erased.ts'
import { type Signatures, signerOf } from './webhook-signer.ts'

/** Time from name resolution to the last byte of the response. Source: specification 8. */
export const attemptTimeoutMs = 5000
const goneStatus = 410

/** The content of the event was erased after the attempt was planned: nothing is sent, now or later. */
const erased: SenderResult = {
  statusCode: null,
  errorCode: 'ERASED',
  error: erasedText,
  timings: { dns: null, connect: null, tls: null, firstByte: null, total: 0 },
  remoteAddress: null,
  retryAfterMs: null,
}

export interface AttemptParts {
  sender: HttpSender
  secrets: SecretBox
  checkDestination: CheckDestination
  clock: Clock
  version: string
  timeoutMs?: number
}

/** The parts of an attempt that its headers name. */
export interface SentDelivery {
  event: { _id: string; type: string }
  deliveryId: string
  /** From 1. */
  attempt: number
}

/** One attempt to deliver one event to one webhook. */
export interface Delivery extends SentDelivery {
  webhook: WebhookRecord
  event: { _id: string; type: string; body: string }
}

export interface AttemptOutcome {
  result: SenderResult
  headers: Record<string, string>
  /** The moment from which a retry is counted. */
  endedMs: number
}

/** Signs and sends one attempt, and returns its result, failures included. Throws when the secrets cannot be opened. */
export async function attemptDelivery(parts: AttemptParts, delivery: Delivery): Promise<AttemptOutcome> {
  const { sender, secrets, clock, version, timeoutMs = attemptTimeoutMs } = parts
  const { webhook, event } = delivery
  if (isErasedBody(event.body)) return { result: erased, headers: {}, endedMs: clock.nowMs() }
  const signer = signerOf(secrets, webhook)
  const unixSeconds = Math.floor(clock.nowMs() / 1000)
  const signatures = signer.sign({ id: event._id, unixSeconds, body: event.body })
  const timestamp = String(unixSeconds)
  const headers = deliveryHeaders(delivery, { own: signer.headers, signatures, timestamp, version })
  const { url, tenantId } = webhook
  const result = await sender.post({ url, headers, body: event.body, timeoutMs, tenantId })
  return { result, headers, endedMs: clock.nowMs() }
}

interface Signed {
  /** The webhook's own headers. */
  own: Readonly<Record<string, string>>
  signatures: Signatures
  /** Unix seconds. */
  timestamp: string
  version: string
}

/** The webhook's own headers are in the middle: they cannot replace any header that follows. */
function deliveryHeaders(delivery: SentDelivery, { own, signatures, timestamp, version }: Signed) {
  const { event, deliveryId, attempt } = delivery
  return {
    'Content-Type': 'application/json',
    'User-Agent': `crmkit/${version}`,
    ...own,
    ...signatures.ofBody,
    'X-Webhook-Id': event._id,
    'X-Webhook-Event': event.type,
    'X-Webhook-Delivery': deliveryId,
    'X-Webhook-Attempt': String(attempt),
    'X-Webhook-Timestamp': timestamp,
    'webhook-id': event._id,
    'webhook-timestamp': timestamp,
    'webhook-signature': signatures.standard,
  }
}

/**
 * Returns the headers of an attempt that was made, as they can be shown: the second of sending, and so the signatures, are stored
 * nowhere, and the webhook's own values are secrets.
 */
export function shownHeaders(
  delivery: SentDelivery,
  { own, version }: { own: Readonly<Record<string, string>>; version: string },
): Record<string, string> {
  const signatures = { ofBody: { 'X-Webhook-Signature': headerMask }, standard: headerMask }
  return deliveryHeaders(delivery, { own: maskedHeaders(own), signatures, timestamp: headerMask, version })
}

/** Returns whether the receiver says that it was removed permanently. */
export function isGone({ statusCode }: SenderResult): boolean {
  return statusCode === goneStatus
}

interface Failed {
  result: SenderResult
  endedMs: number
  attempt: number
  policy: RetryPolicy
  /** The URL itself names a blocked destination: unlike the address of a host name, that never changes by itself. */
  isBlockedLiterally: boolean
}

/** Returns when the next attempt follows a failed one, ms since 1970; null when it was the last. */
export function nextAttemptAtMs({
  result,
  endedMs,
  attempt,
  policy,
  isBlockedLiterally,
}: Failed): number | null {
  if (isGone(result) || isBlockedLiterally || result.errorCode === 'ERASED') return null
  const delayMs = retryDelayMs(policy, attempt)
  return delayMs === null ? null : endedMs + Math.max(delayMs, result.retryAfterMs ?? 0)
}
