import type { getUsage, MonthlyUsage } from '@crmkit/core'
import { byPlan, requestsBy, requestsOf, storedMonth } from '../../shared/monthly-usage.ts'
import { apiCallsLimit, limitOf, unlimited } from '../../storage/kinds/quotas.ts'
import type { Handler } from '../handler.ts'
import { percentOf } from './percent.ts'

function overageOf(requests: number, limit: number): MonthlyUsage['overage'] {
  if (limit === unlimited || requests <= limit) return { requests: 0, percentage: 0 }
  const beyond = requests - limit
  return { requests: beyond, percentage: percentOf(beyond, limit) }
}

export const handleGetUsage: Handler<typeof getUsage> = async (ctx, { query }) => {
  const month = storedMonth(query.month, ctx.now)
  const rows = await ctx.store.usage.list({ month, apiKeyId: null })
  const { inPlan, requestsOutsidePlan } = byPlan(rows)
  const totalRequests = requestsOf(inPlan)
  const apiCalls = limitOf(apiCallsLimit, ctx.tenantLimits)
  const data = {
    month,
    usage: {
      totalRequests,
      requestsOutsidePlan,
      requestsByEndpoint: requestsBy('path', inPlan),
      requestsByMethod: requestsBy('method', inPlan),
    },
    limits: { apiCalls, isUnlimited: apiCalls === unlimited },
    overage: overageOf(totalRequests, apiCalls),
  }
  return { reply: { success: true, data } }
}
