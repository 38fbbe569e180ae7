import type { LeaseClaim } from '../../ports/storage.ts'

/** When a claimed lease ends, and the end that only a clock which was set back since can explain. */
export function leaseBounds({ now, leaseMs }: LeaseClaim): { until: string; implausibleAfter: string } {
  const after = (milliseconds: number) => new Date(Date.parse(now) + milliseconds).toISOString()
  // Twice the time, because the clocks of two machines differ a little.
  return { until: after(leaseMs), implausibleAfter: after(2 * leaseMs) }
}
