import { expect } from 'vitest'
import { growingText, growingTexts } from './growing-texts.ts'

const msPerKilobyteMax = 5
const msPerKilobyteGoal = 2
const kilobytes = { half: 32, whole: 64, longer: [128, 256] }
/** 64 KB need twice the time of 32 KB; the square of a length would need four times. */
const ratioMax = 2.5
/** Below it the ratio of two times is mostly noise. */
const noiseMs = 16
/** A function that passes the first round, whose measurements are fewer, needs no other. */
const measurements = { first: 3, later: 5 }
/** Other programs of the machine only ever add to a cost: the least of more measurements is nearer to the truth. */
const roundsMax = 4

export type ForeignText = (text: string) => unknown

/**
 * Expects of each growing text that a function needs time in proportion to 64 KB of it. Prints those that it needs more
 * than the goal for.
 */
export async function expectLinearCost(
  name: string,
  read: ForeignText,
  texts: readonly string[] = Object.keys(growingTexts),
): Promise<void> {
  const broken: string[] = []
  for (const text of texts) {
    const { msPerKilobyte, ratio } = await costOf(read, text)
    const cost = `${text}: ${msPerKilobyte.toFixed(1)} ms per KB, 64 KB / 32 KB ${ratio.toFixed(1)}`
    if (msPerKilobyte > msPerKilobyteMax || ratio > ratioMax) broken.push(cost)
    else if (msPerKilobyte > msPerKilobyteGoal)
      process.stdout.write(`beyond the goal of ${msPerKilobyteGoal} ms per KB: ${name}: ${cost}\n`)
  }
  expect(broken).toEqual([])
}

async function costOf(read: ForeignText, name: string): Promise<{ msPerKilobyte: number; ratio: number }> {
  const ofKilobytes = (count: number) => growingText(name, count * 1024)
  let wholeMs = await cheapest(read, ofKilobytes(kilobytes.whole), 1)
  // The first time compiles the function.
  if (wholeMs >= noiseMs) wholeMs = Math.min(wholeMs, await cheapest(read, ofKilobytes(kilobytes.whole), 1))
  let halfMs = Number.POSITIVE_INFINITY
  const longerMs = kilobytes.longer.map(() => Number.POSITIVE_INFINITY)
  let ratio = 0
  for (let round = 1; round <= roundsMax && wholeMs >= noiseMs; round++) {
    const times = round === 1 ? measurements.first : measurements.later
    halfMs = Math.min(halfMs, await cheapest(read, ofKilobytes(kilobytes.half), times))
    wholeMs = Math.min(wholeMs, await cheapest(read, ofKilobytes(kilobytes.whole), times))
    ratio = wholeMs < noiseMs ? 0 : wholeMs / halfMs
    if (ratio > ratioMax) {
      if (wholeMs / kilobytes.whole > msPerKilobyteMax) break
      // A square shows all the more in longer texts. A step, such as the first collection of garbage, shows once.
      let shorterMs = wholeMs
      for (const [index, count] of kilobytes.longer.entries()) {
        const ms = Math.min(longerMs[index] ?? 0, await cheapest(read, ofKilobytes(count), times))
        longerMs[index] = ms
        ratio = Math.min(ratio, ms / shorterMs)
        shorterMs = ms
      }
    }
    if (wholeMs / kilobytes.whole <= msPerKilobyteMax && ratio <= ratioMax) break
  }
  return { msPerKilobyte: wholeMs / kilobytes.whole, ratio }
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
