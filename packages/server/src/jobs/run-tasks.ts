import type { IdFactory } from '@crmkit/core'
import type { HandlerContext } from '../features/handler.ts'
import type { Change } from '../ports/change.ts'
import type { Clock } from '../ports/clock.ts'
import type { Log } from '../ports/log.ts'
import type { Storage, TenantStore } from '../ports/storage.ts'
import { isoTime } from '../shared/clock.ts'
import { StorageUnavailable, VersionConflict } from '../storage/errors.ts'
import type { TaskRecord } from '../storage/kinds/tasks.ts'
import type { TenantId } from '../storage/records.ts'
import type { Step } from './scheduler.ts'

/** Of many processes one works; when it dies another one goes on after this time. */
const leaseName = 'tasks'
const leaseMs = 10_000
const tasksMax = 100
/** A request that had read before the task began may still commit: the task stays until none can have. */
const settleMs = 10_000
const againMs = 1_000
const triesMax = 5

/** Reads and decides, as a handler does: the next page of a task's work, undefined when nothing is left. */
export type TaskStep = (
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
  /** Tells this process from every other one. */
  holder: string
  steps: Readonly<Record<TaskRecord['type'], TaskStep>>
}

type Found = Awaited<ReturnType<Storage['system']['listTasks']>>

/**
 * Does the rest of what a commit has begun and that is too much for one commit. Each page is a commit of its own, and
 * the task's row goes with the last one: what a killed process leaves, the next one goes on with.
 */
export function createRunTasks(parts: TaskParts): Step {
  const { clock, holder, log } = parts
  const { system } = parts.storage
  let isHolder = false
  let isStopped = false
  const takeLease = async () => {
    const now = isoTime(clock.nowMs())
    isHolder = await system.takeLease({ name: leaseName, holder, now, leaseMs })
    return isHolder
  }

  async function tryPage(page: Page): Promise<boolean> {
    try {
      return await doPage(parts, page)
    } catch (error) {
      if (error instanceof StorageUnavailable) throw error
      const { _id: taskId, type } = page.task
      log.error({ err: error, taskId, type }, 'A task failed; it is tried again')
      return false
    }
  }

  /** A page of each in turn, so that a long task keeps no other one waiting. */
  async function work(found: Found): Promise<void> {
    let open: Page[] = found.map(({ tenantId, task }) => {
      const others = found.filter((other) => other.tenantId === tenantId).map((other) => other.task)
      return { tenantId, task, others }
    })
    while (open.length > 0) {
      const again: Page[] = []
      for (const page of open) {
        if (isStopped || !(await takeLease())) return
        if (await tryPage(page)) again.push(page)
      }
      open = again
    }
  }

  return {
    runDue: async () => {
      const found = await system.listTasks(tasksMax)
      if (found.length === 0 || !(await takeLease())) return null
      await work(found)
      return clock.nowMs() + againMs
    },
    stop: async () => {
      isStopped = true
      if (isHolder) await system.releaseLease({ name: leaseName, holder })
    },
  }
}

interface Page {
  tenantId: TenantId
  task: TaskRecord
  others: readonly TaskRecord[]
}

/** Whether there may be more to do at once. */
async function doPage({ storage, clock, ids, steps }: TaskParts, page: Page): Promise<boolean> {
  const { tenantId, task, others } = page
  const store = storage.forTenant(tenantId)
  for (let tries = 1; ; tries++) {
    const nowMs = clock.nowMs()
    const change = await steps[task.type]({ store, ids, now: isoTime(nowMs) }, task, others)
    try {
      if (change === undefined) await finish(store, task, nowMs)
      else await store.commit(change)
      return change !== undefined
    } catch (error) {
      // Somebody changed one of the rows: the page is made anew.
      if (!(error instanceof VersionConflict) || tries >= triesMax) throw error
    }
  }
}

async function finish(store: TenantStore, task: TaskRecord, nowMs: number): Promise<void> {
  const ageMs = nowMs - Date.parse(task.requestedAt)
  // A negative age: the clock was set back.
  if (ageMs >= 0 && ageMs < settleMs) return
  try {
    await store.commit({ writes: [{ op: 'remove', kind: 'tasks', id: task._id }], events: [] })
  } catch (error) {
    if (!(error instanceof VersionConflict)) throw error
  }
}
