import type { TaskHandler } from '../../jobs/run-tasks.ts'
import type { TenantReads } from '../../ports/storage.ts'
import { activitiesOfMove } from '../../shared/conversation-log.ts'
import { findMerge, keptPages } from '../../shared/customer-merges.ts'
import { passFaultPoint } from '../../shared/fault-points.ts'
import { moveOfCustomer, rowsMovedBy } from '../../shared/move-of-customer.ts'
import type { CustomerMergeRecord } from '../../storage/kinds/customer-merges.ts'
import type { TaskRecord } from '../../storage/kinds/tasks.ts'
import type { Stored } from '../../storage/records.ts'
import { customerGuard } from '../conversations/conversation-references.ts'

/** Moves the conversations that the merge itself has left. */
export const moveNextConversations: TaskHandler = async ({ store, ids, now }, task, findLater) => {
  // Read before the rows, so that the commit conflicts with whoever takes one of these merges back since.
  const steps = await openStepsOf(store, stepsOf(task, await findLater()))
  const customerId = steps.at(-1)?.task.targetId
  if (!customerId) return undefined
  const writes = await moveOfCustomer(store, { sourceId: task.subjectId, targetId: customerId })
  if (writes.length === 0) return undefined
  passFaultPoint('between-merge-pages')
  const merges = steps.flatMap(({ merge }) => merge ?? [])
  const kept = keptPages(merges, { ids, now, customerId, moved: rowsMovedBy(writes) })
  // Conflicts when the target was erased: its erasure includes the conversations that were not moved yet.
  const log = activitiesOfMove({ ids, now, tenantId: store.tenantId }, writes, { from: task.subjectId })
  return { writes: [...customerGuard(customerId), ...writes, ...kept, ...log], events: [] }
}

/**
 * Returns the task and those that move its target on: the target may have been merged into another customer since. That
 * task is later than this one and so still open.
 */
function stepsOf(task: TaskRecord, later: readonly TaskRecord[]): TaskRecord[] {
  const steps = [task]
  let target = task.targetId
  for (const next of later) {
    if (next.type !== 'moveConversations' || next.subjectId !== target) continue
    steps.push(next)
    target = next.targetId
  }
  return steps
}

interface Step {
  task: TaskRecord
  /** Undefined for a merge of an earlier version, and for that of a sign-in: they keep nothing. */
  merge: Stored<CustomerMergeRecord> | undefined
}

/** Returns the steps up to the first one that was taken back: from there on the rows stay with the source. */
async function openStepsOf(store: TenantReads, tasks: readonly TaskRecord[]): Promise<Step[]> {
  const steps = await Promise.all(
    tasks.map(async (task): Promise<Step> => {
      return { task, merge: await findMerge(store, { sourceId: task.subjectId, taskId: task._id }) }
    }),
  )
  const end = steps.findIndex(({ merge }) => merge !== undefined && merge.state !== 'merged')
  return end < 0 ? steps : steps.slice(0, end)
}
