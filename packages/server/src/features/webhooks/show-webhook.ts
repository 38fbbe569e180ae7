import { maskedHeaders, noDeliveries, type Webhook, webhookHealth } from '@crmkit/core'
import { openWebhook } from '../../delivery/webhooks/seal-webhook.ts'
import type { SecretBox } from '../../ports/secret-box.ts'
import type { TenantReads } from '../../ports/storage.ts'
import type { WebhookRecord } from '../../storage/kinds/webhooks.ts'

interface ShowParts {
  store: Pick<TenantReads, 'webhooks'>
  now: string
  services: { secrets: SecretBox }
}

/** Returns the webhooks as their managers see them: with the names of their headers and their health, without secrets. */
export async function showWebhooks(
  { store, now, services }: ShowParts,
  rows: readonly WebhookRecord[],
): Promise<Webhook[]> {
  const counts = await store.webhooks.counts(rows.map(({ _id }) => _id))
  const known = new Map(counts.map((count) => [count.webhookId, count]))
  return rows.map((row) => {
    const { previousSecretExpiresAt: endsAt = null, disabledReason = null, isActive } = row
    return {
      _id: row._id,
      tenantId: row.tenantId,
      name: row.name,
      url: row.url,
      events: row.events,
      isActive,
      headers: maskedHeaders(openWebhook(services.secrets, row).headers),
      retryPolicy: row.retryPolicy,
      health: webhookHealth({ isActive, disabledReason }, known.get(row._id) ?? noDeliveries),
      previousSecretExpiresAt: endsAt !== null && endsAt > now ? endsAt : null,
      createdAt: row.createdAt,
      updatedAt: row.updatedAt,
    }
  })
}

export async function showWebhook(parts: ShowParts, row: WebhookRecord): Promise<Webhook> {
  const [shown] = await showWebhooks(parts, [row])
  return shown as Webhook
}
