import { type getWebhook, notFound } from '@crmkit/core'
import type { Handler } from '../../handler.ts'
import { shownWebhook } from './seal-webhook.ts'

export const handleGetWebhook: Handler<typeof getWebhook> = async ({ store, services }, { params }) => {
  const row = await store.webhooks.find(params.id)
  if (row === undefined) throw notFound()
  return { reply: { success: true, data: shownWebhook(services.secrets, row) } }
}
