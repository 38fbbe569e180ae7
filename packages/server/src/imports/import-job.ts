import { randomUUID } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import { FairSlots } from '../fairness/fair-slots.ts'
import { chooseNext, chooseVictim, countByTenant, type Held } from '../fairness/places.ts'
import { type BackgroundJob, type JobDeclaration, pollEveryMs } from '../jobs/background-job.ts'
import { isoTime } from '../shared/clock.ts'
import { isPassing } from '../shared/passing-error.ts'
import type { TenantId } from '../storage/records.ts'
import { oldestQueuedRun } from './oldest-queued-run.ts'
import { runPackage } from './package/run-package.ts'
import { runImport } from './run/run-import.ts'
import type { RunParts, RunRef } from './run/run-parts.ts'
import { startDueSyncs } from './run/start-sync.ts'
import { filesToSurvey, surveyFile } from './run/survey-file.ts'
import { endIfSpent, forgetTakesUp, forgiveTakeUp, hasWork, takeUp } from './run/take-up.ts'
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
  /** Begins anew when it has given its place away: a dry run, or a survey. */
  isDryRun: boolean
  /** Whether it is the survey of a file. */
  isSurvey: boolean
}

/**
 * Starts due syncs, and works on the runs of imports, on undos and on surveys of files that are due, several at once. Tenants alternate: one has a
 * single place while another one waits. `activeCount` is how many runs this process works on.
 */
