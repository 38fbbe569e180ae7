import type { Write } from '../../ports/change.ts'
import type { TenantReads } from '../../ports/storage.ts'
import { activeRunStatuses } from '../../storage/kinds/import-runs.ts'
import type { IntegrationRecord } from '../../storage/kinds/integrations.ts'
import { withoutVersion } from '../../storage/records.ts'
import { cancelled } from './run-ends.ts'

/** Returns the write that cancels the active run of an integration, and the fields of the integration that follow. */
export async function cancelRun(
  store: Pick<TenantReads, 'importRuns'>,
  integration: IntegrationRecord,
  now: string,
): Promise<{ runId: string; write: Write; set: Partial<IntegrationRecord> } | undefined> {
  if (integration.activeRunId === null) return undefined
  const run = await store.importRuns.find(integration.activeRunId)
  if (!run || !activeRunStatuses.includes(run.status)) return undefined
  const ended = cancelled({ run: withoutVersion(run), integration, now })
  const { _id: id, version: expectVersion } = run
  const write: Write = { op: 'update', kind: 'importRuns', id, expectVersion, set: ended.run }
  return { runId: id, write, set: ended.integration }
}
