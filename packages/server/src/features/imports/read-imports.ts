import type { getImport, getImportStatus, listImportErrors, listImports } from '@crmkit/core'
import { progressOf } from '../../imports/run/run-state.ts'
import { pageReply } from '../../shared/reply-page.ts'
import type { Handler } from '../handler.ts'
import { getIntegrationRow, getRun, showIssue, showRun } from './find-run.ts'

export const handleGetImportStatus: Handler<typeof getImportStatus> = async ({ store }, { params }) => {
  const { syncStatus, lastSyncAt, lastRunId, syncProgress } = await getIntegrationRow(store, params.id)
  const run = lastRunId === undefined ? undefined : await store.importRuns.find(lastRunId)
  const progress = run ? progressOf(run) : syncProgress
  return {
    reply: {
      success: true,
      data: { syncStatus, syncProgress: progress, lastSyncAt, run: run ? showRun(run) : null },
    },
  }
}

export const handleListImports: Handler<typeof listImports> = async ({ store }, { params, query }) => {
  // The page comes first: an invalid cursor is reported before an unknown integration.
  const page = await store.importRuns.list({ ...query, integrationId: params.id })
  await getIntegrationRow(store, params.id)
  return {
    reply: pageReply({ ...page, rows: page.rows.map((run) => showRun(run, { hasColumns: false })) }, query),
  }
}

export const handleGetImport: Handler<typeof getImport> = async ({ store }, { params }) => {
  return { reply: { success: true, data: showRun(await getRun(store, params)) } }
}

export const handleListImportErrors: Handler<typeof listImportErrors> = async (
  { store },
  { params, query },
) => {
  // The page comes first: an invalid cursor is reported before an unknown run.
  const page = await store.importIssues.list({ ...query, runId: params.runId })
  await getRun(store, params)
  return { reply: pageReply({ ...page, rows: page.rows.map(showIssue) }, query) }
}
