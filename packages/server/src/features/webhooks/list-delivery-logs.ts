import { type listDeliveryLogs, notFound } from '@crmkit/core'
import { pageTotals } from '../../shared/reply-page.ts'
import type { Handler } from '../handler.ts'

export const handleListDeliveryLogs: Handler<typeof listDeliveryLogs> = async (
  { store },
  { params: { id }, query },
) => {
  // First the page: a cursor that is made up is told before a webhook that is unknown.
  const page = await store.attempts.list({ webhookId: id, ...query })
  if ((await store.webhooks.find(id)) === undefined) throw notFound()
  return { reply: { success: true, data: { logs: page.rows, ...pageTotals(page, query) } } }
}
