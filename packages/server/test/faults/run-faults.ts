// `npm run faults`: kills servers under load at named points and at random, and proves that nothing is lost.
import { parseArgs } from 'node:util'
import { MongoMemoryReplSet } from 'mongodb-memory-server-core'
import { describeMachine } from '../../bench/support/print-figures.ts'
import type { FaultPoint } from '../../src/shared/fault-points.ts'
import { bundlePrograms } from '../support/bundle-programs.ts'
import { newDatabaseUrl } from '../support/mongo-database.ts'
import { type CrashReport, runCrashes } from './support/crash-run.ts'
import { allPoints } from './support/crash-schedule.ts'
import { type Door, doors, runDoor } from './support/door-run.ts'
import { failuresOf } from './support/fault-run.ts'
import { runLongOutages } from './support/long-outages.ts'
import { allMailPoints, type MailPoint } from './support/mail-kills.ts'
import { runMailFaults } from './support/mail-run.ts'
import { mongoWorld } from './support/mongo-world.ts'
import { runMove } from './support/move-run.ts'
import { describeRound, printReports } from './support/print-report.ts'
import { runTogether } from './support/together-run.ts'
import { type FaultWorld, sqliteWorld } from './support/worlds.ts'

const usage = `npm run faults -- [--kills 100] [--seed N] [--points a,b] [--world sqlite|mongodb] [--round 100]
npm run faults -- --redis 100 | --mongodb 10   outages of the services instead, so many of each kind
npm run faults -- --mail 100 [--points a,b] [--world sqlite|mongodb]   mails through the HTTP door and replies by SMTP,
                               with a kill at every step in turn
npm run faults -- --mail 100 --replies 5 --each 100   five replies to each mail, until the server has died at each point
                               100 times
npm run faults -- --mail 10000 --door http|smtp|imap [--per-kill 100]   mails through one door, with a kill after so many
                               of them at most, and three days of silence; imap needs CRM_TEST_DOVECOT_BINARY
npm run faults -- --together 5 [--world sqlite|mongodb]   every kind of work at once (requests, mails, imports, exports,
                               drafts, calls), and each kind of fault so many times; mongodb needs a redis-server too
npm run faults -- --move 20000 [--kills 10] [--world sqlite|mongodb]   a support history of so many tickets from an emulator of
                               Zendesk: its reader, the upload and the import are killed, and each ticket is compared
Each round has a world of its own and is verified at its end. MongoDB needs MONGOMS_SYSTEM_BINARY, a mongod.
Points: ${allPoints.join(', ')}
Points of mail: ${allMailPoints.join(', ')}
`

const { values } = parseArgs({
  options: {
    kills: { type: 'string', default: '100' },
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
    points: { type: 'string' },
    world: { type: 'string', default: 'sqlite' },
    round: { type: 'string', default: '100' },
    redis: { type: 'string' },
    mongodb: { type: 'string' },
    mail: { type: 'string' },
    replies: { type: 'string', default: '1' },
    each: { type: 'string' },
    door: { type: 'string' },
    together: { type: 'string' },
    move: { type: 'string' },
    'per-kill': { type: 'string', default: '100' },
    help: { type: 'boolean', short: 'h', default: false },
  },
})

const outages = (['redis', 'mongodb'] as const).find((service) => values[service] !== undefined)
const times = outages === undefined ? undefined : Number(values[outages])
const given = {
  ...(values.mail !== undefined && { mail: Number(values.mail) }),
  ...(values.together !== undefined && { together: Number(values.together) }),
  ...(values.move !== undefined && { move: Number(values.move) }),
  ...(times !== undefined && { [outages ?? '']: times }),
  ...(values.each !== undefined && { each: Number(values.each) }),
  replies: Number(values.replies),
  'per-kill': Number(values['per-kill']),
  kills: Number(values.kills),
  seed: Number(values.seed),
  round: Number(values.round),
}
const knownPoints: readonly FaultPoint[] = values.mail === undefined ? allPoints : allMailPoints
const points = (values.points?.split(',') ?? knownPoints) as FaultPoint[]
const problems = [
  ...points.filter((point) => !knownPoints.includes(point)).map((point) => `There is no point "${point}"`),
  ...(['sqlite', 'mongodb'].includes(values.world) ? [] : [`There is no world "${values.world}"`]),
  ...(values.door === undefined || doors.includes(values.door as Door)
    ? []
    : [`There is no door "${values.door}"`]),
  ...Object.entries(given)
    .filter(([, value]) => !Number.isSafeInteger(value) || value < 1)
    .map(([name]) => `--${name} must be a whole number from 1`),
]