export function createRunImports(parts: RunImportsParts): BackgroundJob & { activeCount(): number } {
  const { storage, clock, log } = parts
  const active = new Map<string, ActiveRun>()
  const servedAtMs = new Map<string, number>()
  /** Runs and surveys that stopped because the database was away, or the disk full. */
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

  async function work(waiting: WaitingRun, controller: AbortController): Promise<void> {
    const { tenantId, key, isSurvey } = waiting
    const { signal } = controller
    const unwatch = watchLease({ parts, waiting, controller, takeLease: () => takeLease(key) })
    try {
      if (isSurvey) {
        const isForgiven = unavailable.delete(key)
        await surveyFile(parts, { tenantId, fileId: key, isForgiven }, signal)
      } else await workOnRun({ tenantId, runId: key }, signal)
    } catch (error) {
      // It is taken up again until the error has passed.
      if (isPassing(error)) {
        unavailable.add(key)
        log.warn({ err: error, key }, 'A run or a survey of an import waits for the database or the disk')
      } else if (isSurvey) log.error({ err: error, fileId: key }, 'A survey of a file stopped')
      else await afterError(parts, { tenantId, runId: key }, error)
    } finally {
      unwatch()
      if (isShared) await storage.system.releaseLease({ name: `import:${key}`, holder }).catch(() => {})
      active.delete(key)
      if (servedAtMs.size >= rememberedMax) servedAtMs.clear()
      servedAtMs.set(key, clock.nowMs())
    }
  }

  async function workOnRun(ref: RunRef, signal: AbortSignal): Promise<void> {
    if (unavailable.delete(ref.runId)) await forgiveTakeUp(parts, ref)
    if (!(await takeUp(parts, ref))) return
    await surveysBefore(ref, signal)
    if (!signal.aborted) {
      await runImport(parts, ref, signal)
      await runPackage(parts, ref, signal)
      await undoImport(parts, ref, signal)
    }
    if (isStopped || signal.reason === givesWay) await forgetTakesUp(parts, ref)
  }

  function begin(waiting: WaitingRun): void {
    const { key, tenantId, isDryRun } = waiting
    const controller = new AbortController()
    const held = { tenantId, startedAtMs: clock.nowMs(), isDryRun, controller }
    const ended = work(waiting, controller)
    active.set(key, { ...held, ended })
  }

  /** A run reads a file behind its survey, whoever makes it. It has a place already, so the survey needs none of its own. */
  async function surveysBefore(ref: RunRef, signal: AbortSignal): Promise<void> {
    const { tenantId } = ref
    for (;;) {
      const files = await filesToSurvey(parts, ref)
      const { fileId: key, isDue } = files.find((file) => file.isDue) ?? files[0] ?? {}
      if (key === undefined || signal.aborted || isStopped) return
      if (isDue && !active.has(key) && (await takeLease(key)))
        begin({ key, tenantId, isDryRun: true, isSurvey: true })
      await Promise.race([active.get(key)?.ended ?? wait(watchEveryMs), untilAborted(signal)])
    }
  }

  async function startWork(now: string): Promise<void> {
    for (const waiting of await findWaiting(parts, { now, active, servedAtMs })) {
      const { key, tenantId } = waiting
      if (isStopped || (active.size >= runsAtOnceMax && !(await makeWay(tenantId)))) return
      if (active.has(key) || !(await takeLease(key))) continue
      begin(waiting)
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

/** The run gives its place back after any error: it waits for its next time, or is over. */
async function afterError(parts: RunImportsParts, ref: RunRef, error: unknown): Promise<void> {
  const { log } = parts
  const { runId } = ref
  log.error({ err: error, runId }, 'A run of an import stopped')
  try {
    if (await endIfSpent(parts, ref)) log.error({ runId }, 'The run was taken up too often; it has failed')
  } catch (err) {
    log.error({ err, runId }, 'A run of an import cannot be ended')
  }
}

interface Watched {
  parts: RunImportsParts
  waiting: WaitingRun
  controller: AbortController
  takeLease(): Promise<boolean>
}

/** Aborts the work when it is over, or when its lease has gone to another process. */
function watchLease({ parts, waiting, controller, takeLease }: Watched): () => void {
  const { clock } = parts
  const { tenantId } = waiting
  let renewedAtMs = clock.nowMs()
  const check = async () => {
    if ((await isOver(parts, waiting)) || !(await isServed(parts, tenantId))) controller.abort()
    if (clock.nowMs() - renewedAtMs < renewEveryMs) return
    renewedAtMs = clock.nowMs()
    if (!(await takeLease())) controller.abort()
  }
  const timer = setInterval(() => void check().catch(() => {}), watchEveryMs)
  return () => clearInterval(timer)
}

async function isOver(
  { storage }: RunImportsParts,
  { tenantId, key, isSurvey }: WaitingRun,
): Promise<boolean> {
  const { importFiles, importRuns } = storage.forTenant(tenantId)
  if (isSurvey) return (await importFiles.find(key))?.survey?.status !== 'running'
  const run = await importRuns.find(key)
  return run === undefined || !hasWork(run)
}

function untilAborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }))
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
    const { dueImports, dueSurveys } = parts.storage.system.across
    const runs = await dueImports.due(now, limit)
    const surveys = await dueSurveys.due(now, limit)
    const due = [
      ...surveys.map(({ tenantId, row: { _id: key } }) => ({
        key,
        tenantId,
        isDryRun: true,
        isSurvey: true,
      })),
      ...runs.map(({ tenantId, row: { _id: key, dryRun: isDryRun } }) => ({
        key,
        tenantId,
        isDryRun,
        isSurvey: false,
      })),
    ]
    for (const { tenantId } of due)
      if (!served.has(tenantId)) served.set(tenantId, await isServed(parts, tenantId))
    const waiting = due.filter(({ key, tenantId }) => served.get(tenantId) && !active.has(key))
    const isEnough = new Set(waiting.map(({ tenantId }) => tenantId)).size >= runsAtOnceMax
    if (isEnough || Math.max(runs.length, surveys.length) < limit)
      return chooseNext(waiting, { held: active, servedAtMs })
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
    on: ['importRuns', 'importFiles'],
    ask({ change }, wake) {
      const isStarted = change.writes.some(
        (write) =>
          (write.kind === 'importRuns' &&
            (write.op === 'insert' || (write.op === 'update' && write.set.undo?.status === 'running'))) ||
          (write.kind === 'importFiles' &&
            (write.op === 'insert' || (write.op === 'update' && write.set.survey?.takesUp === 0))),
      )
      if (isStarted) wake()
    },
  },
  make: ({ storage, openSource, openScratch, attachments, quotas, clock, ids, log, callers }) =>
    createRunImports({
      storage,
      openSource,
      openScratch,
      attachments,
      quotas,
      clock,
      ids,
      log,
      callers,
      pages: new FairSlots(pagesAtOnce),
    }),
}
