import type { TaskHandler } from '../../jobs/run-tasks.ts'
import { nextReturn } from '../../shared/return-rows.ts'

/** Moves the next page of a merge that was taken back, and says at the end that both customers are whole again. */
export const returnNextRows: TaskHandler = async ({ store, ids, now }, { subjectId: mergeId }) => {
  const merge = await store.customerMerges.find(mergeId)
  const returned = merge && (await nextReturn({ store, ids, now }, merge))
  return returned && { writes: returned.writes, events: returned.events }
}
