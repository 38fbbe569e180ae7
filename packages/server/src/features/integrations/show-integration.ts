import type { Integration } from '@crmkit/core'
import type { IntegrationRecord } from '../../storage/kinds/integrations.ts'

/** Returns the integration as its tenant sees it: without credentials and without the state of its syncs. */
export function showIntegration(row: IntegrationRecord): Integration {
  const { accountsServer, sealed, activeRunId, syncedUntil, deletedReadAt, failedSyncs, ...integration } = row
  return integration
}
