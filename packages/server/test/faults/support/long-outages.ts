// The long forms of the outage runs: `npm run faults -- --redis 100` and `--mongodb 10`.
import { startMongoSet } from '../../support/mongo-set.ts'
import { mongoFaults, runMongoFaults } from './mongo-faults.ts'
import { type OutageReport, outageFailuresOf, type Resumption } from './outages.ts'
import { redisFaults, runRedisFaults } from './redis-faults.ts'

/** Runs every kind of fault of a service this many times; prints the results and returns the exit code. */
export async function runLongOutages(
  service: 'redis' | 'mongodb',
  { times, seed }: { times: number; seed: number },
): Promise<number> {
  const startedMs = Date.now()
  const report = service === 'redis' ? await outagesOfRedis(times, seed) : await outagesOfMongo(times, seed)
  return print(report, Math.round((Date.now() - startedMs) / 1000))
}

function each<Name extends string>(faults: Record<Name, unknown>, times: number): Record<Name, number> {
  return Object.fromEntries(Object.keys(faults).map((name) => [name, times])) as Record<Name, number>
}

const onFault = (name: string, { acknowledgedMs, deliveredMs }: Resumption) => {
  process.stderr.write(
    `${name}: acknowledged after ${acknowledgedMs} ms, delivered after ${deliveredMs} ms\n`,
  )
}

/** With MongoDB's own time for an election, ten seconds. */
function outagesOfMongo(times: number, seed: number): Promise<OutageReport> {
  return runMongoFaults({ seed, times: each(mongoFaults, times), onFault })
}

async function outagesOfRedis(times: number, seed: number): Promise<OutageReport> {
  const set = await startMongoSet({ members: 1 })
  try {
    return await runRedisFaults({ databaseUrl: set.url, seed, times: each(redisFaults, times), onFault })
  } finally {
    await set.stop()
  }
}

function print(report: OutageReport, seconds: number): number {
  const failures = outageFailuresOf(report)
  const { lostRows, lostEvents, contradictions, corruption, resumptions, ...counts } = report
  const longest = (all: readonly Resumption[], pick: (one: Resumption) => number) =>
    Math.max(...all.map(pick))
  const byFault = Object.fromEntries(
    Object.entries(resumptions).map(([fault, all]) => [
      fault,
      {
        times: all.length,
        'longest until acknowledged, ms': longest(all, ({ acknowledgedMs }) => acknowledgedMs),
        'longest until delivered, ms': longest(all, ({ deliveredMs }) => deliveredMs),
      },
    ]),
  )
  const totals = {
    seconds,
    ...counts,
    'acknowledged changes lost': lostRows.length,
    'events lost': lostEvents.length,
    contradictions: contradictions.length,
    'integrity problems': corruption.length,
  }
  console.table(byFault)
  console.log(totals)
  for (const failure of failures) process.stderr.write(`${failure}\n`)
  process.stdout.write(`${JSON.stringify({ ...totals, faults: byFault })}\n`)
  return failures.length > 0 ? 1 : 0
}
