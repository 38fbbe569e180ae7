import { type getApiKey, type listApiKeys, notFound } from '@crmkit/core'
import type { Handler } from '../../handler.ts'
import { pageTotals } from '../../shared/reply-page.ts'

export const handleListApiKeys: Handler<typeof listApiKeys> = async ({ store }, { query }) => {
  const page = await store.apiKeys.list(query)
  return { reply: { success: true, data: { keys: page.rows, ...pageTotals(page, query) } } }
}

export const handleGetApiKey: Handler<typeof getApiKey> = async ({ store }, { params }) => {
  const apiKey = await store.apiKeys.find(params.id)
  if (apiKey === undefined) throw notFound()
  return { reply: { success: true, data: apiKey } }
}
