import { type getIntegration, integrationsPerTenantMax, type listIntegrations, notFound } from '@crmkit/core'
import { showWithProgress } from '../../imports/run/show-integration.ts'
import { withoutVersion } from '../../storage/records.ts'
import type { Handler } from '../handler.ts'

export const handleGetIntegration: Handler<typeof getIntegration> = async ({ store }, { params }) => {
  const row = await store.integrations.find(params.id)
  if (row === undefined) throw notFound()
  return { reply: { success: true, data: await showWithProgress(store, withoutVersion(row)) } }
}

/** More than a tenant can have, so one page holds all. */
const pageSize = 2 * integrationsPerTenantMax

export const handleListIntegrations: Handler<typeof listIntegrations> = async ({ store }) => {
  const { rows } = await store.integrations.listRows({ page: 1, limit: pageSize })
  return {
    reply: {
      success: true,
      data: await Promise.all(rows.map((row) => showWithProgress(store, withoutVersion(row)))),
    },
  }
}
