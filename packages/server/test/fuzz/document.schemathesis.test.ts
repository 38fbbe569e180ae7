// Runs at night; by day: effects and matrix ask each operation of the document.

import { expect, test } from 'vitest'
import { runFuzz } from './fuzz-run.ts'

// `npm run fuzz` runs longer, with any seed.
const seed = 20_261_121
const seconds = 60

test('requests generated from the document get no server error and no undocumented response', {
  timeout: 240_000,
}, async () => {
  const { cases, ...report } = await runFuzz({ seed, seconds })
  process.stdout.write(`fuzzing: ${cases} requests in ${seconds} s, seed ${seed}\n`)
  expect(report).toEqual({ seed, findings: '', serverErrors: [], isAlive: true })
  expect(cases).toBeGreaterThan(500)
})
