import { type CrmEvent, eventTypes } from '../resources/events.gen.ts'
import { type VerifyOptions, verifyWebhook } from './verify-webhook.ts'
import type { WebhookInput } from './webhook-input.ts'
import { WebhookVerificationError } from './webhook-verification-error.ts'

/**
 * Verifies a delivery, then parses it. `event` distinguishes the events; a type that this version does not know
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
  const event = parseEvent(body)
  if (event === undefined) {
    throw new WebhookVerificationError('bad_format', 'The body is no event')
  }
  const isKnown = (eventTypes as readonly string[]).includes(event.event)
  // The signature proves the source of the data: validating it would cost every receiver a schema library.
  return (isKnown ? event : { ...event, event: 'unknown', eventName: event.event }) as CrmEvent
}

function parseEvent(body: string): { id: string; event: string } | undefined {
  try {
    const value = JSON.parse(body)
    return typeof value.id === 'string' && typeof value.event === 'string' ? value : undefined
  } catch {
    return undefined
  }
}
