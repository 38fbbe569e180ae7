import { passFaultPoint } from '../shared/fault-points.ts'
import type { ErasedKind } from '../storage/kinds/registry.ts'
import { erasedPerCommitMax } from '../storage/rules/erased.ts'
import type { TaskStep } from './run-tasks.ts'

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
