import type { Integration } from '@crmkit/core'
import type { TenantReads } from '../../ports/storage.ts'
import type { IntegrationRecord } from '../../storage/kinds/integrations.ts'
import { progressOf } from './run-state.ts'

/** Returns the integration as its tenant sees it: without credentials and without the state of its syncs. */
export function showIntegration(row: IntegrationRecord): Integration {
  const {
    accountsServer,
    sealed,
    activeRunId,
    lastRunId,
    syncedUntil,
    deletedReadAt,
    deletedReadUntil,
    failedSyncs,
    // Rows of earlier versions have none of these.
    values = {},
    dateOrders = {},
    handover = null,
    ...integration
  } = row
  return { ...integration, values, dateOrders, handover }
}

/** Returns the integration with the progress of its active run. */
export async function showWithProgress(
  { importRuns }: Pick<TenantReads, 'importRuns'>,
  row: IntegrationRecord,
): Promise<Integration> {
  const shown = showIntegration(row)
  const run = row.activeRunId === null ? undefined : await importRuns.find(row.activeRunId)
  return run && !run.dryRun ? { ...shown, syncProgress: progressOf(run) } : shown
}
