import { type RetryPolicy, retryDelayMs } from '@crmkit/core'
import type { Clock } from '../../ports/clock.ts'
import type { CheckDestination, HttpSender, SenderResult } from '../../ports/http-sender.ts'
import type { SecretBox } from '../../ports/secret-box.ts'
import type { WebhookRecord } from '../../storage/kinds/webhooks.ts'
import { erasedText, isErasedBody } from '../../storage/rules/erased.ts'
import { signerOf, type WebhookSigner } from './webhook-signer.ts'

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

/** One attempt to deliver one event to one webhook. */
export interface Delivery {
  webhook: WebhookRecord
  event: { _id: string; type: string; body: string }
  deliveryId: string
  /** From 1. */
  attempt: number
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
  const headers = deliveryHeaders(delivery, { signer, unixSeconds, version })
  const { url, tenantId } = webhook
  const result = await sender.post({ url, headers, body: event.body, timeoutMs, tenantId })
  return { result, headers, endedMs: clock.nowMs() }
}

interface Signing {
  signer: WebhookSigner
  unixSeconds: number
  version: string
}

/** The webhook's own headers are in the middle: they cannot replace any header that follows. */
function deliveryHeaders(delivery: Delivery, { signer, unixSeconds, version }: Signing) {
  const { event, deliveryId, attempt } = delivery
  const signatures = signer.sign({ id: event._id, unixSeconds, body: event.body })
  return {
    'Content-Type': 'application/json',
    'User-Agent': `crmkit/${version}`,
    ...signer.headers,
    ...signatures.ofBody,
    'X-Webhook-Id': event._id,
    'X-Webhook-Event': event.type,
    'X-Webhook-Delivery': deliveryId,
    'X-Webhook-Attempt': String(attempt),
    'X-Webhook-Timestamp': String(unixSeconds),
    'webhook-id': event._id,
    'webhook-timestamp': String(unixSeconds),
    'webhook-signature': signatures.standard,
  }
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
