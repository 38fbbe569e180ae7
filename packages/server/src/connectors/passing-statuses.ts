/** Refusals that say "not now": a timeout of the source, a locked resource, a request that came too early. */
export const passingStatuses: ReadonlySet<number> = new Set([408, 423, 425])
