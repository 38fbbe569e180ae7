import type { RotatingSecret, WebhookSettings } from '@crmkit/core'
import type { SecretBox } from '../../ports/secret-box.ts'
import type { WebhookRecord } from '../../storage/kinds/webhooks.ts'

/** The fields of a webhook that are encrypted at rest. */
export interface WebhookSecrets extends RotatingSecret {
  headers: Record<string, string>
}

/** Returns the row of a webhook; its headers are in `sealed` alone. */
export function sealWebhook(
  box: SecretBox,
  webhook: WebhookSettings,
  signing: RotatingSecret | string,
): WebhookRecord {
  const { tenantId, _id, headers } = webhook
  const { secret, previous } = typeof signing === 'string' ? { secret: signing } : signing
  const secrets: WebhookSecrets = { secret, ...(previous && { previous }), headers }
  return { ...webhook, headers: {}, sealed: box.seal(JSON.stringify(secrets), { tenantId, id: _id }) }
}

/** Throws when the row was changed outside the service or its key is no longer in the ring. */
export function openWebhook(box: SecretBox, { tenantId, _id, sealed }: WebhookRecord): WebhookSecrets {
  return JSON.parse(box.open(sealed, { tenantId, id: _id })) as WebhookSecrets
}
