import { type getApiKey, type listApiKeys, notFound, shownApiKey } from '@crmkit/core'
import { pageTotals } from '../../shared/reply-page.ts'
import type { Handler } from '../handler.ts'

export const handleListApiKeys: Handler<typeof listApiKeys> = async ({ store, now }, { query }) => {
  const page = await store.apiKeys.list(query)
  const keys = page.rows.map((row) => shownApiKey(row, now))
  return { reply: { success: true, data: { keys, ...pageTotals(page, query) } } }
}

export const handleGetApiKey: Handler<typeof getApiKey> = async ({ store, now }, { params }) => {
  const apiKey = await store.apiKeys.find(params.id)
  if (apiKey === undefined) throw notFound()
  return { reply: { success: true, data: shownApiKey(apiKey, now) } }
}
