/** The kinds of due work. Rows in storage are the truth; the queue only says when to look. */
export const jobKinds = ['deliveries', 'snoozes', 'tasks', 'attachments', 'sweep'] as const
export type JobKind = (typeof jobKinds)[number]

/**
 * A wake-up call. It may come early, late, twice or never: whoever is woken looks into the storage for
 * what is due, and a sweep does the same every second without any call.
 */
export interface JobQueue {
  /** Asks for a wake-up of this kind at a time (ms since 1970) or, without one, at once. Never throws, never blocks. */
  wake(kind: JobKind, atMs?: number): void
  /** Registers the one receiver of this process. Calls for one kind never overlap. */
  start(onWake: (kind: JobKind) => Promise<void>): Promise<void>
  /** No call begins afterwards; resolves when the running ones have ended. */
  stop(): Promise<void>
  /** Whether wake-ups work just now. */
  isHealthy(): boolean
}
