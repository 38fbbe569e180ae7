import { type getWebhook, notFound } from '@crmkit/core'
import type { Handler } from '../handler.ts'
import { showWebhook } from './show-webhook.ts'

export const handleGetWebhook: Handler<typeof getWebhook> = async (ctx, { params }) => {
  const row = await ctx.store.webhooks.find(params.id)
  if (row === undefined) throw notFound()
  return { reply: { success: true, data: await showWebhook(ctx, row) } }
}
