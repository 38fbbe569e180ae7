import { type listDeliveryLogs, notFound } from '@crmkit/core'
import type { Handler } from '../../handler.ts'
import { pageTotals } from '../../shared/reply-page.ts'

export const handleListDeliveryLogs: Handler<typeof listDeliveryLogs> = async (
  { store },
  { params: { id }, query },
) => {
  if ((await store.webhooks.find(id)) === undefined) throw notFound()
  const page = await store.attempts.list({ webhookId: id, ...query })
  return { reply: { success: true, data: { logs: page.rows, ...pageTotals(page, query) } } }
}
