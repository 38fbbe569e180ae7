import { type getUsageHistory, monthOf, monthsUntil } from '@crmkit/core'
import { byPlan, requestsBy, requestsOf } from '../../shared/monthly-usage.ts'
import type { Handler } from '../handler.ts'

export const handleGetUsageHistory: Handler<typeof getUsageHistory> = async ({ store, now }, { query }) => {
  const data = []
  // One month after the other: together they could be thousands of rows.
  for (const month of monthsUntil(monthOf(now), query.months)) {
    const rows = await store.usage.list({ month, apiKeyId: null })
    const { inPlan, requestsOutsidePlan } = byPlan(rows)
    const requestsByEndpoint = requestsBy('path', inPlan)
    data.push({ month, totalRequests: requestsOf(inPlan), requestsOutsidePlan, requestsByEndpoint })
  }
  return { reply: { success: true, data } }
}
