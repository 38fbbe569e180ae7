import type { AttemptRecord } from '../../ports/records.ts'
import { attemptDueAt } from '../../ports/storage-rules/attempts.ts'
import { encodeRow } from './encode-row.ts'
import type { Reach } from './scope.ts'

/** Attempts of one webhook wait in one queue. */
export function queueOf({ tenantId, webhookId }: { tenantId: string; webhookId: string }): string {
  return JSON.stringify([tenantId, webhookId])
}

/** Writes attempts, and for each pending one the row by which it is found when it is due. */
export async function insertAttempts(reach: Reach, attempts: readonly AttemptRecord[]): Promise<void> {
  const rows = attempts.map((attempt) => ({ id: attempt._id, row: encodeRow(attempt) }))
  const due = attempts.flatMap((attempt) => {
    const dueAt = attemptDueAt(attempt)
    if (dueAt === null) return []
    const { _id: id, webhookId } = attempt
    return [{ id, keys: { dueAt, webhookId, queue: queueOf(attempt) } }]
  })
  await reach.insert('attempts', rows)
  await reach.insert('dueAttempts', due)
}
