import { type getWebhook, type listWebhooks, notFound } from '@crmkit/core'
import { pageTotals } from '../../shared/reply-page.ts'
import type { Handler } from '../handler.ts'
import { showWebhook, showWebhooks } from './show-webhook.ts'

export const handleGetWebhook: Handler<typeof getWebhook> = async (ctx, { params }) => {
  const row = await ctx.store.webhooks.find(params.id)
  if (row === undefined) throw notFound()
  return { reply: { success: true, data: await showWebhook(ctx, row) } }
}

export const handleListWebhooks: Handler<typeof listWebhooks> = async (ctx, { query }) => {
  const page = await ctx.store.webhooks.list(query)
  const webhooks = await showWebhooks(ctx, page.rows)
  return { reply: { success: true, data: { webhooks, ...pageTotals(page, query) } } }
}
