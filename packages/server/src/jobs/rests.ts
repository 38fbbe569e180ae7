import { setTimeout as wait } from 'node:timers/promises'

export interface Pace {
  /** Milliseconds from any moment on, which never go backwards. */
  elapsedMs?: () => number
  rest?: (ms: number) => Promise<void>
}

/** A stop of the process waits for the end of a rest, and a storage that was away for a minute is no reason for a long one. */
const longestMs = 1_000

/**
 * Paces work in the background on which writes of requests wait. The returned function begins a piece of work, and returns a function
 * that rests `share` times as long as the piece took, a second at most.
 */
export function createRests({ elapsedMs = () => performance.now(), rest = (ms) => wait(ms) }: Pace) {
  return () => {
    const startMs = elapsedMs()
    return (share: number) => rest(Math.min(share * (elapsedMs() - startMs), longestMs))
  }
}
