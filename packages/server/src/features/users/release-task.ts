import type { TaskStep } from '../../jobs/run-tasks.ts'
import { releaseUser } from './release-user.ts'

/** Releases what the deletion itself has left, and what was given to the user at that very moment. */
export const releaseNextOfUser: TaskStep = async (ctx, { subjectId }) => {
  const change = await releaseUser(ctx, subjectId)
  return change.writes.length === 0 ? undefined : change
}
