import type { listWebhooks } from '@crmkit/core'
import { pageTotals } from '../../shared/reply-page.ts'
import type { Handler } from '../handler.ts'
import { showWebhooks } from './show-webhook.ts'

export const handleListWebhooks: Handler<typeof listWebhooks> = async (ctx, { query }) => {
  const page = await ctx.store.webhooks.list(query)
  const webhooks = await showWebhooks(ctx, page.rows)
  return { reply: { success: true, data: { webhooks, ...pageTotals(page, query) } } }
}
