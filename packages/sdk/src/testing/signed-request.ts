import { signStandardWebhook, signWebhookBody } from '@crmkit/core/signing'

/** A secret for tests only. */
export const testSecret = 'whsec_dGVzdHMgb25seSwgbmV2ZXIgaW4gcHJvZHVjdGlvbiE='

export interface SigningOptions {
  /** Default: `testSecret`. Two secrets: a delivery during a rotation, the first one is the old one. */
  readonly secret?: string | readonly [old: string, current: string] | undefined
  /** When the attempt is signed, Unix milliseconds. Default: now. */
  readonly now?: (() => number) | undefined
  /** The number of the attempt. Default: 1. */
  readonly attempt?: number | undefined
}

export interface SignedDelivery {
  readonly body: string
  readonly headers: Readonly<Record<string, string>>
}

/** An event from `makeEvent`, one of an unknown type, or a text that is sent unchanged. */
export type SignableEvent = { readonly id: string; readonly event: string } | string

/** Body and headers of a delivery, as the service sends it. */
export async function signedDelivery(
  event: SignableEvent,
  { secret = testSecret, now = Date.now, attempt = 1 }: SigningOptions = {},
): Promise<SignedDelivery> {
  const body = typeof event === 'string' ? event : JSON.stringify(event)
  const { id, event: type } = typeof event === 'string' ? { id: 'evt_text', event: 'unknown' } : event
  const timestamp = Math.floor(now() / 1000)
  const secrets = [secret].flat()
  const signatures = await Promise.all(
    secrets.map((one) => signStandardWebhook({ id, timestamp, body }, one)),
  )
  const [first, next] = await Promise.all(secrets.map((one) => signWebhookBody(body, one)))
  const headers: Record<string, string> = {
    'content-type': 'application/json',
    'user-agent': 'crmkit/test',
    'webhook-id': id,
    'webhook-timestamp': String(timestamp),
    'webhook-signature': signatures.join(' '),
    'x-webhook-signature': first ?? '',
    'x-webhook-id': id,
    'x-webhook-event': type,
    'x-webhook-delivery': 'dlv_test',
    'x-webhook-attempt': String(attempt),
    'x-webhook-timestamp': String(timestamp),
  }
  if (next !== undefined) headers['x-webhook-signature-next'] = next
  return { body, headers }
}

/**
 * A delivery as a web `Request`.
 *
 * ```ts
 * const response = await POST(await signedRequest(makeEvent('customer.created')))
 * ```
 */
export async function signedRequest(
  event: SignableEvent,
  { url = 'https://receiver.test/hook', ...options }: SigningOptions & { readonly url?: string } = {},
): Promise<Request> {
  const { body, headers } = await signedDelivery(event, options)
  return new Request(url, { method: 'POST', body, headers })
}
