import { type cancelImport, invalidState } from '@crmkit/core'
import { cancelRun } from '../../imports/run/cancel-run.ts'
import type { Handler } from '../handler.ts'
import { getIntegrationRow } from './find-run.ts'

export const handleCancelImport: Handler<typeof cancelImport> = async ({ store, now }, { params }) => {
  const integration = await getIntegrationRow(store, params.id)
  const cancelled = await cancelRun(store, integration, now)
  if (cancelled === undefined) {
    throw invalidState('No import is in progress', integration.syncStatus, ['queued', 'running', 'paused'])
  }
  const { _id: id, version: expectVersion } = integration
  const { runId, write, set } = cancelled
  return {
    change: { writes: [write, { op: 'update', kind: 'integrations', id, expectVersion, set }], events: [] },
    audit: { action: 'import.cancelled', target: { type: 'integration', _id: id } },
    reply: { success: true, message: 'Import cancelled', data: { runId, status: 'cancelled' } },
  }
}
