import { conflict, type createIntegration, integrationsPerTenantMax, newIntegration } from '@crmkit/core'
import { showIntegration } from '../../imports/show-integration.ts'
import type { IntegrationRecord } from '../../storage/kinds/integrations.ts'
import type { Handler } from '../handler.ts'

export const handleCreateIntegration: Handler<typeof createIntegration> = async (ctx, { body }) => {
  const { store, ids, tenantId, now } = ctx
  // Read before the count, which then cannot change before the commit.
  const expectTenantVersion = await store.version()
  const { rows } = await store.integrations.list({ page: 1, limit: integrationsPerTenantMax })
  if (rows.length >= integrationsPerTenantMax) {
    throw conflict(`A tenant has at most ${integrationsPerTenantMax} integrations`)
  }
  const id = ids.next('int')
  const { name, importSettings } = body
  const source = {
    provider: body.provider,
    accountId: id,
    accountName: null,
    accountEmail: null,
    apiDomain: null,
  }
  const row: IntegrationRecord = {
    ...newIntegration({ id, tenantId, now, source, name, importSettings }),
    accountsServer: null,
    sealed: null,
    activeRunId: null,
    syncedUntil: null,
    deletedReadAt: null,
    failedSyncs: 0,
  }
  return {
    change: { writes: [{ op: 'insert', kind: 'integrations', row }], events: [], expectTenantVersion },
    audit: { action: 'integration.created', target: { type: 'integration', _id: id } },
    reply: { success: true, data: showIntegration(row) },
  }
}
