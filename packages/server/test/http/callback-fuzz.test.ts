import { expect, onTestFinished, test } from 'vitest'
import { createRandom } from '../faults/support/random.ts'
import { fuzzCallbacks } from '../fuzz/callback-fuzz.ts'
import { startCallbackTarget } from '../fuzz/callback-target.ts'

// `npm run fuzz` sends more of them, with any seed.
const seed = 20_261_122
const cases = 400

test('callbacks with mutated forms, wrong signatures and unknown calls get no server error, and change nothing unless they are signed', async () => {
  const target = await startCallbackTarget()
  onTestFinished(target.stop)
  const { taken, faults } = await fuzzCallbacks(target, { random: createRandom(seed), cases })
  expect(faults).toEqual([])
  // Many cases have to be more than refusals, or the handlers were not reached.
  expect(taken).toBeGreaterThan(cases / 4)
  expect((await target.calls()).length).toBeGreaterThan(5)
  const { before, now } = await target.foreignCalls()
  expect(now).toEqual(before)
})
