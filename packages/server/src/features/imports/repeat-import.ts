import { invalidState, type retryImport, type undoImport } from '@crmkit/core'
import { undoKeepMs } from '../../imports/plan/page-plan.ts'
import { newRun } from '../../imports/run/new-run.ts'
import type { TenantReads } from '../../ports/storage.ts'
import type { ImportRunRecord } from '../../storage/kinds/import-runs.ts'
import type { Handler } from '../handler.ts'
import { assertCanImport, getIntegrationRow, getRun } from './find-run.ts'

export const handleRetryImport: Handler<typeof retryImport> = async (ctx, { params }) => {
  const { store, ids, tenantId, now } = ctx
  const integration = await getIntegrationRow(store, params.id)
  const before = await getRun(store, params)
  const repeatable = ['completed_with_errors', 'failed', 'cancelled']
  if (!repeatable.includes(before.status) || before.dryRun) {
    throw invalidState('There is nothing to repeat', before.status, repeatable)
  }
  assertCanImport(integration)
  const runId = ids.next('imp')
  const { selection, dateRange, checkpoint, modules } = before
  const run = newRun({
    id: runId,
    tenantId,
    now,
    integrationId: integration._id,
    trigger: 'retry',
    selection,
    dateRange,
    retryOf: before._id,
  })
  const { inboxes, packageFigures } = before
  const ofPackage = packageFigures && { ...(inboxes && { inboxes }), packageFigures }
  const isEnded = before.status === 'completed_with_errors'
  // Records of a package that are here are unchanged, so all of it is read again.
  const row: ImportRunRecord = ofPackage
    ? { ...run, ...ofPackage }
    : isEnded
      ? { ...run, checkpoint: { ...run.checkpoint, only: await failedRecords(store, before) } }
      : { ...run, checkpoint, modules: doneModules(modules) }
  const { _id: id, version: expectVersion } = integration
  const set = { syncStatus: 'queued' as const, activeRunId: runId, lastRunId: runId }
  return {
    change: {
      writes: [
        { op: 'insert', kind: 'importRuns', row },
        { op: 'update', kind: 'integrations', id, expectVersion, set },
      ],
      events: [],
    },
    audit: { action: 'import.started', target: { type: 'integration', _id: id } },
    reply: { success: true, message: 'Import started', data: { runId, status: run.status } },
  }
}

/** A run that goes on reads the rest; the modules that were complete stay so, without their figures. */
function doneModules(modules: ImportRunRecord['modules']): ImportRunRecord['modules'] {
  return Object.fromEntries(
    Object.entries(modules).flatMap(([module, counts]) =>
      counts.done
        ? [
            [
              module,
              {
                ...counts,
                read: 0,
                created: 0,
                updated: 0,
                unchanged: 0,
                merged: 0,
                skipped: 0,
                failed: 0,
                total: 0,
              },
            ],
          ]
        : [],
    ),
  )
}

const pageSize = 1_000

/** Returns the ids of the failed records by module; a row of a file without an id by its number. */
async function failedRecords(store: TenantReads, run: ImportRunRecord): Promise<Record<string, string[]>> {
  const failed: Record<string, string[]> = {}
  let cursor: string | undefined
  do {
    const page = await store.importIssues.listRows({
      runId: run._id,
      severity: 'error',
      page: 1,
      limit: pageSize,
      ...(cursor !== undefined && { cursor }),
    })
    for (const { module, externalId, row } of page.rows) {
      const id = row === null ? externalId : `row:${row}`
      if (id !== null) failed[module] = [...(failed[module] ?? []), id]
    }
    cursor = page.nextCursor ?? undefined
  } while (cursor !== undefined)
  return failed
}

export const handleUndoImport: Handler<typeof undoImport> = async ({ store, now }, { params }) => {
  const integration = await getIntegrationRow(store, params.id)
  const run = await getRun(store, params)
  const isOver = run.finishedAt !== null && Date.parse(now) - Date.parse(run.finishedAt) <= undoKeepMs
  const undoable = ['none', 'failed']
  if (run.dryRun || !undoable.includes(run.undo.status) || (run.finishedAt !== null && !isOver)) {
    throw invalidState('The import cannot be undone', run.undo.status, undoable)
  }
  assertNoOther(integration.activeRunId)
  const undo = { ...run.undo, status: 'running' as const, startedAt: now, finishedAt: null }
  const { _id: id, version: expectVersion } = integration
  const set = { syncStatus: 'running' as const, activeRunId: run._id }
  return {
    change: {
      writes: [
        { op: 'update', kind: 'importRuns', id: run._id, expectVersion: run.version, set: { undo } },
        { op: 'update', kind: 'integrations', id, expectVersion, set },
      ],
      events: [],
    },
    audit: { action: 'import.undone', target: { type: 'integration', _id: id } },
    reply: { success: true, data: { runId: run._id, undo } },
  }
}

function assertNoOther(activeRunId: string | null): void {
  assertCanImport({ isActive: true, reauthRequired: false, activeRunId })
}
