// `npm run walk`: a random walk over the API, compared with a model of the contract and between both databases.
import { readFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { MongoMemoryReplSet } from 'mongodb-memory-server-core'
import { createRandom } from '../faults/support/random.ts'
import { type KilledWorld, openKilledWorld } from './killed-world.ts'
import { shrink } from './shrink.ts'
import type { Step } from './step-kind.ts'
import { chooseStep, walk } from './walk.ts'
import { openWorld, type WorldName } from './world.ts'

const usage = `npm run walk -- [--seed N] [--steps 1000] [--world sqlite|mongodb|both] [--kills] [--replay FILE]
--world both compares the answers of the two databases. MongoDB needs MONGOMS_SYSTEM_BINARY, a mongod.
--kills kills the service while it works; --world both is not for it, because no two processes die at the same moment.
--replay repeats the steps that a failed walk has printed, one a line; - reads them from the standard input.
`

const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
    steps: { type: 'string', default: '1000' },
    world: { type: 'string', default: 'sqlite' },
    kills: { type: 'boolean', default: false },
    replay: { type: 'string' },
    help: { type: 'boolean', short: 'h', default: false },
  },
})

const seed = Number(values.seed)
const count = Number(values.steps)
const names: readonly WorldName[] =
  values.world === 'both' ? ['sqlite', 'mongodb'] : [values.world as WorldName]
const isValid =
  !(values.kills && values.world === 'both') &&
  ['sqlite', 'mongodb', 'both'].includes(values.world) &&
  [seed, count].every(Number.isSafeInteger)
if (values.help || !isValid) {
  process.stdout.write(usage)
  process.exitCode = values.help ? 0 : 2
} else process.exitCode = await run()

async function run(): Promise<number> {
  const mongo = names.includes('mongodb') ? await startMongo() : undefined
  const random = createRandom(seed).fork('kills')
  const killed: KilledWorld[] = []
  const openOne = async (name: WorldName) => {
    if (!values.kills) return openWorld(name)
    const world = await openKilledWorld(name, random)
    killed.push(world)
    return world
  }
  const open = () => Promise.all(names.map(openOne))
  const startedMs = performance.now()
  try {
    const replayed = values.replay === undefined ? undefined : readSteps(values.replay)
    const walked = await walk({
      worlds: await open(),
      next: (model, n) => (replayed ? replayed[n - 1] : n > count ? undefined : chooseStep(model, seed, n)),
    })
    const seconds = (performance.now() - startedMs) / 1000
    const { difference, steps } = walked
    const rate = (steps.length / seconds).toFixed(1)
    process.stdout.write(
      `walk on ${values.world}: ${steps.length} steps, seed ${seed}, ${seconds.toFixed(1)} s, ${rate} steps/s${values.kills ? `, ${killed[0]?.kills()} kills` : ''}\n`,
    )
    if (difference === undefined) return 0
    process.stdout.write(`step ${difference.step} on ${difference.world}: ${difference.message}\n`)
    process.stdout.write(`The walk makes its list of steps shorter.\n`)
    const shorter = await shrink(steps, async (some) => {
      const again = await walk({ worlds: await open(), next: (_model, n) => some[n - 1] })
      return again.difference
    })
    process.stdout.write(`${shorter.difference?.message ?? 'The failure does not repeat.'}\n`)
    process.stdout.write(
      `${shorter.steps.length} steps; npm run walk -- --world ${values.world} --replay FILE:\n`,
    )
    for (const step of shorter.steps) process.stdout.write(`${JSON.stringify(step)}\n`)
    return 1
  } finally {
    await mongo?.stop()
  }
}

function readSteps(file: string): Step[] {
  const lines = readFileSync(file === '-' ? 0 : file, 'utf8').split('\n')
  return lines.filter((line) => line.startsWith('{')).map((line) => JSON.parse(line))
}

async function startMongo(): Promise<MongoMemoryReplSet> {
  const args = ['--setParameter', 'minSnapshotHistoryWindowInSeconds=0', '--syncdelay', '5']
  const replicaSet = await MongoMemoryReplSet.create({
    replSet: { count: 1, storageEngine: 'wiredTiger', args },
  })
  process.env['CRM_TEST_MONGODB_URL'] = replicaSet.getUri()
  return replicaSet
}
