import type { WebhookSettings } from '@crmkit/core'
import type { WebhookRecord } from '../../ports/records.ts'
import type { SecretBox } from '../../ports/secret-box.ts'

export interface SigningSecrets {
  secret: string
  /** The one before, during the overlap of a rotation. */
  previous?: { secret: string; validUntil: string } | undefined
}

/** What of a webhook is encrypted at rest. */
export interface WebhookSecrets extends SigningSecrets {
  headers: Record<string, string>
}

/** The row of a webhook: its headers are only in `sealed`. */
export function sealWebhook(
  box: SecretBox,
  webhook: WebhookSettings,
  signing: SigningSecrets | string,
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
