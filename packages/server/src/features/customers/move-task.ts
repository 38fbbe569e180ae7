import type { TaskStep } from '../../jobs/run-tasks.ts'
import type { TaskRecord } from '../../storage/kinds/tasks.ts'
import { customerGuard } from '../conversations/conversation-references.ts'
import { moveConversations } from './move-conversations.ts'

/** Moves what the merge itself has left. */
export const moveNextConversations: TaskStep = async ({ store }, task, others) => {
  const targetId = heirOf(task, others)
  const writes = await moveConversations(store, { sourceId: task.subjectId, targetId })
  if (writes.length === 0) return undefined
  // An erasure of the target has taken what was still to be moved to it.
  return { writes: [...customerGuard(targetId), ...writes], events: [] }
}

/** The target may have been merged into another one meanwhile. Its task is later than this one and so still there. */
function heirOf({ targetId }: TaskRecord, others: readonly TaskRecord[]): string {
  let heir = targetId ?? ''
  for (const { type, subjectId, targetId: next } of others) {
    if (type === 'moveConversations' && subjectId === heir) heir = next ?? heir
  }
  return heir
}
