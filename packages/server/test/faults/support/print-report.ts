import type { CrashReport } from './crash-run.ts'
import { failuresOf } from './fault-run.ts'

/** One line for each round, with its failures. */
export function describeRound(report: CrashReport, killsDone: number): string {
  const { seed, acknowledged, duplicates } = report
  const failures = failuresOf(report)
  const counts = `${acknowledged} acknowledged, ${failures.length} failures, ${duplicates} duplicates`
  const lines = [
    `seed ${seed}: ${killsDone} kills, ${counts}`,
    ...failures.slice(0, 20).map((text) => `  ${text}`),
  ]
  return `${lines.join('\n')}\n`
}

interface WholeRun {
  world: string
  seed: number
  seconds: number
}

/** The tables of a whole run, and the same as one line of JSON at the end. */
export function printReports(reports: readonly CrashReport[], run: WholeRun): void {
  const sum = (pick: (report: CrashReport) => number) => reports.reduce((total, one) => total + pick(one), 0)
  const points: CrashReport['points'] = {}
  for (const report of reports) {
    for (const [point, { kills, missed }] of Object.entries(report.points)) {
      const before = points[point] ?? { kills: 0, missed: 0 }
      points[point] = { kills: before.kills + kills, missed: before.missed + missed }
    }
  }
  const totals = {
    ...run,
    kills: sum(({ crashes }) => crashes),
    'changes acknowledged': sum(({ acknowledged }) => acknowledged),
    'outcome unknown to the client': sum(({ unknown }) => unknown),
    'acknowledged changes lost': sum(({ lostRows }) => lostRows.length),
    'events lost': sum(({ lostEvents }) => lostEvents.length),
    contradictions: sum(({ contradictions }) => contradictions.length),
    'integrity problems': sum(({ corruption }) => corruption.length),
    'duplicate deliveries': sum(({ duplicates }) => duplicates),
  }
  console.table(points)
  console.table(totals)
  process.stdout.write(`${JSON.stringify({ ...totals, points })}\n`)
}
