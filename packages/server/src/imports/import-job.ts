import { randomUUID } from 'node:crypto'
import { FairSlots } from '../fairness/fair-slots.ts'
import { chooseNext, chooseVictim, countByTenant, type Held } from '../fairness/places.ts'
import { type BackgroundJob, type JobDeclaration, pollEveryMs } from '../jobs/background-job.ts'
import { isoTime } from '../shared/clock.ts'
import { StorageUnavailable } from '../storage/errors.ts'
import type { TenantId } from '../storage/records.ts'
import { oldestQueuedRun } from './oldest-queued-run.ts'
import { runImport } from './run/run-import.ts'
import type { RunParts, RunRef } from './run/run-parts.ts'
import { startDueSyncs } from './run/start-sync.ts'
import { endIfSpent, forgetTakesUp, hasWork, takeUp } from './run/take-up.ts'
import { undoImport } from './undo/undo-import.ts'

/** Another process takes a run up when its holder has not renewed the lease for so long. */
const leaseMs = 60_000
const renewEveryMs = 20_000
/** How soon a run notices that it was cancelled by another process. */
const watchEveryMs = 500
const runsAtOnceMax = 4
/** How many due runs are read at first; more while they are those of a few tenants. */
const duePage = 50
/** A run gives its place to another tenant that has none after so long; at once when its tenant has several. */
const heldMsMin = 5_000
const rememberedMax = 1_000
/** One is planned while another one is stored. */
const pagesAtOnce = 2
/** Why a run ends that goes on later. */
const givesWay = 'another tenant has the place'

export interface RunImportsParts extends RunParts {
  storage: RunParts['storage'] & { readonly eventPositions: 'with-commit' | 'after-commit' }
}

interface ActiveRun extends Held {
  isDryRun: boolean
  controller: AbortController
  ended: Promise<void>
}

interface WaitingRun {
  key: string
  tenantId: TenantId
  isDryRun: boolean
}

/**
 * Starts due syncs, and works on the runs of imports and on undos that are due, several at once. Tenants alternate: one has a
 * single place while another one waits. `activeCount` is how many runs this process works on.
 */
