import type { Webhook } from '@crmkit/core'
import type { WebhookRecord } from '../../ports/records.ts'
import type { SecretBox } from '../../ports/secret-box.ts'

/** What of a webhook is encrypted at rest. */
export interface WebhookSecrets {
  secret: string
  headers: Record<string, string>
}

/** The row of a webhook: its headers are only in `sealed`. */
export function sealWebhook(box: SecretBox, webhook: Webhook, secret: string): WebhookRecord {
  const { tenantId, _id, headers } = webhook
  const secrets: WebhookSecrets = { secret, headers }
  return { ...webhook, headers: {}, sealed: box.seal(JSON.stringify(secrets), { tenantId, id: _id }) }
}

/** Throws when the row was changed by another hand or its key is gone. */
export function openWebhook(box: SecretBox, { tenantId, _id, sealed }: WebhookRecord): WebhookSecrets {
  return JSON.parse(box.open(sealed, { tenantId, id: _id })) as WebhookSecrets
}

/** The webhook as its managers see it: with its own headers, without its secret. */
export function shownWebhook(box: SecretBox, row: WebhookRecord): Webhook {
  const { sealed: _sealed, ...webhook } = row
  return { ...webhook, headers: openWebhook(box, row).headers }
}
