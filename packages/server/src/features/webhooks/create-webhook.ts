import {
  conflict,
  type createWebhook,
  newWebhook,
  newWebhookSecret,
  noDeliveries,
  webhookHealth,
  webhooksPerTenantMax,
} from '@crmkit/core'
import { sealWebhook } from '../../delivery/seal-webhook.ts'
import type { Handler } from '../handler.ts'
import { assertWebhook } from './assert-webhook.ts'

export const handleCreateWebhook: Handler<typeof createWebhook> = async (ctx, { body }) => {
  const { tenantId, store, ids, now, services } = ctx
  assertWebhook(services.checkDestination, body)
  // Read before the count: of many creations at once, each is checked against a count that is still correct.
  const expectTenantVersion = await store.version()
  if ((await store.webhooks.count()) >= webhooksPerTenantMax) {
    throw conflict(`A tenant has at most ${webhooksPerTenantMax} webhooks`)
  }
  const webhook = newWebhook(body, { id: ids.next('whk'), tenantId, now })
  const secret = newWebhookSecret()
  const health = webhookHealth({ isActive: true, disabledReason: null }, noDeliveries)
  return {
    change: {
      writes: [{ op: 'insert', kind: 'webhooks', row: sealWebhook(services.secrets, webhook, secret) }],
      events: [],
      expectTenantVersion,
    },
    audit: { action: 'webhook.created', target: { type: 'webhook', _id: webhook._id } },
    reply: { success: true, data: { ...webhook, health, previousSecretExpiresAt: null, secret } },
  }
}
