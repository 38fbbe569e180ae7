import type { IdFactory } from '@crmkit/core'
import type { Change, Write } from '../ports/change.ts'
import type { Clock } from '../ports/clock.ts'
import type { Log } from '../ports/log.ts'
import type { Storage } from '../ports/storage.ts'
import { isoTime } from '../shared/clock.ts'
import { passFaultPoint } from '../shared/fault-points.ts'
import { removalOf } from '../shared/removal-of.ts'
import { StorageUnavailable, VersionConflict } from '../storage/errors.ts'
import type { Kind, Records } from '../storage/kinds/registry.ts'
import type { TaskRecord, UpgradeProgress } from '../storage/kinds/tasks.ts'
import type { UpgradeNote } from '../storage/kinds/tenants.ts'
import type { Stored, TenantId } from '../storage/records.ts'
import { findUpgradable, nextStep } from '../upgrades/upgrade-state.ts'
import type { SenderOfMail, UpgradeStep } from '../upgrades/upgrade-step.ts'
import { newUpgradeTask } from './plan-upgrades.ts'

const rowsPerPage = 200
/** A row that another process writes in its old form behind the first pass is met by the second one. */
const passesMax = 2

export interface UpgradeParts {
  storage: Pick<Storage, 'system' | 'forTenant'>
  clock: Clock
  ids: IdFactory
  log: Log
  steps: readonly UpgradeStep[]
  senderOfMail: SenderOfMail
}

interface UpgradePage {
  tenantId: TenantId
  task: Stored<TaskRecord>
  step: UpgradeStep
  now: string
}

/** The row of a tenant holds them. */
const notesMax = 100

/** A row of the step's kind. The step alone knows which. */
type Row = Stored<Records[Kind]>

/**
 * Upgrades one page of a tenant's rows. Its writes and the place that it has reached are one commit, so a killed process
 * leaves a page done or not begun, and of two processes at one page one does nothing. Returns whether there may be another.
 */
export async function upgradePage(
  parts: UpgradeParts,
  { tenantId, task }: { tenantId: TenantId; task: Stored<TaskRecord> },
): Promise<boolean> {
  const { storage, clock, steps } = parts
  const step = steps.find(({ name }) => name === task.subjectId)
  const page = { tenantId, task, now: isoTime(clock.nowMs()) }
  try {
    if (step === undefined) await remove(parts, page)
    else await doPage(parts, { ...page, step })
    return step !== undefined
  } catch (error) {
    if (!(error instanceof VersionConflict)) throw error
    // Another process was faster with this page.
    const stored = await storage.forTenant(tenantId).tasks.find(task._id)
    return stored !== undefined
  }
}

async function remove({ storage: { system } }: UpgradeParts, { tenantId, task }: Omit<UpgradePage, 'step'>) {
  await system.commit(tenantId, { writes: [removalOf('tasks', task)], events: [] })
}

const begun: UpgradeProgress = { after: '', pass: 1, changed: 0, skipped: 0, left: 0 }

async function doPage(parts: UpgradeParts, page: UpgradePage): Promise<void> {
  const { system } = parts.storage
  const { tenantId, task, step } = page
  const { kind } = step
  const progress = task.progress ?? begun
  const read = await system.readRows({ kind, tenantId, after: progress.after, limit: rowsPerPage })
  if (read.last === undefined) return endPass(parts, page)
  const rows = read.rows.filter((row) => step.needs(row))
  const seen = {
    ...progress,
    after: read.last,
    skipped: progress.skipped + read.damaged,
    left: Math.max(0, progress.left - read.rows.length - read.damaged),
  }
  const all = { ...seen, changed: seen.changed + rows.length }
  if (!(await isCommitted(parts, page, { rows, progress: all }))) {
    const { changed, notes } = await upgradeOneByOne(parts, page, rows)
    const counted = {
      ...seen,
      changed: seen.changed + changed,
      skipped: seen.skipped + rows.length - changed,
      ...withNotes(seen, notes),
    }
    await system.commit(tenantId, { writes: [progressOf(task, counted)], events: [] })
  }
  passFaultPoint('between-upgrade-pages')
}

function progressOf(
  { _id: id, version: expectVersion }: Stored<TaskRecord>,
  progress: UpgradeProgress,
): Write {
  return { op: 'update', kind: 'tasks', id, expectVersion, set: { progress } }
}

interface NotedChange {
  change: Change<Kind>
  notes: readonly UpgradeNote[]
}

