import type { AttemptResult } from '../../ports/records.ts'

interface Lease {
  /** The attempt's row number. */
  n: number
  lockToken: string
  /** When it was made. */
  now: string
  until: string
  lane: string
}

/** Above this the leases that have run out are looked for. Far more than any worker claims at once. */
const sweptAbove = 10_000

/** What this process has claimed and not yet finished. */
export interface DeliveryLeases {
  add(attempt: { tenantId: string; id: string } & Lease): void
  /** When the lease on an attempt ends; undefined when nobody holds it. */
  heldUntil(attempt: { tenantId: string; id: string; now: string }): string | undefined
  /** How many rows at the front of a lane may be leased. */
  countOf(lane: string): number
  /** The row of an attempt whose token still holds. */
  rowOf(result: AttemptResult): number | undefined
  release(result: AttemptResult): void
}

/** A lease that was made much later than now: the clock was set back, and the lease begins anew. */
function followSetback(lease: Lease, now: string): void {
  if (lease.now <= now) return
  const [madeMs, untilMs, nowMs] = [Date.parse(lease.now), Date.parse(lease.until), Date.parse(now)]
  if (madeMs - nowMs <= untilMs - madeMs) return
  lease.now = now
  lease.until = new Date(nowMs + untilMs - madeMs).toISOString()
}

export function createDeliveryLeases(): DeliveryLeases {
  const leases = new Map<string, Lease>()
  const counts = new Map<string, number>()
  const keyOf = ({ tenantId, id }: { tenantId: string; id: string }) => `${tenantId}\u0000${id}`
  const keyOfResult = ({ tenantId, attemptId }: AttemptResult) => keyOf({ tenantId, id: attemptId })

  function remove(key: string, { lane }: Lease): void {
    leases.delete(key)
    const left = (counts.get(lane) ?? 1) - 1
    if (left > 0) counts.set(lane, left)
    else counts.delete(lane)
  }

  return {
    add({ tenantId, id, ...lease }) {
      const key = keyOf({ tenantId, id })
      const before = leases.get(key)
      if (before) remove(key, before)
      if (leases.size > sweptAbove) {
        for (const [old, held] of leases) if (held.until <= lease.now) remove(old, held)
      }
      leases.set(key, lease)
      counts.set(lease.lane, (counts.get(lease.lane) ?? 0) + 1)
    },
    heldUntil(attempt) {
      const lease = leases.get(keyOf(attempt))
      if (!lease) return undefined
      followSetback(lease, attempt.now)
      return lease.until > attempt.now ? lease.until : undefined
    },
    countOf: (lane) => counts.get(lane) ?? 0,
    rowOf(result) {
      const lease = leases.get(keyOfResult(result))
      return lease?.lockToken === result.lockToken ? lease.n : undefined
    },
    release(result) {
      const key = keyOfResult(result)
      const lease = leases.get(key)
      if (lease?.lockToken === result.lockToken) remove(key, lease)
    },
  }
}
