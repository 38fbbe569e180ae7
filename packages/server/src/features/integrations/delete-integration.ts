import { type deleteIntegration, notFound } from '@crmkit/core'
import { cancelRun } from '../../imports/run/cancel-run.ts'
import { removedFiles } from '../../imports/run/remove-files.ts'
import type { Write } from '../../ports/change.ts'
import { removalOf } from '../../shared/removal-of.ts'
import type { Handler } from '../handler.ts'
import { revokeGrant } from './revoke-grant.ts'

export const handleDeleteIntegration: Handler<typeof deleteIntegration> = async (
  { store, now, services },
  { params },
) => {
  const row = await store.integrations.find(params.id)
  if (row === undefined) throw notFound()
  await revokeGrant(services, row)
  const cancelled = await cancelRun(store, row, now)
  const writes: Write[] = [
    removalOf('integrations', row),
    ...(cancelled ? [cancelled.write] : []),
    ...(await removedFiles(store, { integrationId: row._id, now })),
  ]
  return {
    change: { writes, events: [] },
    audit: { action: 'integration.deleted', target: { type: 'integration', _id: row._id } },
    reply: { success: true, message: 'Integration disconnected' },
  }
}
