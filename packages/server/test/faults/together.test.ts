import { expect, it } from 'vitest'
import { failuresOf } from './support/fault-run.ts'
import { runTogether } from './support/together-run.ts'

it('nothing acknowledged is lost when faults of every kind meet requests, mails, imports, exports, drafts and calls at once', {
  timeout: 600_000,
}, async () => {
  const report = await runTogether({ world: 'sqlite', seed: 11, rounds: 1 })
  expect(failuresOf(report)).toEqual([])
  expect(Object.keys(report.faults).length + report.leftOut.length).toBe(5)
  for (const [name, count] of Object.entries(report.work)) expect([name, count > 1]).toEqual([name, true])
})
