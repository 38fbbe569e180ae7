import type { JobDeclaration } from '../../jobs/background-job.ts'
import type { JobQueue } from '../../ports/job-queue.ts'
import type { CommitListeners } from '../../shared/commit-listeners.ts'
import { backgroundJobs } from './job-registry.ts'

/** Turns each commit into the wake-ups that it makes necessary, so that due work need not wait for the next poll. */
export function wakeOnCommit(commits: CommitListeners, queue: Pick<JobQueue, 'wake'>): void {
  for (const [name, { wakes }] of Object.entries<JobDeclaration>(backgroundJobs)) {
    if (wakes !== undefined)
      commits.add(wakes.on, (commit) => wakes.ask(commit, (atMs) => queue.wake(name, atMs)))
  }
}
