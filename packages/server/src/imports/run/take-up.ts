import type { ImportRun } from '@crmkit/core'
import type { Write } from '../../ports/change.ts'
import { isoTime } from '../../shared/clock.ts'
import { VersionConflict } from '../../storage/errors.ts'
import { activeRunStatuses, type ImportRunRecord } from '../../storage/kinds/import-runs.ts'
import type { Stored } from '../../storage/records.ts'
import { later } from '../plan/page-plan.ts'
import { failed } from './run-ends.ts'
import type { RunParts, RunRef } from './run-parts.ts'
import { RunWriter } from './run-writer.ts'

/** How long a run waits after it was taken up for the first, second … time without a new checkpoint, in ms. */
const waitsMs = [1_000, 5_000, 15_000, 60_000]
const takesUpMax = waitsMs.length + 1
const forgivenMax = 2

/** Whether the import or the undo of a run goes on. */
export function hasWork({ status, undo }: Pick<ImportRunRecord, 'status' | 'undo'>): boolean {
  return activeRunStatuses.includes(status) || undo.status === 'running'
}

/**
 * Counts that a run is taken up, before anything of it is done: so a run that ends its process counts too. Its next time is stored
 * with the count. Returns whether there is work: a run that was taken up five times without a new checkpoint ends as failed.
 */
export async function takeUp(parts: RunParts, ref: RunRef): Promise<boolean> {
  const store = parts.storage.forTenant(ref.tenantId)
  const run = await store.importRuns.find(ref.runId)
  if (run === undefined || !hasWork(run)) return false
  const taken = run.takesUp ?? 0
  if (taken >= takesUpMax) {
    await giveUp(parts, ref, run)
    return false
  }
  const takeUpAt = later(isoTime(parts.clock.nowMs()), waitsMs[taken] ?? 0)
  try {
    await store.commit({ writes: [runUpdate(run, { takesUp: taken + 1, takeUpAt })], events: [] })
    return true
  } catch (error) {
    // The person who cancelled it, or another process, was faster.
    if (error instanceof VersionConflict) return false
    throw error
  }
}

/** Ends a run whose last take-up has failed. Returns whether it is over. */
export async function endIfSpent(parts: RunParts, ref: RunRef): Promise<boolean> {
  const run = await parts.storage.forTenant(ref.tenantId).importRuns.find(ref.runId)
  if (run === undefined || !hasWork(run)) return true
  if ((run.takesUp ?? 0) < takesUpMax) return false
  await giveUp(parts, ref, run)
  return true
}

/** A process that ends on purpose, or a place that was given away, says nothing about the run: the count begins again. */
export async function forgetTakesUp(parts: RunParts, ref: RunRef): Promise<void> {
  await setTakesUp(parts, ref, () => 0)
}

/** Nor does a full disk, or a database that was away: the waits grow to the third, and the count never ends the run. */
export async function forgiveTakeUp(parts: RunParts, ref: RunRef): Promise<void> {
  await setTakesUp(parts, ref, (taken) => Math.min(taken, forgivenMax))
}

async function setTakesUp(parts: RunParts, ref: RunRef, change: (taken: number) => number): Promise<void> {
  const store = parts.storage.forTenant(ref.tenantId)
  const run = await store.importRuns.find(ref.runId)
  if (run === undefined || !hasWork(run)) return
  const set = { takesUp: change(run.takesUp ?? 0), takeUpAt: null }
  await store.commit({ writes: [runUpdate(run, set)], events: [] })
}

function runUpdate(run: Stored<ImportRunRecord>, set: Partial<ImportRunRecord>): Write {
  return { op: 'update', kind: 'importRuns', id: run._id, expectVersion: run.version, set }
}

const programError: NonNullable<ImportRun['error']> = {
  code: 'INTERNAL_ERROR',
  message: 'The service failed on this import',
}

async function giveUp(parts: RunParts, ref: RunRef, run: Stored<ImportRunRecord>): Promise<void> {
  const store = parts.storage.forTenant(ref.tenantId)
  const now = () => isoTime(parts.clock.nowMs())
  if (activeRunStatuses.includes(run.status)) {
    await new RunWriter({ ...parts, store, now }, run).end(failed(programError))
    return
  }
  const integration = await store.integrations.find(run.integrationId)
  const undo = { ...run.undo, status: 'failed' as const, finishedAt: now() }
  const writes = [runUpdate(run, { undo, takesUp: 0, takeUpAt: null, updatedAt: now() })]
  if (integration !== undefined) {
    const { _id: id, version: expectVersion } = integration
    const set = { syncStatus: 'failed' as const, activeRunId: null }
    writes.push({ op: 'update', kind: 'integrations', id, expectVersion, set })
  }
  await store.commit({ writes, events: [] })
}
