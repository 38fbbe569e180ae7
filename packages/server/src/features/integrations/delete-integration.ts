import { type deleteIntegration, notFound } from '@crmkit/core'
import type { Handler } from '../handler.ts'

export const handleDeleteIntegration: Handler<typeof deleteIntegration> = async ({ store }, { params }) => {
  const row = await store.integrations.find(params.id)
  if (row === undefined) throw notFound()
  return {
    change: { writes: [{ op: 'remove', kind: 'integrations', id: row._id }], events: [] },
    audit: { action: 'integration.deleted', target: { type: 'integration', _id: row._id } },
    reply: { success: true, message: 'Integration disconnected' },
  }
}
