import { type listDeliveryLogs, notFound } from '@crmkit/core'
import { pageTotals } from '../../shared/reply-page.ts'
import type { Handler } from '../handler.ts'

export const handleListDeliveryLogs: Handler<typeof listDeliveryLogs> = async (
  { store },
  { params: { id }, query },
) => {
  // The page comes first: an invalid cursor is reported before an unknown webhook.
  const page = await store.attempts.list({ webhookId: id, ...query })
  if ((await store.webhooks.find(id)) === undefined) throw notFound()
  return { reply: { success: true, data: { logs: page.rows, ...pageTotals(page, query) } } }
}
