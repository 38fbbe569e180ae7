import { type deleteApiKey, notFound } from '@crmkit/core'
import type { Handler } from '../handler.ts'

export const handleDeleteApiKey: Handler<typeof deleteApiKey> = async ({ store }, { params: { id } }) => {
  if ((await store.apiKeys.find(id)) === undefined) throw notFound()
  return {
    change: { writes: [{ op: 'remove', kind: 'apiKeys', id }], events: [] },
    audit: { action: 'apiKey.deleted', target: { type: 'apiKey', _id: id } },
    reply: { success: true, message: 'API key deleted' },
  }
}
