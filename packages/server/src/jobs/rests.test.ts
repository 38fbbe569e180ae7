import { expect, test } from 'vitest'
import { createRests } from './rests.ts'

test('rests a share of the time that the work took, a second at most', async () => {
  const rests: number[] = []
  let nowMs = 0
  const begin = createRests({ elapsedMs: () => nowMs, rest: async (ms) => void rests.push(ms) })
  for (const tookMs of [20, 60_000]) {
    const restAfter = begin()
    nowMs += tookMs
    await restAfter(2)
  }
  expect(rests).toEqual([40, 1_000])
})
