import { expect, it } from 'vitest'
import { runCrashes } from './support/crash-run.ts'
import { allPoints } from './support/crash-schedule.ts'
import { failuresOf } from './support/fault-run.ts'
import { sqliteWorld } from './support/worlds.ts'

it('no acknowledged change is lost when the server is killed at every named point, and at random [delivery.atLeastOnce]', {
  timeout: 420_000,
}, async () => {
  const report = await runCrashes({ newWorld: sqliteWorld, seed: 6, kills: 30, points: allPoints })
  expect(failuresOf(report)).toEqual([])
  // A point that no load passes proves nothing.
  const reached = allPoints.map((point) => [
    point,
    (report.points[point]?.kills ?? 0) > 0,
    report.points[point]?.missed,
  ])
  expect(reached).toEqual(allPoints.map((point) => [point, true, 0]))
  expect(report.acknowledged).toBeGreaterThan(100)
})
