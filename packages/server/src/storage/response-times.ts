/*
 * Response times as a histogram of logarithmic buckets: each bucket is 2 % wider than the one before it, so the value that
 * stands for a bucket differs from every time in it by at most 1 %. Histograms of several processes add up.
 */

/** A time in bucket b lies between growth^(b-1) and growth^b times the shortest time. */
const growth = 1.02
const logGrowth = Math.log(growth)
/** Shorter times count as this long. */
const shortestMs = 0.01
const longestMs = 3_600_000
export const bucketCount = Math.ceil(Math.log(longestMs / shortestMs) / logGrowth) + 1

export interface ResponseTimes {
  /** Number of requests that were timed. */
  timed: number
  totalMs: number
  /** Requests by the number of their bucket; buckets without any are absent. */
  buckets: Readonly<Record<string, number>>
}

export const noResponseTimes: ResponseTimes = { timed: 0, totalMs: 0, buckets: {} }

export function bucketOf(responseTimeMs: number): number {
  if (responseTimeMs <= shortestMs) return 0
  return Math.min(bucketCount - 1, Math.ceil(Math.log(responseTimeMs / shortestMs) / logGrowth))
}

/** Returns the time whose relative distance to both ends of the bucket is the same. */
function timeOf(bucket: number): number {
  return bucket === 0 ? shortestMs : (shortestMs * 2 * growth ** bucket) / (growth + 1)
}

export function addResponseTimes(to: ResponseTimes, more: ResponseTimes): ResponseTimes {
  const buckets: Record<string, number> = { ...to.buckets }
  for (const [bucket, count] of Object.entries(more.buckets)) buckets[bucket] = (buckets[bucket] ?? 0) + count
  return { timed: to.timed + more.timed, totalMs: to.totalMs + more.totalMs, buckets }
}

/** Returns the time that this share of the requests (0 to 1) does not exceed, in milliseconds; 0 without requests. */
export function percentileMs({ timed, buckets }: ResponseTimes, share: number): number {
  const rank = Math.ceil(share * timed)
  let counted = 0
  let last = 0
  // Keys that are whole numbers are in ascending order in every object.
  for (const [bucket, count] of Object.entries(buckets)) {
    counted += count
    last = Number(bucket)
    if (counted >= rank) break
  }
  return timed === 0 ? 0 : timeOf(last)
}
