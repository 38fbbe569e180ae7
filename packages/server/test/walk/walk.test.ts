import { expect, test } from 'vitest'
import { walked as walkedOperations } from './coverage.ts'
import { planted } from './planted.ts'
import { shrink } from './shrink.ts'
import type { Step } from './step-kind.ts'
import { chooseStep, Difference, walk } from './walk.ts'
import { openWorld, type Plant } from './world.ts'

const seed = 7

/** The first steps of a seed, or the steps of a list, on a fresh SQLite file. */
async function walked(given: { count: number } | { steps: readonly Step[] }, plant?: Plant) {
  const worlds = [await openWorld('sqlite', plant)]
  return walk({
    worlds,
    next: (model, n) =>
      'steps' in given ? given.steps[n - 1] : n > given.count ? undefined : chooseStep(model, seed, n),
  })
}

test('a walk finds no difference between the service and the model of the contract', async () => {
  const { steps, difference } = await walked({ count: 120 })
  expect(difference?.message).toBeUndefined()
  expect(steps).toHaveLength(120)
})

test('a walk is repeated by its seed, and by its list of steps', async () => {
  const first = await walked({ count: 60 })
  expect((await walked({ count: 60 })).steps).toEqual(first.steps)
  expect((await walked({ steps: first.steps })).difference).toBeUndefined()
})

test.each(Object.entries(planted))(
  '%s is found within 150 steps',
  async (_name, { plant, found }) => {
    const { difference } = await walked({ count: 150 }, plant)
    expect(difference?.message).toMatch(found)
  },
  120_000,
)

test('a list of steps that fails becomes as short as the mistake needs', async () => {
  const steps = Array.from(
    { length: 100 },
    (_, index): Step => ({ n: index + 1, do: 'time.passes', with: {} }),
  )
  const needed = [17, 80]
  const shorter = await shrink(steps, async (some) => {
    const isFailing = needed.every((n) => some.some((step) => step.n === n))
    return isFailing ? new Difference({ message: 'it fails', step: some.length, world: 'sqlite' }) : undefined
  })
  expect(shorter.steps.map(({ n }) => n)).toEqual(needed)
})

test('no operation waits for its step', () => {
  const entries = Object.entries(walkedOperations)
  const later = entries.filter(([, one]) => typeof one === 'object' && one.out === 'later')
  expect(later).toEqual([])
})
