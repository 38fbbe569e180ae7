import { randomBytes } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { signStandardWebhook, signWebhookBody } from '@crmkit/core/signing'
import type { StreamedEvent } from '@crmkit/sdk'
import type { Output } from '../../output/output.ts'

interface Signer {
  readonly url: string
  readonly secret: string
  /** The same header as in the deliveries of the service. */
  readonly userAgent: string
}

export interface ForwardTarget extends Signer {
  readonly output: Output
}

interface SigningTarget extends Signer {
  readonly attempt: number
}

export interface Forwarded {
  readonly id: string
  readonly event: string
  readonly position: string
  readonly status: number
  readonly attempt: number
  readonly tookMs: number
}

export interface ForwardedRequest {
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/** Longer than the timeout of the service, because a debugger can stop the receiver. */
const timeoutMs = 60_000
const pauseMaxMs = 5_000
/** The statuses of a proxy while its program restarts. */
const downStatuses: ReadonlySet<number> = new Set([502, 503, 504])

/**
 * Posts an event as the service does, and retries until the receiver responds. Any response counts, so that only a
 * receiver that is down delays events and no event is skipped.
 */
export async function forwardEvent(
  event: StreamedEvent,
  target: ForwardTarget,
): Promise<{ forwarded: Forwarded; request: ForwardedRequest }> {
  const { output, url } = target
  // As the service sent them: the client marks erased events, and types that it does not know.
  const { id, event: type } = JSON.parse(event.body) as { id: string; event: string }
  const delivery = { id, type, body: event.body, deliveryId: newDeliveryId() }
  for (let attempt = 1; ; attempt++) {
    const startedAt = performance.now()
    const { request, result } = await sendOnce(delivery, { ...target, attempt })
    if (typeof result === 'number' && !downStatuses.has(result)) {
      if (attempt > 1) output.say(`${url} responds again.`)
      const tookMs = performance.now() - startedAt
      const { position } = event
      return { forwarded: { id, event: type, position, status: result, attempt, tookMs }, request }
    }
    if (attempt === 1) output.warn(`${url} does not respond (${result}); ${id} is retried until it does.`)
    await delay(Math.min(250 * 2 ** (attempt - 1), pauseMaxMs))
  }
}

interface SentRequest {
  readonly request: ForwardedRequest
  /** The status of the response, or the reason without one. */
  readonly result: number | string
}

/** Signs a delivery and posts it once. */
export async function sendOnce(
  delivery: Omit<Delivery, 'deliveryId'> & Partial<Delivery>,
  target: SigningTarget,
): Promise<SentRequest> {
  const headers = await headersOf({ deliveryId: newDeliveryId(), ...delivery }, target)
  const request = { headers, body: delivery.body }
  return { request, result: await post(target.url, request) }
}

function newDeliveryId(): string {
  return `dlv_${randomBytes(13).toString('hex')}`
}

/** The status of the response, or the reason without one. */
async function post(url: string, { headers, body }: ForwardedRequest): Promise<number | string> {
  try {
    const signal = AbortSignal.timeout(timeoutMs)
    const response = await fetch(url, { method: 'POST', headers, body, redirect: 'manual', signal })
    // Read to its end, so that the connection can be reused.
    await response.arrayBuffer()
    return response.status
  } catch (error) {
    const { name, message, cause } = error as Error
    const code = (cause as { code?: unknown } | undefined)?.code
    return typeof code === 'string' ? code : name === 'TimeoutError' ? 'timeout' : message
  }
}

interface Delivery {
  readonly id: string
  readonly type: string
  readonly body: string
  readonly deliveryId: string
}

async function headersOf(
  { id, type, body, deliveryId }: Delivery,
  { secret, userAgent, attempt }: SigningTarget,
): Promise<Record<string, string>> {
  const timestamp = Math.floor(Date.now() / 1000)
  return {
    'Content-Type': 'application/json',
    'User-Agent': userAgent,
    'X-Webhook-Signature': await signWebhookBody(body, secret),
    'X-Webhook-Id': id,
    'X-Webhook-Event': type,
    'X-Webhook-Delivery': deliveryId,
    'X-Webhook-Attempt': String(attempt),
    'X-Webhook-Timestamp': String(timestamp),
    'webhook-id': id,
    'webhook-timestamp': String(timestamp),
    'webhook-signature': await signStandardWebhook({ id, timestamp, body }, secret),
  }
}