export function createRunImports(parts: RunImportsParts): BackgroundJob & { activeCount(): number } {
  const { storage, clock, log } = parts
  const active = new Map<string, ActiveRun>()
  const servedAtMs = new Map<string, number>()
  /** Runs that stopped because the database was away. */
  const unavailable = new Set<string>()
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
      if (run === undefined || !hasWork(run) || !(await isServed(parts, tenantId))) controller.abort()
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
      if (unavailable.delete(runId)) await forgetTakesUp(parts, ref)
      if (!(await takeUp(parts, ref))) return
      await runImport(parts, ref, controller.signal)
      await undoImport(parts, ref, controller.signal)
      if (isStopped || controller.signal.reason === givesWay) await forgetTakesUp(parts, ref)
    } catch (error) {
      await afterError(ref, error).catch((err) =>
        log.error({ err, runId }, 'A run of an import cannot be ended'),
      )
    } finally {
      unwatch()
      if (isShared) await storage.system.releaseLease({ name: `import:${runId}`, holder }).catch(() => {})
      active.delete(runId)
      if (servedAtMs.size >= rememberedMax) servedAtMs.clear()
      servedAtMs.set(runId, clock.nowMs())
    }
  }

  /** The run gives its place back after any error: it waits for its next time, or is over. */
  async function afterError(ref: RunRef, error: unknown): Promise<void> {
    const { runId } = ref
    if (error instanceof StorageUnavailable) {
      unavailable.add(runId)
      return
    }
    log.error({ err: error, runId }, 'A run of an import stopped')
    if (await endIfSpent(parts, ref)) log.error({ runId }, 'The run was taken up too often; it has failed')
  }

  async function startWork(now: string): Promise<void> {
    for (const { key, tenantId, isDryRun } of await findWaiting(parts, { now, active, servedAtMs })) {
      if (isStopped || (active.size >= runsAtOnceMax && !(await makeWay(tenantId)))) return
      if (active.has(key) || !(await takeLease(key))) continue
      const controller = new AbortController()
      const held = { tenantId, startedAtMs: clock.nowMs(), isDryRun, controller }
      const ended = work(tenantId, key, controller)
      active.set(key, { ...held, ended })
    }
  }

  /** Ends a run behind its page for a tenant that has no place. Returns whether a place is free. */
  async function makeWay(tenantId: TenantId): Promise<boolean> {
    if (countByTenant(active).has(tenantId)) return false
    const victim = chooseRun(active, tenantId, clock.nowMs())
    victim?.controller.abort(givesWay)
    await victim?.ended
    return active.size < runsAtOnceMax
  }

  return {
    activeCount: () => active.size,
    runDue: async () => {
      const now = isoTime(clock.nowMs())
      await startDueSyncs(parts, now)
      await startWork(now)
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

interface Waiting {
  now: string
  active: ReadonlyMap<string, ActiveRun>
  /** When a run that waits last had a place. */
  servedAtMs: ReadonlyMap<string, number>
}

/** Returns the due runs that wait for a place, in the order of their turns. */
async function findWaiting(
  parts: RunImportsParts,
  { now, active, servedAtMs }: Waiting,
): Promise<WaitingRun[]> {
  const served = new Map<TenantId, boolean>()
  // Runs of suspended tenants stay due, and must not hide the runs of others behind them; nor must the many of one tenant.
  for (let limit = duePage; ; limit *= 4) {
    const due = await parts.storage.system.across.dueImports.due(now, limit)
    for (const { tenantId } of due)
      if (!served.has(tenantId)) served.set(tenantId, await isServed(parts, tenantId))
    const waiting = due
      .filter(({ tenantId, row: { _id } }) => served.get(tenantId) && !active.has(_id))
      .map(({ tenantId, row: { _id: key, dryRun } }) => ({ key, tenantId, isDryRun: dryRun }))
    const isEnough = new Set(waiting.map(({ tenantId }) => tenantId)).size >= runsAtOnceMax
    if (isEnough || due.length < limit) return chooseNext(waiting, { held: active, servedAtMs })
  }
}

/** Returns the run that makes way for a tenant without a place. A dry run begins anew, so it keeps the last place of its tenant. */
function chooseRun(active: Waiting['active'], tenantId: TenantId, nowMs: number): ActiveRun | undefined {
  const counts = countByTenant(active)
  const held = [...active].filter(([, run]) => !run.isDryRun || (counts.get(run.tenantId) ?? 0) > 1)
  const victim = chooseVictim(new Map(held), { tenantId, nowMs, heldMsMin, surplusMsMin: 0 })
  return victim === undefined ? undefined : active.get(victim)
}

/** The runs of a suspended tenant wait until it is resumed. */
async function isServed({ storage }: RunImportsParts, tenantId: TenantId): Promise<boolean> {
  const tenant = await storage.system.findTenant(tenantId)
  return tenant !== undefined && !tenant.isSuspended
}

export const runImports: JobDeclaration = {
  pollEveryMs,
  backlog: {
    waits: 'imports that have not begun',
    lateAfterMinutes: 15,
    oldestDue: oldestQueuedRun,
  },
  wakes: {
    on: ['importRuns'],
    ask({ change }, wake) {
      const isStarted = change.writes.some(
        (write) =>
          write.kind === 'importRuns' &&
          (write.op === 'insert' || (write.op === 'update' && write.set.undo?.status === 'running')),
      )
      if (isStarted) wake()
    },
  },
  make: ({ storage, openSource, openScratch, quotas, clock, ids, log, callers }) =>
    createRunImports({
      storage,
      openSource,
      openScratch,
      quotas,
      clock,
      ids,
      log,
      callers,
      pages: new FairSlots(pagesAtOnce),
    }),
}
