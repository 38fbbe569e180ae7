import { type deleteApiKey, notFound } from '@crmkit/core'
import { withdrawWebhooks } from '../../delivery/webhook-maker.ts'
import type { Handler } from '../handler.ts'

export const handleDeleteApiKey: Handler<typeof deleteApiKey> = async (ctx, { params: { id } }) => {
  if ((await ctx.store.apiKeys.find(id)) === undefined) throw notFound()
  const { writes, expectTenantVersion } = await withdrawWebhooks(ctx, { type: 'apiKey', _id: id }, [])
  return {
    change: { writes: [{ op: 'remove', kind: 'apiKeys', id }, ...writes], events: [], expectTenantVersion },
    audit: { action: 'apiKey.deleted', target: { type: 'apiKey', _id: id } },
    reply: { success: true, message: 'API key deleted' },
  }
}
