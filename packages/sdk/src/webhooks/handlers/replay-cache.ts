/**
 * The ids of handled events. `begin` must be atomic: of two calls with one id at the same time
 * only one gets `new` (in Redis: `SET id running NX EX 60`; in SQL: an insert under a unique key).
 */
export interface ReplayCache {
  /**
   * `new`: the caller now handles the event. `running`: another call handles it. `done`: it was handled.
   * A `running` entry should expire (after a minute), in case its process died.
   */
  begin(eventId: string): ReplayState | Promise<ReplayState>
  /** From now on `begin` returns `done`. */
  succeed(eventId: string): void | Promise<void>
  /** The handler threw: from now on `begin` returns `new` again. */
  fail(eventId: string): void | Promise<void>
}

export type ReplayState = 'new' | 'running' | 'done'

/** A cache for one process: the latest `size` events (default 10,000), lost when the process ends. */
export function memoryReplayCache({ size = 10_000 }: { size?: number | undefined } = {}): ReplayCache {
  const states = new Map<string, ReplayState>()
  return {
    begin(eventId) {
      const state = states.get(eventId)
      if (state !== undefined) return state
      states.set(eventId, 'running')
      if (states.size > size) forgetOldest(states)
      return 'new'
    },
    succeed(eventId) {
      states.set(eventId, 'done')
    },
    fail(eventId) {
      states.delete(eventId)
    },
  }
}

/** A map keeps the order of insertion. Running events stay: a second delivery could be handled at the same time. */
function forgetOldest(states: Map<string, ReplayState>): void {
  for (const [eventId, state] of states) {
    if (state !== 'done') continue
    states.delete(eventId)
    return
  }
}
