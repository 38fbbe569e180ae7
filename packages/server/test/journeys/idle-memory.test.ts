import { expect, test } from 'vitest'
import { startObserved } from '../support/start-observed.ts'

test('an idle server gives back the memory that its start needed', async () => {
  const server = await startObserved('report-young-generation.ts')
  const sizes = () =>
    [...server.stderr().matchAll(/young generation (\d+) MiB/g)].map((found) => Number(found[1]))
  await expect.poll(() => sizes().at(-1), { interval: 500 }).toBeLessThanOrEqual(4)
  // Otherwise there was nothing to give back.
  expect(Math.max(...sizes())).toBeGreaterThan(16)
  const response = await fetch(server.url)
  expect(response.status).toBe(200)
})
