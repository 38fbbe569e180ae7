import type { TaskHandler } from '../../jobs/run-tasks.ts'
import { releaseUser } from './release-user.ts'

/** Releases conversations that the deletion itself has left, and those that were assigned to the user during it. */
export const releaseNextOfUser: TaskHandler = async (ctx, { subjectId }) => {
  const change = await releaseUser(ctx, subjectId)
  return change.writes.length === 0 ? undefined : change
}
