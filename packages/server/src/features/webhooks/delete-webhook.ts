import { type deleteWebhook, notFound } from '@crmkit/core'
import type { Handler } from '../handler.ts'

export const handleDeleteWebhook: Handler<typeof deleteWebhook> = async ({ store }, { params: { id } }) => {
  if ((await store.webhooks.find(id)) === undefined) throw notFound()
  return {
    change: { writes: [{ op: 'remove', kind: 'webhooks', id }], events: [] },
    audit: { action: 'webhook.deleted', target: { type: 'webhook', _id: id } },
    reply: { success: true, message: 'Webhook deleted' },
  }
}
