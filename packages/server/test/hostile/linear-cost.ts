import { expect } from 'vitest'

const msPerKilobyte = 5
const kilobytes = { half: 32, whole: 64 }
/** 64 KB need twice the time of 32 KB; the square of a length would need four times. */
const ratioMax = 2.5
/** A text that costs so little does no harm, and its time is mostly noise. */
const negligibleMs = 96
const measurements = 5
/** Other programs of the machine only ever add to a cost: the least of more measurements is nearer to the truth. */
const roundsMax = 4

export type ForeignText = (text: string) => unknown

/** Expects that a function needs time in proportion to a text of 64 KB. */
export async function expectLinearCost(read: ForeignText, textOf: (length: number) => string): Promise<void> {
  const [half, whole] = [textOf(kilobytes.half * 1024), textOf(kilobytes.whole * 1024)]
  let wholeMs = await cheapest(read, whole, 1)
  let halfMs = Number.POSITIVE_INFINITY
  for (let round = 1; round <= roundsMax; round++) {
    if (wholeMs < negligibleMs) return
    halfMs = Math.min(halfMs, await cheapest(read, half, measurements))
    wholeMs = Math.min(wholeMs, await cheapest(read, whole, measurements))
    if (wholeMs / kilobytes.whole <= msPerKilobyte && wholeMs / halfMs <= ratioMax) return
  }
  expect(wholeMs / kilobytes.whole, 'ms per KB').toBeLessThanOrEqual(msPerKilobyte)
  expect(wholeMs / halfMs, 'time of 64 KB / 32 KB').toBeLessThanOrEqual(ratioMax)
}

async function cheapest(read: ForeignText, text: string, times: number): Promise<number> {
  const costs: number[] = []
  for (let count = 0; count < times; count++) {
    const before = process.cpuUsage()
    await read(text)
    const { user, system } = process.cpuUsage(before)
    costs.push((user + system) / 1000)
  }
  return Math.min(...costs)
}
