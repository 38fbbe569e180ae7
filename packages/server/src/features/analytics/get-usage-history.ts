import { type getUsageHistory, monthOf, monthsUntil } from '@crmkit/core'
import { requestsBy, requestsOf } from '../../shared/monthly-usage.ts'
import type { Handler } from '../handler.ts'

export const handleGetUsageHistory: Handler<typeof getUsageHistory> = async ({ store, now }, { query }) => {
  const data = []
  // One month after the other: together they could be thousands of rows.
  for (const month of monthsUntil(monthOf(now), query.months)) {
    const rows = await store.usage.list({ month, apiKeyId: null })
    data.push({ month, totalRequests: requestsOf(rows), requestsByEndpoint: requestsBy('path', rows) })
  }
  return { reply: { success: true, data } }
}
