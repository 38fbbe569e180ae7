import type { LeaseClaim } from '../../ports/system-store.ts'

/** Returns when a claimed lease ends, and the latest end that is possible unless the clock was set back since. */
export function leaseBounds({ now, leaseMs }: LeaseClaim): { until: string; implausibleAfter: string } {
  const after = (milliseconds: number) => new Date(Date.parse(now) + milliseconds).toISOString()
  // Twice the time, because the clocks of two machines differ a little.
  return { until: after(leaseMs), implausibleAfter: after(2 * leaseMs) }
}
