import type { RotatingSecret, WebhookSettings } from '@crmkit/core'
import type { SecretBox } from '../ports/secret-box.ts'
import type { WebhookRecord } from '../storage/kinds/webhooks.ts'

/** What of a webhook is encrypted at rest. */
export interface WebhookSecrets extends RotatingSecret {
  headers: Record<string, string>
}

/** The row of a webhook: its headers are only in `sealed`. */
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

/** Throws when the row was changed by another hand or its key is gone. */
export function openWebhook(box: SecretBox, { tenantId, _id, sealed }: WebhookRecord): WebhookSecrets {
  return JSON.parse(box.open(sealed, { tenantId, id: _id })) as WebhookSecrets
}
