import type { RequestMetricsIncrement } from '../../ports/system-store.ts'
import type { RequestMetricsRecord } from '../kinds/request-metrics.ts'
import { addResponseTimes } from '../response-times.ts'
import { endOfUsage } from './usage.ts'

/** Returns the row of the increment's month, with what it adds to the row that is stored. */
export function withMetrics(
  stored: RequestMetricsRecord | undefined,
  { month, tenantId, requests, successful, failed, ...times }: RequestMetricsIncrement,
): RequestMetricsRecord {
  if (stored === undefined) {
    return { _id: month, tenantId, requests, successful, failed, ...times, expiresAt: endOfUsage(month) }
  }
  return {
    ...stored,
    requests: stored.requests + requests,
    successful: stored.successful + successful,
    failed: stored.failed + failed,
    ...addResponseTimes(stored, times),
  }
}
