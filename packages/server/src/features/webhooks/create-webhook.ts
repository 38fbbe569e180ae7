import {
  conflict,
  type createWebhook,
  maskedHeaders,
  newWebhook,
  newWebhookSecret,
  noDeliveries,
  webhookHealth,
  webhooksPerTenantMax,
} from '@crmkit/core'
import { sealWebhook } from '../../delivery/webhooks/seal-webhook.ts'
import { assertMayReceive, makerOf } from '../../delivery/webhooks/webhook-maker.ts'
import type { Handler } from '../handler.ts'
import { assertWebhook } from './assert-webhook.ts'

export const handleCreateWebhook: Handler<typeof createWebhook> = async (ctx, { body }) => {
  const { tenantId, store, ids, now, services } = ctx
  assertWebhook(services.checkDestination, { ...body, isNew: true })
  // Read before the count and the permissions: neither changes before the commit.
  const expectTenantVersion = await store.version()
  if ((await store.webhooks.count()) >= webhooksPerTenantMax) {
    throw conflict(`A tenant has at most ${webhooksPerTenantMax} webhooks`)
  }
  await assertMayReceive(ctx, body.events)
  const webhook = newWebhook(body, { id: ids.next('whk'), tenantId, now })
  const secret = newWebhookSecret()
  const row = { ...sealWebhook(services.secrets, webhook, secret), maker: makerOf(ctx.actor) }
  const headers = maskedHeaders(webhook.headers)
  const health = webhookHealth({ isActive: true, disabledReason: null }, noDeliveries)
  return {
    change: {
      writes: [{ op: 'insert', kind: 'webhooks', row }],
      events: [],
      expectTenantVersion,
    },
    audit: { action: 'webhook.created', target: { type: 'webhook', _id: webhook._id } },
    reply: { success: true, data: { ...webhook, headers, health, previousSecretExpiresAt: null, secret } },
  }
}
