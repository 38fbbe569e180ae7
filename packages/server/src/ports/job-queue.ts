/**
 * Wake-ups for the background jobs, which are named as in `main/compose/job-registry.ts`. The rows in storage are the truth: a
 * wake-up only says when to poll them. It may come early, late, twice or never. Its receiver reads from storage which
 * work is due, and the scheduler polls each job every second without any wake-up.
 */
export interface JobQueue {
  /** Asks for a wake-up of this job at `atMs` (ms since 1970), or immediately without it. Never throws, never blocks. */
  wake(job: string, atMs?: number): void
  /** Registers the one receiver of this process. Calls for one job never overlap. */
  start(onWake: (job: string) => Promise<void>): Promise<void>
  /** Begins no further call; resolves when the running ones have ended. */
  stop(): Promise<void>
  /** Returns whether wake-ups work at present. */
  isHealthy(): boolean
}
