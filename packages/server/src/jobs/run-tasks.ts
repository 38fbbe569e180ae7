import { randomUUID } from 'node:crypto'
import type { IdFactory } from '@crmkit/core'
import type { AttachmentKey, AttachmentStore } from '../ports/attachment-store.ts'
import type { Change } from '../ports/change.ts'
import type { Clock } from '../ports/clock.ts'
import type { ErasureRecords } from '../ports/erasure-ledger.ts'
import type { Log } from '../ports/log.ts'
import type { Storage, TenantStore } from '../ports/storage.ts'
import { isoTime } from '../shared/clock.ts'
import { removalOf } from '../shared/removal-of.ts'
import { StorageUnavailable, VersionConflict } from '../storage/errors.ts'
import { type TaskRecord, upgradeTaskPrefix } from '../storage/kinds/tasks.ts'
import type { Stored } from '../storage/records.ts'
import { upgradeSteps } from '../upgrades/steps.ts'
import type { SenderOfMail, UpgradeStep } from '../upgrades/upgrade-step.ts'
import { type BackgroundJob, type JobDeclaration, pollEveryMs } from './background-job.ts'
import { deleteTenantPage, endTenantDeletion } from './delete-tenant.ts'
import { endExports } from './end-exports.ts'
import { planUpgrades } from './plan-upgrades.ts'
import { type FoundTask, TaskTurns } from './task-turns.ts'
import { upgradePage } from './upgrade-rows.ts'

/** One of many processes does the tasks; when it dies, another one takes over after this time. */
const leaseName = 'tasks'
const leaseMs = 10_000
/** Later tasks that one task looks at. */
const laterMax = 1_000
/** A request that read before the task began may still commit: the task stays until no such request can be left. */
const settleMs = 10_000
const nextPollMs = 1_000
const triesMax = 5
/** A process of an earlier version beside this one may make a tenant that has to be upgraded. */
const planEveryMs = 600_000

/** The handler of each type. Rows are upgraded by steps instead, and a tenant is deleted without one. */
export type TaskHandlers = Readonly<
  Record<Exclude<TaskRecord['type'], 'upgradeRows' | 'deleteTenant'>, TaskHandler>
>

/** Reads and decides, as a request's handler does. Returns the next page of a task's work, undefined when none is left. */
export type TaskHandler = (
  ctx: { store: TenantStore; ids: IdFactory; now: string },
  task: TaskRecord,
  /** Returns the unfinished tasks of the same tenant that are later than this one, oldest first. */
  findLater: () => Promise<readonly TaskRecord[]>,
) => Promise<Change | undefined>

interface TaskParts {
  storage: Pick<Storage, 'system' | 'forTenant'>
  clock: Clock
  ids: IdFactory
  log: Log
  /** A text that no other process uses. */
  holder: string
  handlers: TaskHandlers
  steps: readonly UpgradeStep[]
  senderOfMail: SenderOfMail
  attachments: Pick<AttachmentStore, 'remove'>
  erasures: ErasureRecords
}

/**
 * Does the part of a change that was too much for the commit that began it. Each page is a commit of its own, and the
 * task's row is deleted after the last one: another process continues what a killed process leaves.
 */
export function createRunTasks(parts: TaskParts): BackgroundJob {
  const { clock, holder, log } = parts
  const { system } = parts.storage
  let isHolder = false
  let isStopped = false
  const takeLease = async () => {
    const now = isoTime(clock.nowMs())
    isHolder = await system.takeLease({ name: leaseName, holder, now, leaseMs })
    return isHolder
  }

  /** Tasks without another page, until no request can be left that read before them. */
  const settling = new Set<string>()
  function mayBegin(task: TaskRecord): boolean {
    if (settling.has(task._id) && settles(task, clock.nowMs())) return false
    settling.delete(task._id)
    return true
  }

  /** Returns whether the task may have another page that can be done immediately. */
  async function tryPage(found: FoundTask): Promise<boolean> {
    try {
      const hasMore = await doPage(parts, found)
      if (!hasMore && settles(found.task, clock.nowMs())) settling.add(found.task._id)
      return hasMore
    } catch (error) {
      if (error instanceof StorageUnavailable) throw error
      const { _id: taskId, type } = found.task
      log.error({ err: error, taskId, type }, 'A task failed; it is tried again')
      return false
    }
  }

  let planAtMs = 0
  async function plan(): Promise<void> {
    const nowMs = clock.nowMs()
    if (parts.steps.length === 0 || nowMs < planAtMs || !(await takeLease())) return
    await planUpgrades({ storage: parts.storage, steps: parts.steps, now: isoTime(nowMs) })
    planAtMs = nowMs + planEveryMs
  }

  return {
    runDue: async () => {
      await plan()
      if ((await system.listTasks(1)).length === 0) return null
      const turns = new TaskTurns(parts.storage, mayBegin)
      while (!isStopped && (await takeLease())) {
        const found = await turns.next()
        if (found === undefined) return clock.nowMs() + nextPollMs
        turns.end(found, await tryPage(found))
      }
      return null
    },
    stop: async () => {
      isStopped = true
      if (isHolder) await system.releaseLease({ name: leaseName, holder })
    },
  }
}

