import { type deleteApiKey, notFound } from '@crmkit/core'
import { withdrawWebhooks } from '../../delivery/webhooks/webhook-maker.ts'
import { removalOf } from '../../shared/removal-of.ts'
import type { Handler } from '../handler.ts'

export const handleDeleteApiKey: Handler<typeof deleteApiKey> = async (ctx, { params: { id } }) => {
  const key = await ctx.store.apiKeys.find(id)
  if (key === undefined) throw notFound()
  const { writes, expectTenantVersion } = await withdrawWebhooks(ctx, { type: 'apiKey', _id: id }, [])
  return {
    change: { writes: [removalOf('apiKeys', key), ...writes], events: [], expectTenantVersion },
    audit: { action: 'apiKey.deleted', target: { type: 'apiKey', _id: id } },
    reply: { success: true, message: 'API key deleted' },
  }
}
