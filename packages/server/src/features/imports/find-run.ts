import { Failure, type ImportIssue, type ImportRun, notFound } from '@crmkit/core'
import { showBalance } from '../../imports/run/balance.ts'
import type { TenantReads } from '../../ports/storage.ts'
import type { ImportIssueRecord } from '../../storage/kinds/import-issues.ts'
import type { ImportRunRecord } from '../../storage/kinds/import-runs.ts'
import type { IntegrationRecord } from '../../storage/kinds/integrations.ts'
import type { Stored } from '../../storage/records.ts'

/** Throws NOT_FOUND for an integration that does not exist. */
export async function getIntegrationRow(
  { integrations }: Pick<TenantReads, 'integrations'>,
  id: string,
): Promise<Stored<IntegrationRecord>> {
  const row = await integrations.find(id)
  if (row === undefined) throw notFound()
  return row
}

/** Throws NOT_FOUND for a run that does not exist, or that is one of another integration. */
export async function getRun(
  { importRuns }: Pick<TenantReads, 'importRuns'>,
  { id, runId }: { id: string; runId: string },
): Promise<Stored<ImportRunRecord>> {
  const run = await importRuns.find(runId)
  if (run?.integrationId !== id) throw notFound()
  return run
}

/** Returns a run as its tenant sees it: without its position at the source, and in a list without the columns of its files. */
export function showRun(run: ImportRunRecord, { hasColumns = true } = {}): ImportRun {
  const { tenantId: _, errors, issueCount, checkpoint, updatedAt, undoModule, ...rest } = run
  const { takesUp, takeUpAt, expiresAt, inboxes, here, packageFigures, ...shown } = rest
  return { ...shown, balance: showBalance(run, { hasColumns }) }
}

/** Returns an error as its tenant sees it. A row of an earlier version names no column. */
export function showIssue(row: ImportIssueRecord): ImportIssue {
  const { _id, runId, severity, module, externalId, row: number, code, message, createdAt } = row
  const { column = null, value = null, count = 1, details = null } = row
  const about = { module, externalId, row: number, code, message, column, value, count, details }
  return { _id, runId, severity, ...about, createdAt }
}

/** Throws when the integration cannot start an import now. */
export function assertCanImport(
  integration: Pick<IntegrationRecord, 'isActive' | 'reauthRequired' | 'activeRunId'>,
): void {
  const { isActive, reauthRequired, activeRunId } = integration
  if (!isActive) throw new Failure('INTEGRATION_INACTIVE', 'The integration is switched off')
  if (reauthRequired) throw new Failure('REAUTH_REQUIRED', 'The source has to be connected again')
  assertIdle({ activeRunId })
}

/** Throws while an import runs. */
export function assertIdle({ activeRunId }: Pick<IntegrationRecord, 'activeRunId'>): void {
  if (activeRunId === null) return
  const details = { runId: activeRunId }
  throw new Failure('IMPORT_IN_PROGRESS', 'An import of this integration is in progress', { details })
}
