import type { AttemptResult } from '../../../storage/records.ts'

interface Lease {
  tenantId: string
  attemptId: string
  lockToken: string
  /** When the lease began, and when it ends. */
  now: string
  until: string
  deliveryQueue: string
}

/** With more leases than this, expired ones are removed. It is far more than any worker claims at once. */
const removeExpiredAbove = 10_000

/** The leases of attempts that this process has claimed and not yet finished, by row number. */
export interface DeliveryLeases {
  add(n: number, lease: Lease): void
  /** Returns when the lease on a row ends; undefined when it has none. */
  heldUntil(n: number, now: string): string | undefined
  /** Returns how many rows at the front of a delivery queue may be leased. */
  countOf(deliveryQueue: string): number
  /** Returns the row of an attempt; undefined when its lease has another token by now. */
  rowOf(result: AttemptResult): number | undefined
  release(result: AttemptResult): void
}

/** Begins a lease anew when it began much later than now: the clock was set back. */
function followSetback(lease: Lease, now: string): void {
  if (lease.now <= now) return
  const [madeMs, untilMs, nowMs] = [Date.parse(lease.now), Date.parse(lease.until), Date.parse(now)]
  if (madeMs - nowMs <= untilMs - madeMs) return
  lease.now = now
  lease.until = new Date(nowMs + untilMs - madeMs).toISOString()
}

export function createDeliveryLeases(): DeliveryLeases {
  const leases = new Map<number, Lease>()
  const rows = new Map<string, number>()
  const counts = new Map<string, number>()
  const keyOf = (of: Pick<Lease, 'tenantId' | 'attemptId'>) => `${of.tenantId}\u0000${of.attemptId}`

  function remove(n: number, lease: Lease): void {
    leases.delete(n)
    rows.delete(keyOf(lease))
    const left = (counts.get(lease.deliveryQueue) ?? 1) - 1
    if (left > 0) counts.set(lease.deliveryQueue, left)
    else counts.delete(lease.deliveryQueue)
  }

  function rowOf(result: AttemptResult): number | undefined {
    const n = rows.get(keyOf(result))
    const lease = n === undefined ? undefined : leases.get(n)
    return lease?.lockToken === result.lockToken ? n : undefined
  }

  return {
    rowOf,
    add(n, lease) {
      const before = leases.get(n)
      if (before) remove(n, before)
      if (leases.size > removeExpiredAbove) {
        for (const [old, held] of leases) if (held.until <= lease.now) remove(old, held)
      }
      leases.set(n, lease)
      rows.set(keyOf(lease), n)
      counts.set(lease.deliveryQueue, (counts.get(lease.deliveryQueue) ?? 0) + 1)
    },
    heldUntil(n, now) {
      const lease = leases.get(n)
      if (!lease) return undefined
      followSetback(lease, now)
      return lease.until > now ? lease.until : undefined
    },
    countOf: (deliveryQueue) => counts.get(deliveryQueue) ?? 0,
    release(result) {
      const n = rowOf(result)
      const lease = n === undefined ? undefined : leases.get(n)
      if (n !== undefined && lease) remove(n, lease)
    },
  }
}
