import type { IdFactory } from '@crmkit/core'
import type { Log } from '../../ports/log.ts'
import type { Storage } from '../../ports/storage.ts'
import type { RowOfTenant } from '../../ports/system-store.ts'
import { StorageUnavailable, UniqueConflict, VersionConflict } from '../../storage/errors.ts'
import { newRun } from './new-run.ts'
import { nextSyncAt } from './run-ends.ts'

const pageSize = 50
const minuteMs = 60_000

interface SyncParts {
  storage: Pick<Storage, 'system' | 'forTenant'>
  ids: IdFactory
  log: Log
}

/**
 * Starts the automatic syncs that are due. The version of the integration lets one of several processes start each. One that
 * cannot be started keeps no other from its start.
 */
export async function startDueSyncs(parts: SyncParts, now: string): Promise<void> {
  for (const due of await parts.storage.system.across.dueSyncs.due(now, pageSize)) {
    try {
      await startSync(parts, due, now)
    } catch (error) {
      if (error instanceof StorageUnavailable) throw error
      if (error instanceof VersionConflict || error instanceof UniqueConflict) continue
      parts.log.error({ err: error, integrationId: due.row._id }, 'An automatic sync cannot be started')
    }
  }
}

async function startSync(
  { storage, ids }: SyncParts,
  { tenantId, row: integration }: RowOfTenant<'integrations'>,
  now: string,
) {
  const { _id: id, version: expectVersion, autoSync, activeRunId, importSettings, syncedUntil } = integration
  const store = storage.forTenant(tenantId)
  const intervalMs = autoSync.intervalMinutes * minuteMs
  const next = { ...autoSync, nextRunAt: nextSyncAt(now, intervalMs) }
  const tenant = await storage.system.findTenant(tenantId)
  if (activeRunId !== null || tenant === undefined || tenant.isSuspended) {
    const wait = { op: 'update', kind: 'integrations', id, expectVersion, set: { autoSync: next } } as const
    await store.commit({ writes: [wait], events: [] })
    return
  }
  const runId = ids.next('imp')
  const run = newRun({
    id: runId,
    tenantId,
    now,
    integrationId: id,
    trigger: 'auto',
    selection: importSettings,
    since: syncedUntil,
  })
  const set = { autoSync: next, activeRunId: runId, lastRunId: runId, syncStatus: 'queued' as const }
  await store.commit({
    writes: [
      { op: 'insert', kind: 'importRuns', row: run },
      { op: 'update', kind: 'integrations', id, expectVersion, set },
    ],
    events: [],
  })
}
