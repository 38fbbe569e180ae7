import { type CrmEvent, eventTypes } from '../resources/events.gen.ts'
import { type VerifyOptions, verifyWebhook } from './verify-webhook.ts'
import type { WebhookInput } from './webhook-input.ts'
import { WebhookVerificationError } from './webhook-verification-error.ts'

/**
 * Verifies a delivery, then parses it. The event is told apart by `event`; a type that this version does not know
 * arrives as `'unknown'` with its name in `eventName`.
 *
 * ```ts
 * const event = await unwrapWebhook(request, { secrets: process.env.CRM_WEBHOOK_SECRET })
 * if (event.event === 'customer.created') console.log(event.data.profile.email)
 * ```
 *
 * @throws {WebhookVerificationError} `code` says what is wrong
 */
export async function unwrapWebhook(input: WebhookInput, options: VerifyOptions): Promise<CrmEvent> {
  const { body } = await verifyWebhook(input, options)
  const event = parseObject(body)
  const { event: type } = event
  if (typeof type !== 'string' || typeof event['id'] !== 'string') throw notAnEvent()
  const isKnown = eventTypes.some((known) => known === type)
  // What a signed event holds is the service's promise; checking it again would cost every receiver a schema library.
  return (isKnown ? event : { ...event, event: 'unknown', eventName: type }) as unknown as CrmEvent
}

function parseObject(body: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(body)
    if (typeof value === 'object' && value !== null) return { ...value }
  } catch {
    // Told below, without the body.
  }
  throw notAnEvent()
}

function notAnEvent(): WebhookVerificationError {
  return new WebhookVerificationError('bad_format', 'The signature is right, but the body is not an event')
}
