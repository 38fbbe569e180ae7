import type { NewResource } from '../shared/common-fields.ts'
import { toBase64 } from '../signing/bytes.ts'
import { secretPrefix } from '../signing/standard-webhooks.ts'
import {
  type CreateWebhookBody,
  defaultRetryPolicy,
  type UpdateWebhookBody,
  type WebhookHealth,
  type WebhookSettings,
} from './webhook.ts'
import type { DeliveryCounts, DisabledReason } from './webhook-values.ts'

/** `whsec_` and the base64 of 32 random bytes. */
export function newWebhookSecret(): string {
  return secretPrefix + toBase64(crypto.getRandomValues(new Uint8Array(32)))
}

export function newWebhook(body: CreateWebhookBody, making: NewResource): WebhookSettings {
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

export function updatedWebhook(
  before: WebhookSettings,
  body: UpdateWebhookBody,
  now: string,
): WebhookSettings {
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

/** An absent member keeps its value; null restores the default, of one member or of the whole policy. */
function mergedPolicy(
  before: WebhookSettings['retryPolicy'],
  given: UpdateWebhookBody['retryPolicy'],
): WebhookSettings['retryPolicy'] {
  if (given === null) return defaultRetryPolicy
  const { maxRetries = before.maxRetries, backoffStrategy = before.backoffStrategy } = given ?? {}
  return {
    maxRetries: maxRetries ?? defaultRetryPolicy.maxRetries,
    backoffStrategy: backoffStrategy ?? defaultRetryPolicy.backoffStrategy,
  }
}

export function webhookHealth(
  { isActive, disabledReason }: { isActive: boolean; disabledReason: DisabledReason | null },
  { consecutiveFailures, lastSuccessAt, lastFailureAt }: DeliveryCounts,
): WebhookHealth {
  const activeState = consecutiveFailures > 0 ? 'failing' : 'healthy'
  return {
    state: isActive ? activeState : 'disabled',
    consecutiveFailures,
    lastSuccessAt,
    lastFailureAt,
    disabledReason: isActive ? null : (disabledReason ?? 'manual'),
  }
}

const hopelessFailures = 20
const hopelessMs = 7 * 86_400_000

/**
 * Whether a webhook must be deactivated for its failures: no success for 7 days, with at least 20 failures. The days
 * count from the first failure, or from the last activation: a webhook without deliveries is not failing.
 */
export function isHopeless(
  { consecutiveFailures, failingSince }: DeliveryCounts,
  { activeSince, nowMs }: { activeSince: string; nowMs: number },
): boolean {
  if (consecutiveFailures < hopelessFailures || failingSince === null) return false
  return Math.max(Date.parse(failingSince), Date.parse(activeSince)) <= nowMs - hopelessMs
}
