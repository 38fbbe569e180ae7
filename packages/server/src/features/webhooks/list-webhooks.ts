import type { listWebhooks } from '@crmkit/core'
import type { Handler } from '../../handler.ts'
import { pageTotals } from '../../shared/reply-page.ts'
import { shownWebhook } from './seal-webhook.ts'

export const handleListWebhooks: Handler<typeof listWebhooks> = async ({ store, services }, { query }) => {
  const page = await store.webhooks.list(query)
  const webhooks = page.rows.map((row) => shownWebhook(services.secrets, row))
  return { reply: { success: true, data: { webhooks, ...pageTotals(page, query) } } }
}
