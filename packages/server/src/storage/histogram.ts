/*
 * Histograms of logarithmic buckets: each bucket is wider than the one before it by the same factor, so the value that stands
 * for a bucket differs from every value in it by at most half of that. Histograms of several sources add up.
 */

/** Values by the number of their bucket; buckets without any are absent. */
export type Buckets = Readonly<Record<string, number>>

export interface HistogramScale {
  /** A value in bucket b lies between growth^(b-1) and growth^b times the shortest one. */
  growth: number
  /** Lesser values count as this one. */
  shortest: number
  /** Greater values count as this one. */
  longest: number
}

export function createHistogram({ growth, shortest, longest }: HistogramScale) {
  const logGrowth = Math.log(growth)
  const bucketCount = Math.ceil(Math.log(longest / shortest) / logGrowth) + 1

  /** Returns the value whose relative distance to both ends of the bucket is the same. */
  function middleOf(bucket: number): number {
    return bucket === 0 ? shortest : (shortest * 2 * growth ** bucket) / (growth + 1)
  }

  return {
    bucketCount,
    bucketOf(value: number): number {
      if (value <= shortest) return 0
      return Math.min(bucketCount - 1, Math.ceil(Math.log(value / shortest) / logGrowth))
    },
    /** Returns the value that this share (0 to 1) of `count` values does not exceed; undefined without values. */
    percentile({ count, buckets }: { count: number; buckets: Buckets }, share: number): number | undefined {
      const rank = Math.ceil(share * count)
      let counted = 0
      let last = 0
      // Keys that are whole numbers are in ascending order in every object.
      for (const [bucket, more] of Object.entries(buckets)) {
        counted += more
        last = Number(bucket)
        if (counted >= rank) break
      }
      return count === 0 ? undefined : middleOf(last)
    },
  }
}

export function addBuckets(to: Buckets, more: Buckets): Record<string, number> {
  const buckets: Record<string, number> = { ...to }
  for (const [bucket, count] of Object.entries(more)) buckets[bucket] = (buckets[bucket] ?? 0) + count
  return buckets
}
