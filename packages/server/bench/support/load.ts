import autocannon from 'autocannon'

export interface LoadFigures {
  requestsPerSecond: number
  p50Ms: number
  p99Ms: number
  failures: number
}

/** Keeps `connections` requests running for `seconds`; any response but a 2xx counts as a failure. */
export async function load(options: autocannon.Options & { seconds: number }): Promise<LoadFigures> {
  const { seconds, ...rest } = options
  const result = await autocannon({ connections: 32, ...rest, duration: seconds })
  return {
    requestsPerSecond: Math.round(result['2xx'] / result.duration),
    p50Ms: result.latency.p50,
    p99Ms: result.latency.p99,
    failures: result.non2xx + result.errors,
  }
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN
}
