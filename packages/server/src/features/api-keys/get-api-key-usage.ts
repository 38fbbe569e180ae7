import { type getApiKeyUsage, notFound } from '@crmkit/core'
import { requestsBy, requestsOf, storedMonth } from '../../shared/monthly-usage.ts'
import type { Handler } from '../handler.ts'

export const handleGetApiKeyUsage: Handler<typeof getApiKeyUsage> = async (
  { store, now },
  { params: { id }, query },
) => {
  const month = storedMonth(query.month, now)
  if ((await store.apiKeys.find(id)) === undefined) throw notFound()
  const rows = await store.usage.list({ month, apiKeyId: id })
  const data = {
    month,
    totalRequests: requestsOf(rows),
    requestsByEndpoint: requestsBy('path', rows),
    requestsByMethod: requestsBy('method', rows),
  }
  return { reply: { success: true, data } }
}
