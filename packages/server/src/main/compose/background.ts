import type { JobDeclaration, JobParts } from '../../jobs/background-job.ts'
import { createScheduler, type ScheduledJob, type Scheduler } from '../../jobs/scheduler.ts'
import type { CommitListeners } from '../../shared/commit-listeners.ts'
import { version } from '../../shared/version.ts'
import { backgroundJobs } from './job-registry.ts'
import type { Parts } from './parts.ts'

/** Makes every background job of the registry, and the scheduler that polls them. */
export function composeScheduler(
  parts: Parts &
    Pick<JobParts, 'meters' | 'quotas' | 'budgets' | 'live' | 'erasures'> & { commits: CommitListeners },
): Scheduler {
  const { commits, queue, clock, log, meters } = parts
  const jobs = Object.entries<JobDeclaration>(backgroundJobs).map(([name, declaration]): ScheduledJob => {
    const job = declaration.make({ ...parts, version, wake: (atMs) => queue.wake(name, atMs) })
    if (job.onCommitted && declaration.wakes) commits.add(declaration.wakes.on, job.onCommitted)
    return { name, job, pollEveryMs: declaration.pollEveryMs }
  })
  return createScheduler({ jobs, queue, clock, log, meters })
}
