// `npm run walk`: a random walk over the API, compared with a model of the contract and between both databases.
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { MongoMemoryReplSet } from 'mongodb-memory-server-core'
import { createRandom } from '../faults/support/random.ts'
import { makeFastFolder } from '../support/fast-folder.ts'
import { type KilledWorld, openKilledWorld } from './killed-world.ts'
import { shrink } from './shrink.ts'
import type { Step } from './step-kind.ts'
import { chooseStep, walk } from './walk.ts'
import { openWorld, type World, type WorldName } from './world.ts'

const usage = `npm run walk -- [--seed N] [--steps 1000] [--world sqlite|mongodb|both] [--kills] [--minutes N] [--replay FILE]
--world both compares the responses of the two databases. MongoDB needs MONGOMS_SYSTEM_BINARY, a mongod.
--kills kills the service while it works; --world both is not for it, because no two processes die at the same moment.
--minutes begins further walks of so many steps, each with the next seed, until the time is over.
--replay repeats the steps that a failed walk has printed, one a line; - reads them from the standard input.
`

const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
    steps: { type: 'string', default: '1000' },
    world: { type: 'string', default: 'sqlite' },
    minutes: { type: 'string', default: '0' },
    kills: { type: 'boolean', default: false },
    replay: { type: 'string' },
    help: { type: 'boolean', short: 'h', default: false },
  },
})

const lastSteps = 10
const firstSeed = Number(values.seed)
const minutes = Number(values.minutes)
const count = Number(values.steps)
const names: readonly WorldName[] =
  values.world === 'both' ? ['sqlite', 'mongodb'] : [values.world as WorldName]
const isValid =
  !(values.kills && values.world === 'both') &&
  ['sqlite', 'mongodb', 'both'].includes(values.world) &&
  [firstSeed, count, minutes].every(Number.isSafeInteger)
if (values.help || !isValid) {
  process.stdout.write(usage)
  process.exitCode = values.help ? 0 : 2
} else process.exitCode = await run()

async function run(): Promise<number> {
  const mongo = names.includes('mongodb') ? await startMongo() : undefined
  const startedMs = performance.now()
  const minutesPassed = () => (performance.now() - startedMs) / 60_000
  try {
    let code = 0
    for (let seed = firstSeed; code === 0; seed++) {
      code = await runOne(seed)
      if (minutesPassed() >= minutes) break
    }
    return code
  } finally {
    await mongo?.stop()
  }
}

/** Returns the exit code of one walk. A walk that fails is made shorter, and printed. */
async function runOne(seed: number): Promise<number> {
  const random = createRandom(seed).fork('kills')
  const killed: KilledWorld[] = []
  const openOne = async (name: WorldName) => {
    if (!values.kills) return openWorld(name)
    const world = await openKilledWorld(name, random)
    killed.push(world)
    return world
  }
  // One after the other: each changes the declarations of the jobs while it opens.
  const open = async () => {
    const worlds: World[] = []
    for (const name of names) worlds.push(await openOne(name))
    return worlds
  }
  const startedMs = performance.now()
  const replayed = values.replay === undefined ? undefined : readSteps(values.replay)
  const { difference, steps } = await walk({
    worlds: await open(),
    next: (model, n) => (replayed ? replayed[n - 1] : n > count ? undefined : chooseStep(model, seed, n)),
  })
  const seconds = (performance.now() - startedMs) / 1000
  const rate = (steps.length / seconds).toFixed(1)
  const kills = values.kills ? `, ${killed[0]?.kills()} kills` : ''
  print(
    `walk on ${values.world}: ${steps.length} steps, seed ${seed}, ${seconds.toFixed(1)} s, ${rate} steps/s${kills}`,
  )
  if (difference === undefined) return 0
  print(`step ${difference.step} on ${difference.world}: ${difference.message}`)
  // To make the list shorter may take longer than a run has time.
  const file = join(tmpdir(), `crmkit-walk-${values.world}-${seed}.jsonl`)
  writeFileSync(file, steps.map((step) => `${JSON.stringify(step)}\n`).join(''))
  print(`All steps are in ${file}. Its last steps:`)
  for (const step of steps.slice(-lastSteps)) print(JSON.stringify(step))
  print('The walk makes its list of steps shorter.')
  const shorter = await shrink(steps, async (some) => {
    const again = await walk({ worlds: await open(), next: (_model, n) => some[n - 1] })
    return again.difference
  })
  print(shorter.difference?.message ?? 'The failure does not repeat.')
  print(`${shorter.steps.length} steps; npm run walk -- --world ${values.world} --replay FILE:`)
  for (const step of shorter.steps) print(JSON.stringify(step))
  return 1
}

function print(line: string): void {
  process.stdout.write(`${line}\n`)
}

function readSteps(file: string): Step[] {
  const lines = readFileSync(file === '-' ? 0 : file, 'utf8').split('\n')
  return lines.filter((line) => line.startsWith('{')).map((line) => JSON.parse(line))
}

/** The server's folder is in memory, as that of the tests: a sync of a shared disk takes longer than a step. */
async function startMongo(): Promise<{ stop(): Promise<void> }> {
  const args = ['--setParameter', 'minSnapshotHistoryWindowInSeconds=0', '--syncdelay', '5']
  const dbPath = makeFastFolder('crmkit-walk-mongo-')
  const replicaSet = await MongoMemoryReplSet.create({
    replSet: { count: 1, storageEngine: 'wiredTiger', args },
    instanceOpts: [{ dbPath, launchTimeout: 120_000 }],
  })
  process.env['CRM_TEST_MONGODB_URL'] = replicaSet.getUri()
  return {
    async stop() {
      await replicaSet.stop()
      rmSync(dbPath, { recursive: true, force: true })
    },
  }
}