interface TaskWork {
  handlers: TaskHandlers
  /** Returns the sender that the stored bytes of a mail name. */
  readSender(attachments: Pick<AttachmentStore, 'read'>, key: AttachmentKey): Promise<string | null>
}

/** Declares the job that does the tasks, with the handler of each type. It also plans and takes the steps of upgrades. */
export function runTasks({ handlers, readSender }: TaskWork, steps = upgradeSteps): JobDeclaration {
  return {
    pollEveryMs,
    backlog: {
      waits: 'erasures, merges and other changes that are too much for one commit',
      lateAfterMinutes: 60,
      oldestDue: async (system) => {
        const [oldest] = await system.listTasks(1)
        // Upgrades are last in the list and have an alert of their own.
        const isUpgrade = oldest?.task._id.startsWith(upgradeTaskPrefix) ?? true
        return isUpgrade ? null : (oldest?.task.requestedAt ?? null)
      },
    },
    wakes: {
      on: ['tasks', 'erasure'],
      ask({ change }, wake) {
        const isTaskAdded = change.writes.some(
          ({ op, kind }) => op === 'erase' || (op === 'insert' && kind === 'tasks'),
        )
        if (isTaskAdded) wake()
      },
    },
    make: ({ storage, attachments, clock, ids, log, erasures }) => {
      const senderOfMail = (key: AttachmentKey) => readSender(attachments, key)
      const work = { handlers, steps, senderOfMail, attachments, erasures, holder: randomUUID() }
      return createRunTasks({ storage, clock, ids, log, ...work })
    },
  }
}

/** Returns whether the task may have another page that can be done immediately. */
async function doPage(parts: TaskParts, { tenantId, task }: FoundTask): Promise<boolean> {
  const { storage, clock, ids, handlers } = parts
  if (task.type === 'upgradeRows') return upgradePage(parts, { tenantId, task })
  // An erasure whose line cannot be written goes on, and its task stays until it can.
  const unrecorded = await parts.erasures.record({ tenantId, task }).then(
    () => undefined,
    (error: Error) => error,
  )
  if (task.type === 'deleteTenant') return deletePage(parts, { tenantId, task }, unrecorded)
  const store = storage.forTenant(tenantId)
  const later = { kind: 'tasks', tenantId, after: task._id, limit: laterMax } as const
  const findLater = async () => (await storage.system.readRows(later)).rows
  for (let tries = 1; ; tries++) {
    const nowMs = clock.nowMs()
    const now = isoTime(nowMs)
    try {
      await endExports(store, task, now)
      const change = await handlers[task.type]({ store, ids, now }, task, findLater)
      if (change !== undefined) await store.commit(change)
      else if (unrecorded) throw unrecorded
      else if (await finish(store, task, nowMs)) parts.erasures.forget(task)
      return change !== undefined
    } catch (error) {
      // Another commit changed one of the rows: the page is read and decided again.
      if (!(error instanceof VersionConflict) || tries >= triesMax) throw error
    }
  }
}

/** Requests that began before the tenant was suspended may still write: the tenant stays until none can be left. */
async function deletePage(
  parts: TaskParts,
  { tenantId, task }: FoundTask,
  unrecorded: Error | undefined,
): Promise<boolean> {
  const found = await deleteTenantPage(parts, tenantId)
  if (found !== undefined) return true
  if (unrecorded) throw unrecorded
  const nowMs = parts.clock.nowMs()
  if (settles(task, nowMs)) return false
  await endTenantDeletion(parts, tenantId)
  parts.log.info({ tenantId }, 'A tenant was deleted with all of its rows')
  return false
}

/** Returns whether the task is deleted. */
async function finish(store: TenantStore, task: Stored<TaskRecord>, nowMs: number): Promise<boolean> {
  if (settles(task, nowMs)) return false
  try {
    await store.commit({ writes: [removalOf('tasks', task)], events: [] })
  } catch (error) {
    if (!(error instanceof VersionConflict)) throw error
  }
  return true
}

function settles({ requestedAt }: TaskRecord, nowMs: number): boolean {
  const ageMs = nowMs - Date.parse(requestedAt)
  // A negative age: the clock was set back.
  return ageMs >= 0 && ageMs < settleMs
}
