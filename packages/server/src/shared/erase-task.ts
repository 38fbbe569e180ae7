import type { TaskStep } from '../background/run-tasks.ts'
import { type ErasedKind, erasedPerCommitMax } from '../ports/storage-rules/erased.ts'
import { passFaultPoint } from './fault-points.ts'

/** Removes what the deletion itself has left. Nothing of it could be seen meanwhile. */
function eraseNextOf(kind: ErasedKind): TaskStep {
  return async ({ store }, { subjectId: id, requestedAt: at }) => {
    const count = await store.eraseNext({ kind, id, at, limit: erasedPerCommitMax })
    passFaultPoint('between-erasure-pages')
    return count === 0 ? undefined : { writes: [], events: [] }
  }
}

export const eraseNextOfCustomer = eraseNextOf('customers')
export const eraseNextOfConversation = eraseNextOf('conversations')
