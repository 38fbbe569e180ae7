import { addBuckets, type Buckets, createHistogram } from './histogram.ts'

/** Each bucket is 2 % wider than the one before it: the error is at most 1 %. In milliseconds. */
const times = createHistogram({ growth: 1.02, shortest: 0.01, longest: 3_600_000 })
export const { bucketCount, bucketOf } = times

export interface ResponseTimes {
  /** Number of requests that were timed. */
  timed: number
  totalMs: number
  /** Requests by the number of their bucket. */
  buckets: Buckets
}

export const noResponseTimes: ResponseTimes = { timed: 0, totalMs: 0, buckets: {} }

export function addResponseTimes(to: ResponseTimes, more: ResponseTimes): ResponseTimes {
  const buckets = addBuckets(to.buckets, more.buckets)
  return { timed: to.timed + more.timed, totalMs: to.totalMs + more.totalMs, buckets }
}

/** Returns the time that this share of the requests (0 to 1) does not exceed, in milliseconds; 0 without requests. */
export function percentileMs({ timed, buckets }: ResponseTimes, share: number): number {
  return times.percentile({ count: timed, buckets }, share) ?? 0
}
