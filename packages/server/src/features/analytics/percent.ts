/** Returns a part as a percentage of the whole, with 2 decimals. Any part of nothing is 100 %, and no part of it 0 %. */
export function percentOf(part: number, whole: number): number {
  if (part === 0) return 0
  return whole === 0 ? 100 : Math.round((part / whole) * 10_000) / 100
}
