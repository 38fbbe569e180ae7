/** A holder of one of a few places, such as a connection or a run. */
export interface Held {
  readonly tenantId: string
  readonly startedAtMs: number
}

type HeldPlaces = ReadonlyMap<string, Held>

interface Running {
  held: HeldPlaces
  /** When a waiting one last had a place; absent: never. */
  servedAtMs: ReadonlyMap<string, number>
}

/** Orders those that wait: of tenants with the fewest places first, then those that wait for longest. */
export function chooseNext<W extends { key: string; tenantId: string }>(
  waiting: readonly W[],
  { held, servedAtMs }: Running,
): W[] {
  const counts = countByTenant(held)
  const servedAt = ({ key }: W) => servedAtMs.get(key) ?? 0
  const ranked = [...waiting]
    .sort((a, b) => servedAt(a) - servedAt(b))
    .map((each) => {
      const rank = counts.get(each.tenantId) ?? 0
      counts.set(each.tenantId, rank + 1)
      return { each, rank }
    })
  return ranked.sort((a, b) => a.rank - b.rank).map(({ each }) => each)
}

interface Choice {
  /** The tenant that waits for a place. */
  tenantId: string
  nowMs: number
  /** A place that is held for less is not taken. */
  heldMsMin: number
  /** The same for a tenant that would still have more places than the one that waits. */
  surplusMsMin?: number
}

/**
 * Returns who gives a place to a tenant that waits: the oldest one of the tenant with the most places; undefined while all are
 * young, or when that would take one from a tenant with fewer.
 */
export function chooseVictim(
  held: HeldPlaces,
  { tenantId, nowMs, heldMsMin, surplusMsMin = heldMsMin }: Choice,
): string | undefined {
  const counts = countByTenant(held)
  const own = counts.get(tenantId) ?? 0
  const countOf = (one: Held) => counts.get(one.tenantId) ?? 0
  const msMin = (one: Held) => (countOf(one) > own + 1 ? surplusMsMin : heldMsMin)
  const found = [...held]
    .filter(([, one]) => countOf(one) >= own && nowMs - one.startedAtMs >= msMin(one))
    .sort(([, a], [, b]) => countOf(b) - countOf(a) || a.startedAtMs - b.startedAtMs)
  return found[0]?.[0]
}

export function countByTenant(held: HeldPlaces): Map<string, number> {
  const counts = new Map<string, number>()
  for (const { tenantId } of held.values()) counts.set(tenantId, (counts.get(tenantId) ?? 0) + 1)
  return counts
}
