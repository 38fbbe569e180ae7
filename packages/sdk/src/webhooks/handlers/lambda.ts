import type { RawDelivery } from '@crmkit/sdk/webhooks'
import { assertSize, consumed } from './read-raw-body.ts'
import { receiveDelivery } from './receive-delivery.ts'
import type { OptionsFor } from './receiver-options.ts'

export * from './public.ts'

/** The part of an event that API Gateway (REST and HTTP), a function URL and a load balancer have in common. */
export interface LambdaEvent {
  readonly body?: string | null | undefined
  readonly isBase64Encoded?: boolean | undefined
  readonly headers?: Readonly<Record<string, string | undefined>> | null | undefined
  /** A load balancer may send these in place of `headers`. */
  readonly multiValueHeaders?: Readonly<Record<string, readonly string[] | undefined>> | null | undefined
}

export interface LambdaResponse {
  statusCode: number
  headers: Record<string, string>
  body: string
  isBase64Encoded: false
}

/**
 * A Lambda function behind API Gateway (REST or HTTP), a function URL or a load balancer.
 *
 * ```ts
 * export const handler = handleWebhooks({
 *   secrets: process.env.CRM_WEBHOOK_SECRET,
 *   on: { 'customer.created': async ({ data }) => welcome(data.profile.email) },
 * })
 * ```
 *
 * 200 once the handler is done, 400 for a delivery that does not verify, 500 when the handler throws (the service
 * then sends the event again) and when something has parsed the body.
 */
export function handleWebhooks<Event extends LambdaEvent>(
  options: OptionsFor<Event>,
): (event: Event) => Promise<LambdaResponse> {
  return async (event) => {
    const { status, headers, body } = await receiveDelivery(event, options, async ({ bodyBytesMax }) =>
      deliveryOf(event, bodyBytesMax),
    )
    return { statusCode: status, headers: { ...headers }, body, isBase64Encoded: false }
  }
}

function deliveryOf(event: LambdaEvent, bytesMax: number | undefined): RawDelivery {
  const body: unknown = event.body ?? ''
  if (typeof body !== 'string') {
    throw consumed('event.body is no text: a middleware (a JSON body parser) ran before this handler.')
  }
  assertSize(body.length, bytesMax)
  const headers = { ...event.multiValueHeaders, ...event.headers }
  return { body: event.isBase64Encoded ? bytesOfBase64(body) : body, headers }
}

function bytesOfBase64(text: string): Uint8Array {
  return Uint8Array.from(atob(text), (char) => char.charCodeAt(0))
}
