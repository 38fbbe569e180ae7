import { type getApiKeyUsage, monthOf, monthsBetween, notFound, validationFailure } from '@crmkit/core'
import type { Handler } from '../handler.ts'

const monthsBackMax = 24

export const handleGetApiKeyUsage: Handler<typeof getApiKeyUsage> = async (
  { store, now },
  { params: { id }, query },
) => {
  const month = query.month ?? monthOf(now)
  if (monthsBetween(month, monthOf(now)) > monthsBackMax) {
    const message = `must be at most ${monthsBackMax} months back`
    throw validationFailure([{ field: 'month', message, rule: 'min', in: 'query' }])
  }
  if ((await store.apiKeys.find(id)) === undefined) throw notFound()
  const rows = await store.usage.list({ month, apiKeyId: id })
  const counts = (of: 'path' | 'method') => {
    const sums = new Map<string, number>()
    for (const row of rows) sums.set(row[of], (sums.get(row[of]) ?? 0) + row.requests)
    return Object.fromEntries([...sums].sort(([a], [b]) => (a < b ? -1 : 1)))
  }
  const totalRequests = rows.reduce((sum, { requests }) => sum + requests, 0)
  const data = {
    month,
    totalRequests,
    requestsByEndpoint: counts('path'),
    requestsByMethod: counts('method'),
  }
  return { reply: { success: true, data } }
}
