/** Time as the service sees it; tests put their own in its place. */
export interface Clock {
  /** Milliseconds since 1970, UTC. */
  nowMs(): number
}
