import type { JobDeclaration } from '../../jobs/background-job.ts'
import type { JobQueue } from '../../ports/job-queue.ts'
import type { Committed } from '../../ports/storage.ts'
import { backgroundJobs } from './job-registry.ts'

/** Turns each commit into the wake-ups that it makes necessary, so that due work need not wait for the next poll. */
export function wakeOnCommit(queue: Pick<JobQueue, 'wake'>): (commit: Committed) => void {
  const jobs = Object.entries<JobDeclaration>(backgroundJobs)
  return (commit) => {
    for (const [name, { wakeOnCommit: wakeFor }] of jobs) wakeFor?.(commit, (atMs) => queue.wake(name, atMs))
  }
}
