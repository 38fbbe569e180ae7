import type { TaskHandler } from '../../jobs/run-tasks.ts'
import { moveOfCustomer } from '../../shared/move-of-customer.ts'
import type { TaskRecord } from '../../storage/kinds/tasks.ts'
import { customerGuard } from '../conversations/conversation-references.ts'

/** Moves the conversations that the merge itself has left. */
export const moveNextConversations: TaskHandler = async ({ store }, task, findLater) => {
  const targetId = finalTargetOf(task, await findLater())
  const writes = await moveOfCustomer(store, { sourceId: task.subjectId, targetId })
  if (writes.length === 0) return undefined
  // Conflicts when the target was erased: its erasure includes the conversations that were not moved yet.
  return { writes: [...customerGuard(targetId), ...writes], events: [] }
}

/** The target may have been merged into another customer since. That task is later than this one and so still open. */
function finalTargetOf({ targetId }: TaskRecord, later: readonly TaskRecord[]): string {
  let target = targetId ?? ''
  for (const { type, subjectId, targetId: next } of later) {
    if (type === 'moveConversations' && subjectId === target) target = next ?? target
  }
  return target
}