if (values.help) {
  process.stdout.write(usage)
} else if (problems.length > 0) {
  process.stderr.write(`${problems.join('\n')}\n${usage}`)
  process.exitCode = 2
} else if (values.together !== undefined) {
  process.exitCode = await runAllTogether(Number(values.together))
} else if (values.move !== undefined) {
  process.exitCode = await runTheMove(Number(values.move))
} else if (values.mail !== undefined) {
  process.exitCode = await runMails(Number(values.mail))
} else if (outages !== undefined && times !== undefined) {
  process.exitCode = await runLongOutages(outages, { times, seed: given.seed })
} else {
  const { newWorld, close } = await openWorlds(values.world)
  process.exitCode = await run(newWorld)
  await close()
}

async function openWorlds(
  name: string,
): Promise<{ newWorld: () => FaultWorld; close: () => Promise<unknown> }> {
  if (name === 'sqlite') return { newWorld: sqliteWorld, close: async () => undefined }
  // As docs/scaling.md asks for: the transaction of a killed process would keep its rows locked for a minute.
  const args = ['--setParameter', 'transactionLifetimeLimitSeconds=5']
  const replicaSet = await MongoMemoryReplSet.create({
    replSet: { count: 1, storageEngine: 'wiredTiger', args },
  })
  process.env['CRM_TEST_MONGODB_URL'] = replicaSet.getUri()
  return { newWorld: () => mongoWorld({ url: newDatabaseUrl() }), close: () => replicaSet.stop() }
}

/** Returns the exit code. An interrupted run verifies what it has exchanged. */
async function runMails(mails: number): Promise<number> {
  const { newWorld, close } = await openWorlds(values.world)
  const files = await bundlePrograms()
  try {
    const common = { mails, files, seed: given.seed, isInterrupted: watchInterrupts(), world: newWorld() }
    const report = await (values.door === undefined
      ? runMailFaults({
          ...common,
          repliesPerMail: given.replies,
          ...(given.each !== undefined && { each: given.each }),
          points: points as MailPoint[],
        })
      : runDoor({ ...common, door: values.door as Door, mailsPerKill: given['per-kill'] }))
    process.stdout.write(`${JSON.stringify({ seed: given.seed, ...report }, undefined, 2)}\n`)
    return report.failures.length > 0 ? 1 : 0
  } finally {
    files.remove()
    await close()
  }
}

async function runAllTogether(rounds: number): Promise<number> {
  const startedMs = Date.now()
  const seconds = () => Math.round((Date.now() - startedMs) / 1000)
  const report = await runTogether({
    world: values.world as 'sqlite' | 'mongodb',
    seed: given.seed,
    rounds,
    onStep: (step) => process.stderr.write(`${seconds()} s: ${step}\n`),
  })
  const failures = failuresOf(report)
  process.stdout.write(`${JSON.stringify({ seconds: seconds(), ...report, failures }, undefined, 2)}\n`)
  return failures.length > 0 ? 1 : 0
}

async function runTheMove(tickets: number): Promise<number> {
  const { newWorld, close } = await openWorlds(values.world)
  const files = await bundlePrograms()
  try {
    const { kills, seed } = given
    const onStep = (step: string) => process.stderr.write(`${new Date().toISOString()}: ${step}\n`)
    const report = await runMove({ tickets, kills, seed, files, onStep, world: newWorld() })
    const { world } = values
    const machine = describeMachine()
    process.stdout.write(`${JSON.stringify({ seed, world, machine, ...report }, undefined, 2)}\n`)
    return report.failures.length > 0 ? 1 : 0
  } finally {
    files.remove()
    await close()
  }
}

function watchInterrupts(): () => boolean {
  let isInterrupted = false
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => (isInterrupted = true))
  return () => isInterrupted
}

/** Returns the exit code. An interrupted run ends with its round and reports its results. */
async function run(newWorld: () => FaultWorld): Promise<number> {
  const { kills, seed, round } = given
  const startedMs = Date.now()
  const reports: CrashReport[] = []
  const isInterrupted = watchInterrupts()
  for (let done = 0; done < kills && !isInterrupted(); done += round) {
    const inRound = Math.min(round, kills - done)
    const report = await runCrashes({ newWorld, seed: seed + reports.length, kills: inRound, points })
    reports.push(report)
    process.stderr.write(describeRound(report, done + inRound))
  }
  printReports(reports, { world: values.world, seed, seconds: Math.round((Date.now() - startedMs) / 1000) })
  return reports.some((report) => failuresOf(report).length > 0) ? 1 : 0
}
