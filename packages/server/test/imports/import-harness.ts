import { createIdFactory, newIntegration, type StartImportBody, updatedImportSettings } from '@crmkit/core'
import { pino } from 'pino'
import { onTestFinished } from 'vitest'
import { openSqliteScratch } from '../../src/adapters/sqlite/sqlite-scratch.ts'
import { FairSlots } from '../../src/fairness/fair-slots.ts'
import { TenantQuotas } from '../../src/http/quotas/tenant-quotas.ts'
import { type NewRun, newRun } from '../../src/imports/run/new-run.ts'
import { runImport } from '../../src/imports/run/run-import.ts'
import type { RunParts } from '../../src/imports/run/run-parts.ts'
import { undoImport } from '../../src/imports/undo/undo-import.ts'
import type { SourceConnection } from '../../src/ports/connector.ts'
import { noMeters } from '../../src/ports/meters.ts'
import { WaitingCallers } from '../../src/shared/waiting-callers.ts'
import type { IntegrationRecord } from '../../src/storage/kinds/integrations.ts'
import type { TenantId } from '../../src/storage/records.ts'
import { noBytes } from '../support/no-bytes.ts'
import { openTestStorage } from '../support/test-world.ts'

const tenantId = 'ten_1' as TenantId
const everything = { page: 1, limit: 100 } as const

/** A database with one integration, and a worker that runs imports of a source in this process. */
export async function openImports(open: () => SourceConnection, set: Partial<IntegrationRecord> = {}) {
  const { storage, cleanup } = await openTestStorage()
  onTestFinished(cleanup)
  const ids = createIdFactory(Date.now)
  const store = storage.forTenant(tenantId)
  const now = new Date().toISOString()
  const source = {
    provider: 'zoho' as const,
    accountId: 'acc',
    accountName: null,
    accountEmail: null,
    apiDomain: null,
  }
  const integration: IntegrationRecord = {
    ...newIntegration({ id: 'int_1', tenantId, now, source }),
    accountsServer: null,
    sealed: null,
    activeRunId: null,
    syncedUntil: null,
    deletedReadAt: null,
    failedSyncs: 0,
    ...set,
  }
  await store.commit({ writes: [{ op: 'insert', kind: 'integrations', row: integration }], events: [] })
  const clock = { nowMs: Date.now, monotonicMs: () => performance.now() } as RunParts['clock']
  const log = pino({ level: 'silent' })
  const parts: RunParts = {
    storage,
    openSource: open,
    openScratch: openSqliteScratch,
    attachments: noBytes,
    quotas: new TenantQuotas(storage, noMeters),
    clock,
    ids,
    log,
    callers: new WaitingCallers(),
    pages: new FairSlots(2),
  }

  async function start(given: Partial<NewRun> = {}, choices: StartImportBody = {}): Promise<string> {
    const id = ids.next('imp')
    const { dateRange: _, dryRun: __, ...settings } = choices
    const row = newRun({
      id,
      tenantId,
      now: new Date().toISOString(),
      integrationId: 'int_1',
      trigger: 'manual',
      selection: updatedImportSettings(integration.importSettings, settings),
      ...given,
    })
    await store.commit({ writes: [{ op: 'insert', kind: 'importRuns', row }], events: [] })
    return id
  }

  const work = (runId: string, signal: AbortSignal = new AbortController().signal) =>
    runImport(parts, { tenantId, runId }, signal)

  return {
    storage,
    store,
    parts,
    start,
    work,
    /** Undoes a run to its end, and returns it. */
    async undo(id: string) {
      const before = await store.importRuns.find(id)
      if (!before) throw new Error('there is no such run')
      const undo = { ...before.undo, status: 'running' as const, startedAt: new Date().toISOString() }
      const expectVersion = before.version
      await store.commit({
        writes: [{ op: 'update', kind: 'importRuns', id, expectVersion, set: { undo } }],
        events: [],
      })
      await undoImport(parts, { tenantId, runId: id }, new AbortController().signal)
      const after = await store.importRuns.find(id)
      if (!after) throw new Error('there is no such run')
      return after
    },
    runOf: async (id: string) => {
      const run = await store.importRuns.find(id)
      if (!run) throw new Error('there is no such run')
      return run
    },
    /** Runs an import to its end, and returns it. */
    async importAll(given: Partial<NewRun> = {}, choices: StartImportBody = {}) {
      const id = await start(given, choices)
      await work(id)
      const run = await store.importRuns.find(id)
      if (!run) throw new Error('there is no such run')
      return run
    },
    customers: async () => (await store.customers.list({ ...everything, sort: 'createdAt' })).rows,
    conversations: async () => (await store.conversations.list({ ...everything, sort: 'createdAt' })).rows,
    calls: async () => (await store.calls.list({ ...everything, sort: 'createdAt' })).rows,
    messagesOf: async (conversationId: string) =>
      (await store.messages.list({ conversationId, ...everything, sort: 'createdAt' })).rows,
    issuesOf: async (runId: string) => (await store.importIssues.list({ runId, ...everything })).rows,
  }
}
export type Imports = Awaited<ReturnType<typeof openImports>>
