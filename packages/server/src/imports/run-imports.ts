import { randomUUID } from 'node:crypto'
import { type BackgroundJob, type JobDeclaration, pollEveryMs } from '../jobs/background-job.ts'
import { isoTime } from '../shared/clock.ts'
import { StorageUnavailable } from '../storage/errors.ts'
import { activeRunStatuses } from '../storage/kinds/import-runs.ts'
import type { TenantId } from '../storage/records.ts'
import { runImport } from './run-import.ts'
import type { RunParts } from './run-parts.ts'
import { startDueSyncs } from './start-sync.ts'
import { undoImport } from './undo-import.ts'

/** Another process takes a run up when its holder has not renewed the lease for so long. */
const leaseMs = 60_000
const renewEveryMs = 20_000
/** How soon a run notices that it was cancelled by another process. */
const watchEveryMs = 500
const runsAtOnceMax = 4
/** How many due runs are read at first; more when every one of them has to wait. */
const duePage = 50

interface RunImportsParts extends RunParts {
  storage: RunParts['storage'] & { readonly eventPositions: 'with-commit' | 'after-commit' }
}

interface ActiveRun {
  controller: AbortController
  ended: Promise<void>
}

/** Starts due syncs, and works on the runs of imports and on undos that are due, several at once. */
function createRunImports(parts: RunImportsParts): BackgroundJob {
  const { storage, clock, log } = parts
  const active = new Map<string, ActiveRun>()
  const holder = randomUUID()
  let isStopped = false

  /** An embedded database has one process: it owns every run of its database. */
  const isShared = storage.eventPositions === 'after-commit'
  async function takeLease(runId: string): Promise<boolean> {
    if (!isShared) return true
    const now = isoTime(clock.nowMs())
    return storage.system.takeLease({ name: `import:${runId}`, holder, now, leaseMs })
  }

  /** Aborts the work when the run is over, or when its lease has gone to another process. */
  function watch(tenantId: TenantId, runId: string, controller: AbortController): () => void {
    let renewedAtMs = clock.nowMs()
    const check = async () => {
      const run = await storage.forTenant(tenantId).importRuns.find(runId)
      const isOver = !run || !(activeRunStatuses.includes(run.status) || run.undo.status === 'running')
      if (isOver || !(await isServed(parts, tenantId))) controller.abort()
      if (clock.nowMs() - renewedAtMs < renewEveryMs) return
      renewedAtMs = clock.nowMs()
      if (!(await takeLease(runId))) controller.abort()
    }
    const timer = setInterval(() => void check().catch(() => {}), watchEveryMs)
    return () => clearInterval(timer)
  }

  async function work(tenantId: TenantId, runId: string, controller: AbortController): Promise<void> {
    const unwatch = watch(tenantId, runId, controller)
    const ref = { tenantId, runId }
    try {
      await runImport(parts, ref, controller.signal)
      await undoImport(parts, ref, controller.signal)
    } catch (error) {
      if (!(error instanceof StorageUnavailable))
        log.error({ err: error, runId }, 'A run of an import stopped; it is taken up again')
    } finally {
      unwatch()
      if (isShared) await storage.system.releaseLease({ name: `import:${runId}`, holder }).catch(() => {})
      active.delete(runId)
    }
  }

  /** Starts work on due runs until enough run at once. Returns whether runs behind the first `limit` may be due too. */
  async function startWork(now: string, limit: number): Promise<boolean> {
    const due = await storage.system.listDueImports(now, limit)
    for (const { tenantId, run } of due) {
      if (isStopped || active.size >= runsAtOnceMax) return false
      if (active.has(run._id) || !(await isServed(parts, tenantId)) || !(await takeLease(run._id))) continue
      const controller = new AbortController()
      const ended = work(tenantId, run._id, controller)
      active.set(run._id, { controller, ended })
    }
    return due.length === limit
  }

  return {
    runDue: async () => {
      const now = isoTime(clock.nowMs())
      await startDueSyncs(parts, now)
      // Runs of suspended tenants stay due, and must not hide the runs of others behind them.
      for (let limit = duePage; await startWork(now, limit); limit *= 4);
      return null
    },
    stop: async () => {
      isStopped = true
      for (const { controller } of active.values()) controller.abort()
      await Promise.all([...active.values()].map(({ ended }) => ended))
    },
    onCommitted: ({ change }) => {
      for (const write of change.writes) {
        if (write.op !== 'update' || write.kind !== 'importRuns') continue
        if (write.set.status === 'cancelled') active.get(write.id)?.controller.abort()
      }
    },
  }
}

/** The runs of a suspended tenant wait until it is resumed. */
async function isServed({ storage }: RunImportsParts, tenantId: TenantId): Promise<boolean> {
  const tenant = await storage.system.findTenant(tenantId)
  return tenant !== undefined && !tenant.isSuspended
}

export const runImports: JobDeclaration = {
  pollEveryMs,
  wakeOnCommit({ change }, wake) {
    const isStarted = change.writes.some(
      (write) =>
        write.kind === 'importRuns' &&
        (write.op === 'insert' || (write.op === 'update' && write.set.undo?.status === 'running')),
    )
    if (isStarted) wake()
  },
  make: ({ storage, openSource, openScratch, quotas, clock, ids, log, callers }) =>
    createRunImports({ storage, openSource, openScratch, quotas, clock, ids, log, callers }),
}
