import { passFaultPoint } from '../shared/fault-points.ts'
import type { ErasedKind } from '../storage/kinds/registry.ts'
import { erasedPerCommitMax } from '../storage/rules/erased.ts'
import type { TaskHandler } from './run-tasks.ts'

/** Removes the rows that the deletion itself has left. Readers have not seen any of them since. */
function eraseNextOf(kind: ErasedKind): TaskHandler {
  return async ({ store }, { subjectId: id, requestedAt: at }) => {
    const count = await store.eraseNext({ kind, id, at, limit: erasedPerCommitMax })
    passFaultPoint('between-erasure-pages')
    return count === 0 ? undefined : { writes: [], events: [] }
  }
}

export const eraseNextOfCustomer = eraseNextOf('customers')
export const eraseNextOfConversation = eraseNextOf('conversations')
export const eraseNextOfMessage = eraseNextOf('messages')
