import type { SystemStore } from './system-store.ts'

/** The work that waits for a job. The metric, its alert and the row of the operating page follow from it. */
export interface JobBacklog {
  /** The things that wait, in words, for the operating page. */
  readonly waits: string
  /** Work that is due for longer says that something is wrong. */
  readonly lateAfterMinutes: number
  /** Returns when the work that waits longest was due; null when nothing waits. A moment in the future is not late. */
  oldestDue(system: SystemStore, now: string): Promise<string | null>
}
