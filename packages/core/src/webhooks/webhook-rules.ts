import { toBase64 } from '../signing/bytes.ts'
import { secretPrefix } from '../signing/standard-webhooks.ts'
import {
  type CreateWebhookBody,
  defaultRetryPolicy,
  type UpdateWebhookBody,
  type Webhook,
} from './webhook.ts'

/** `whsec_` and the base64 of 32 random bytes. */
export function newWebhookSecret(): string {
  return secretPrefix + toBase64(crypto.getRandomValues(new Uint8Array(32)))
}

export function newWebhook(
  body: CreateWebhookBody,
  making: { id: string; tenantId: string; now: string },
): Webhook {
  return {
    _id: making.id,
    tenantId: making.tenantId,
    name: body.name,
    url: body.url,
    events: body.events,
    isActive: true,
    headers: body.headers ?? {},
    retryPolicy: mergedPolicy(defaultRetryPolicy, body.retryPolicy),
    createdAt: making.now,
    updatedAt: making.now,
  }
}

export function updatedWebhook(before: Webhook, body: UpdateWebhookBody, now: string): Webhook {
  return {
    ...before,
    name: body.name ?? before.name,
    url: body.url ?? before.url,
    events: body.events ?? before.events,
    isActive: body.isActive === undefined ? before.isActive : (body.isActive ?? true),
    headers: body.headers === undefined ? before.headers : (body.headers ?? {}),
    retryPolicy: mergedPolicy(before.retryPolicy, body.retryPolicy),
    updatedAt: now,
  }
}

/** An absent member keeps its value; null brings back the default, of one member or of the whole. */
function mergedPolicy(
  before: Webhook['retryPolicy'],
  given: UpdateWebhookBody['retryPolicy'],
): Webhook['retryPolicy'] {
  if (given === null) return defaultRetryPolicy
  const { maxRetries = before.maxRetries, backoffStrategy = before.backoffStrategy } = given ?? {}
  return {
    maxRetries: maxRetries ?? defaultRetryPolicy.maxRetries,
    backoffStrategy: backoffStrategy ?? defaultRetryPolicy.backoffStrategy,
  }
}
