// `npm run faults`: kills servers under load at named points and at random, and proves that nothing is lost.
import { parseArgs } from 'node:util'
import type { FaultPoint } from '../../src/shared/fault-points.ts'
import { type CrashReport, runCrashes } from './support/crash-run.ts'
import { allPoints } from './support/crash-schedule.ts'
import { failuresOf } from './support/fault-run.ts'
import { runLongOutages } from './support/long-outages.ts'
import { sqliteWorld } from './support/worlds.ts'

const usage = `npm run faults -- [--kills 100] [--seed N] [--points a,b] [--round 100]
npm run faults -- --redis 100 | --mongodb 10   outages of the services instead, so many of each kind
Points: ${allPoints.join(', ')}`

const { values } = parseArgs({
  options: {
    kills: { type: 'string', default: '100' },
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
    points: { type: 'string', default: allPoints.join(',') },
    // Each round has a world of its own and is verified at its end.
    round: { type: 'string', default: '100' },
    redis: { type: 'string' },
    mongodb: { type: 'string' },
    help: { type: 'boolean', short: 'h', default: false },
  },
})

if (values.help) {
  process.stdout.write(`${usage}\n`)
} else {
  process.exitCode = await main()
}

async function main(): Promise<number> {
  for (const service of ['redis', 'mongodb'] as const) {
    const times = Number(values[service] ?? 0)
    if (times > 0) return runLongOutages(service, { times, seed: Number(values.seed) })
  }
  const points = values.points.split(',') as FaultPoint[]
  const unknown = points.filter((point) => !allPoints.includes(point))
  const [kills, seed, round] = [values.kills, values.seed, values.round].map(Number) as [
    number,
    number,
    number,
  ]
  if (unknown.length > 0 || ![kills, seed, round].every(Number.isSafeInteger) || kills < 1 || round < 1) {
    process.stderr.write(`${unknown.length > 0 ? `Unknown points: ${unknown.join(', ')}\n` : ''}${usage}\n`)
    return 2
  }
  const startedMs = Date.now()
  const reports: CrashReport[] = []
  let done = 0
  let isInterrupted = false
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => (isInterrupted = true))
  // An interrupted run ends with its round and tells of what it has done.
  while (done < kills && !isInterrupted) {
    const inRound = Math.min(round, kills - done)
    const report = await runCrashes({
      newWorld: sqliteWorld,
      seed: seed + reports.length,
      kills: inRound,
      points,
    })
    reports.push(report)
    done += inRound
    const { acknowledged, duplicates } = report
    const failures = failuresOf(report)
    process.stderr.write(
      `seed ${report.seed}: ${done} kills, ${acknowledged} acknowledged, ${failures.length} failures, ${duplicates} duplicates\n`,
    )
    for (const failure of failures.slice(0, 20)) process.stderr.write(`  ${failure}\n`)
  }
  return print(reports, { seed, seconds: Math.round((Date.now() - startedMs) / 1000) })
}

function print(reports: readonly CrashReport[], run: { seed: number; seconds: number }): number {
  const sum = (pick: (report: CrashReport) => number) => reports.reduce((total, one) => total + pick(one), 0)
  const byPoint = new Map<string, { kills: number; missed: number }>()
  for (const { points } of reports) {
    for (const [point, { kills, missed }] of Object.entries(points)) {
      const before = byPoint.get(point) ?? { kills: 0, missed: 0 }
      byPoint.set(point, { kills: before.kills + kills, missed: before.missed + missed })
    }
  }
  const totals = {
    ...run,
    world: 'sqlite',
    kills: sum(({ crashes }) => crashes),
    'changes acknowledged': sum(({ acknowledged }) => acknowledged),
    'outcome unknown to the client': sum(({ unknown }) => unknown),
    'acknowledged changes lost': sum(({ lostRows }) => lostRows.length),
    'events lost': sum(({ lostEvents }) => lostEvents.length),
    contradictions: sum(({ contradictions }) => contradictions.length),
    'integrity problems': sum(({ corruption }) => corruption.length),
    'duplicate deliveries': sum(({ duplicates }) => duplicates),
  }
  console.table(Object.fromEntries(byPoint))
  console.table(totals)
  process.stdout.write(`${JSON.stringify({ ...totals, points: Object.fromEntries(byPoint) })}\n`)
  return reports.some((report) => failuresOf(report).length > 0) ? 1 : 0
}
