import { randomUUID } from 'node:crypto'
import type { IdFactory } from '@crmkit/core'
import type { HandlerContext } from '../features/handler.ts'
import type { Change } from '../ports/change.ts'
import type { Clock } from '../ports/clock.ts'
import type { Log } from '../ports/log.ts'
import type { Storage, TenantStore } from '../ports/storage.ts'
import { isoTime } from '../shared/clock.ts'
import { removalOf } from '../shared/removal-of.ts'
import { StorageUnavailable, VersionConflict } from '../storage/errors.ts'
import type { TaskRecord } from '../storage/kinds/tasks.ts'
import type { Stored, TenantId } from '../storage/records.ts'
import { type BackgroundJob, type JobDeclaration, pollEveryMs } from './background-job.ts'

/** One of many processes does the tasks; when it dies, another one takes over after this time. */
const leaseName = 'tasks'
const leaseMs = 10_000
const tasksMax = 100
/** A request that read before the task began may still commit: the task stays until no such request can be left. */
const settleMs = 10_000
const nextPollMs = 1_000
const triesMax = 5

type TaskHandlers = Readonly<Record<TaskRecord['type'], TaskHandler>>

/** Reads and decides, as a request's handler does. Returns the next page of a task's work, undefined when none is left. */
export type TaskHandler = (
  ctx: Pick<HandlerContext, 'store' | 'ids' | 'now'>,
  task: TaskRecord,
  /** Unfinished tasks of the same tenant, oldest first. */
  others: readonly TaskRecord[],
) => Promise<Change | undefined>

interface TaskParts {
  storage: Pick<Storage, 'system' | 'forTenant'>
  clock: Clock
  ids: IdFactory
  log: Log
  /** A text that no other process uses. */
  holder: string
  handlers: TaskHandlers
}

type FoundTasks = Awaited<ReturnType<Storage['system']['listTasks']>>

/**
 * Does the part of a change that was too much for the commit that began it. Each page is a commit of its own, and the
 * task's row is deleted after the last one: another process continues what a killed process leaves.
 */
function createRunTasks(parts: TaskParts): BackgroundJob {
  const { clock, holder, log } = parts
  const { system } = parts.storage
  let isHolder = false
  let isStopped = false
  const takeLease = async () => {
    const now = isoTime(clock.nowMs())
    isHolder = await system.takeLease({ name: leaseName, holder, now, leaseMs })
    return isHolder
  }

  async function tryPage(page: TaskPage): Promise<boolean> {
    try {
      return await doPage(parts, page)
    } catch (error) {
      if (error instanceof StorageUnavailable) throw error
      const { _id: taskId, type } = page.task
      log.error({ err: error, taskId, type }, 'A task failed; it is tried again')
      return false
    }
  }

  /** Does one page of each task in rotation, so that a long task does not block the others. */
  async function doTasks(found: FoundTasks): Promise<void> {
    let open: TaskPage[] = found.map(({ tenantId, task }) => {
      const others = found.filter((other) => other.tenantId === tenantId).map((other) => other.task)
      return { tenantId, task, others }
    })
    while (open.length > 0) {
      const unfinished: TaskPage[] = []
      for (const page of open) {
        if (isStopped || !(await takeLease())) return
        if (await tryPage(page)) unfinished.push(page)
      }
      open = unfinished
    }
  }

  return {
    runDue: async () => {
      const found = await system.listTasks(tasksMax)
      if (found.length === 0 || !(await takeLease())) return null
      await doTasks(found)
      return clock.nowMs() + nextPollMs
    },
    stop: async () => {
      isStopped = true
      if (isHolder) await system.releaseLease({ name: leaseName, holder })
    },
  }
}

/** Declares the job that does the tasks, with the handler of each type. */
export function runTasks(handlers: TaskHandlers): JobDeclaration {
  return {
    pollEveryMs,
    wakeOnCommit({ change }, wake) {
      const isTaskAdded = change.writes.some(
        ({ op, kind }) => op === 'erase' || (op === 'insert' && kind === 'tasks'),
      )
      if (isTaskAdded) wake()
    },
    make: ({ storage, clock, ids, log }) =>
      createRunTasks({ storage, clock, ids, log, handlers, holder: randomUUID() }),
  }
}

interface TaskPage {
  tenantId: TenantId
  task: Stored<TaskRecord>
  others: readonly TaskRecord[]
}

/** Returns whether the task may have another page that can be done immediately. */
async function doPage({ storage, clock, ids, handlers }: TaskParts, page: TaskPage): Promise<boolean> {
  const { tenantId, task, others } = page
  const store = storage.forTenant(tenantId)
  for (let tries = 1; ; tries++) {
    const nowMs = clock.nowMs()
    const change = await handlers[task.type]({ store, ids, now: isoTime(nowMs) }, task, others)
    try {
      if (change === undefined) await finish(store, task, nowMs)
      else await store.commit(change)
      return change !== undefined
    } catch (error) {
      // Another commit changed one of the rows: the page is read and decided again.
      if (!(error instanceof VersionConflict) || tries >= triesMax) throw error
    }
  }
}

async function finish(store: TenantStore, task: Stored<TaskRecord>, nowMs: number): Promise<void> {
  const ageMs = nowMs - Date.parse(task.requestedAt)
  // A negative age: the clock was set back.
  if (ageMs >= 0 && ageMs < settleMs) return
  try {
    await store.commit({ writes: [removalOf('tasks', task)], events: [] })
  } catch (error) {
    if (!(error instanceof VersionConflict)) throw error
  }
}
