import { type deleteWebhook, notFound } from '@crmkit/core'
import { removalOf } from '../../shared/removal-of.ts'
import type { Handler } from '../handler.ts'

export const handleDeleteWebhook: Handler<typeof deleteWebhook> = async ({ store }, { params: { id } }) => {
  const webhook = await store.webhooks.find(id)
  if (webhook === undefined) throw notFound()
  return {
    change: { writes: [removalOf('webhooks', webhook)], events: [] },
    audit: { action: 'webhook.deleted', target: { type: 'webhook', _id: id } },
    reply: { success: true, message: 'Webhook deleted' },
  }
}
