import { randomBytes } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { signStandardWebhook, signWebhookBody } from '@crmkit/core/signing'
import type { StreamedEvent } from '@crmkit/sdk'
import type { Output } from '../../output/output.ts'

export interface ForwardTarget {
  readonly url: string
  readonly secret: string
  /** What the service's own deliveries name as their sender. */
  readonly userAgent: string
  readonly output: Output
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

/** Longer than the service waits: whoever debugs a receiver stops in it. */
const timeoutMs = 60_000
const pauseMaxMs = 5_000
/** What a proxy says while the program behind it starts again. */
const downStatuses: ReadonlySet<number> = new Set([502, 503, 504])

/**
 * Posts an event as the service would, and again until the receiver answers: what it answers is its own business,
 * but no event is passed over because nobody listened.
 */
export async function forwardEvent(
  event: StreamedEvent,
  target: ForwardTarget,
): Promise<{ forwarded: Forwarded; request: ForwardedRequest }> {
  const { output, url } = target
  const id = (JSON.parse(event.body) as { id: string }).id
  const delivery = {
    id,
    type: event.type,
    body: event.body,
    deliveryId: `dlv_${randomBytes(13).toString('hex')}`,
  }
  for (let attempt = 1; ; attempt++) {
    const request = { headers: await headersOf(delivery, { ...target, attempt }), body: event.body }
    const startedAt = performance.now()
    const answer = await post(url, request)
    if (typeof answer === 'number' && !downStatuses.has(answer)) {
      if (attempt > 1) output.say(`${url} answers again.`)
      const tookMs = performance.now() - startedAt
      const about = { id, event: event.type, position: event.position }
      return { forwarded: { ...about, status: answer, attempt, tookMs }, request }
    }
    if (attempt === 1) output.warn(`${url} does not answer (${answer}); ${id} is tried again until it does.`)
    await delay(Math.min(250 * 2 ** (attempt - 1), pauseMaxMs))
  }
}

/** The answer's status, or why there is none. */
async function post(url: string, { headers, body }: ForwardedRequest): Promise<number | string> {
  try {
    const signal = AbortSignal.timeout(timeoutMs)
    const response = await fetch(url, { method: 'POST', headers, body, redirect: 'manual', signal })
    // To its end, so that the connection serves the next event, too.
    await response.arrayBuffer()
    return response.status
  } catch (error) {
    const { name, message, cause } = error as Error
    const code = (cause as { code?: unknown } | undefined)?.code
    return typeof code === 'string' ? code : name === 'TimeoutError' ? 'timeout' : message
  }
}

async function headersOf(
  { id, type, body, deliveryId }: { id: string; type: string; body: string; deliveryId: string },
  { secret, userAgent, attempt }: ForwardTarget & { attempt: number },
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