function withNotes(
  { notes: known = [] }: UpgradeProgress,
  notes: readonly UpgradeNote[],
): Pick<UpgradeProgress, 'notes'> {
  return notes.length === 0 ? {} : { notes: [...known, ...notes].slice(0, notesMax) }
}

async function changeOf(
  { storage, ids, senderOfMail }: UpgradeParts,
  { tenantId, step, now }: UpgradePage,
  rows: readonly Row[],
): Promise<NotedChange> {
  const { system } = storage
  const change: Change<Kind> = { writes: [], events: [] }
  const notes: UpgradeNote[] = []
  for (const row of rows) {
    const reads = { store: storage.forTenant(tenantId), system, ids, senderOfMail, now }
    const { writes, events = [], note } = await step.upgrade(row, reads)
    if (note !== undefined) notes.push(note)
    change.writes.push(...writes)
    change.events.push(...events)
  }
  return { change, notes }
}

/** False when one of the rows keeps the others from being written. */
async function isCommitted(
  parts: UpgradeParts,
  page: UpgradePage,
  { rows, progress }: { rows: readonly Row[]; progress: UpgradeProgress },
): Promise<boolean> {
  try {
    const { change, notes } = await changeOf(parts, page, rows)
    const { writes, events } = change
    const place = progressOf(page.task, { ...progress, ...withNotes(progress, notes) })
    await parts.storage.system.commit(page.tenantId, { writes: [...writes, place], events })
    return true
  } catch (error) {
    if (error instanceof StorageUnavailable || rows.length === 0) throw error
    return false
  }
}

/** Returns how many rows were changed. One that changes meanwhile, or that the step fails at, takes no other with it. */
async function upgradeOneByOne(
  parts: UpgradeParts,
  page: UpgradePage,
  rows: readonly Row[],
): Promise<{ changed: number; notes: UpgradeNote[] }> {
  const { tenantId, step } = page
  const notes: UpgradeNote[] = []
  let changed = 0
  for (const row of rows) {
    try {
      notes.push(...(await upgradeRow(parts, page, row)))
      changed++
    } catch (error) {
      if (error instanceof StorageUnavailable) throw error
      const where = { tenantId, step: step.name, kind: step.kind }
      parts.log.error({ err: error, ...where }, 'A row could not be upgraded; it keeps its form')
    }
  }
  return { changed, notes }
}

async function upgradeRow(parts: UpgradeParts, page: UpgradePage, row: Row): Promise<readonly UpgradeNote[]> {
  const commit = async (read: Row) => {
    const { change, notes } = await changeOf(parts, page, [read])
    await parts.storage.system.commit(page.tenantId, change)
    return notes
  }
  try {
    return await commit(row)
  } catch (error) {
    if (!(error instanceof VersionConflict)) throw error
    const fresh = await readAgain(parts, page, row._id)
    return fresh === undefined ? [] : await commit(fresh)
  }
}

/** Returns the row as it is now; undefined when it was deleted, or has the new form. */
async function readAgain(
  { storage: { system } }: UpgradeParts,
  { tenantId, step }: UpgradePage,
  id: string,
): Promise<Row | undefined> {
  // The page behind the id without its last character begins with the id, or with few rows before it.
  const read = await system.readRows({
    kind: step.kind,
    tenantId,
    after: id.slice(0, -1),
    limit: rowsPerPage,
  })
  return read.rows.find((row) => row._id === id && step.needs(row))
}

async function endPass(parts: UpgradeParts, page: UpgradePage): Promise<void> {
  const { storage, steps } = parts
  const { tenantId, task, step, now } = page
  const { changed, skipped, pass, notes } = task.progress ?? begun
  const kept = notes && { notes }
  if (changed > 0 && pass < passesMax) {
    const left = await storage.system.countRows({ kind: step.kind, tenantId })
    const progress = { ...begun, pass: pass + 1, left, ...kept }
    return storage.system.commit(tenantId, { writes: [progressOf(task, progress)], events: [] })
  }
  const upgradable = await findUpgradable(storage.system, tenantId)
  // The tenant was deleted.
  if (upgradable === undefined) return remove(parts, page)
  const done = { ...upgradable.done, [step.name]: { doneAt: now, skipped, ...kept } }
  const next = nextStep(steps, { ...upgradable, done })
  const writes: Write<Kind>[] = [removalOf('tasks', task), upgradable.noteDone(done, now)]
  if (next !== undefined) {
    const row = await newUpgradeTask({ storage, steps, now }, next, upgradable)
    writes.push({ op: 'insert', kind: 'tasks', row })
  }
  await storage.system.commit(tenantId, { writes, events: [] })
}
