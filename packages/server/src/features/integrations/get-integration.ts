import { type getIntegration, notFound } from '@crmkit/core'
import { showWithProgress } from '../../imports/run/show-integration.ts'
import { withoutVersion } from '../../storage/records.ts'
import type { Handler } from '../handler.ts'

export const handleGetIntegration: Handler<typeof getIntegration> = async ({ store }, { params }) => {
  const row = await store.integrations.find(params.id)
  if (row === undefined) throw notFound()
  return { reply: { success: true, data: await showWithProgress(store, withoutVersion(row)) } }
}
