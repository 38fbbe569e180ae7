import type { getMetrics } from '@crmkit/core'
import { storedMonth } from '../../shared/monthly-usage.ts'
import { noResponseTimes, percentileMs } from '../../storage/response-times.ts'
import type { Handler } from '../handler.ts'
import { percentOf } from './percent.ts'

const noRequests = { requests: 0, successful: 0, failed: 0, ...noResponseTimes }

/** Five digits of a time add nothing to its error of 1 %. */
function rounded(milliseconds: number): number {
  return Number(milliseconds.toPrecision(5))
}

export const handleGetMetrics: Handler<typeof getMetrics> = async ({ store, now }, { query }) => {
  const month = storedMonth(query.month, now)
  const metrics = (await store.usage.findMetrics(month)) ?? noRequests
  const { requests, successful, failed, timed, totalMs } = metrics
  const data = {
    month,
    averageResponseTime: timed === 0 ? 0 : rounded(totalMs / timed),
    p95ResponseTime: rounded(percentileMs(metrics, 0.95)),
    p99ResponseTime: rounded(percentileMs(metrics, 0.99)),
    errorRate: percentOf(failed, requests),
    totalRequests: requests,
    successfulRequests: successful,
    failedRequests: failed,
  }
  return { reply: { success: true, data } }
}
