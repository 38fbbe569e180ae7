import { type MongoSet, startMongoSet } from '../../support/mongo-set.ts'
import { Client, type Outcome } from './client.ts'
import { type FaultRun, startFaultRun } from './fault-run.ts'
import { mongoWorld } from './mongo-world.ts'
import { exitsOf, inRounds, type OutageReport, probe, type Resumption } from './outages.ts'

/** One fault of a replica set of three; each waits for a new primary before it ends, and then mends the set. */
type MongoFault = (set: MongoSet, prove: () => Promise<void>, run: FaultRun) => Promise<void>

export const mongoFaults = {
  'primary steps down': async (set, prove) => {
    await set.stepDown()
    await set.primary()
    await prove()
  },
  'primary killed': async (set, prove) => {
    const first = await set.primary()
    await first.kill()
    await set.primary()
    await prove()
    await first.restart()
  },
  'primary hangs': async (set, prove) => {
    const first = await set.primary()
    await first.pause()
    await set.primary()
    await prove()
    first.resume()
  },
  'secondary killed': async (set, prove) => {
    const [one] = await set.secondaries()
    await one?.kill()
    await prove()
    await one?.restart()
  },
  'majority lost': async (set, prove, run) => {
    const others = await set.secondaries()
    await Promise.all(others.map((member) => member.kill()))
    await assertRefused(run)
    await Promise.all(others.map((member) => member.restart()))
    await set.primary()
    await prove()
  },
} satisfies Record<string, MongoFault>
export type MongoFaultName = keyof typeof mongoFaults

let asks = 0

/** A change that cannot be stored is refused in words, and with the time after which to try again. */
async function assertRefused({ fleet, load }: FaultRun): Promise<void> {
  const client = new Client(load.tenants[0]?.key ?? '')
  const url = await fleet.whenUp()
  let outcome: Outcome
  do {
    const body = { firstName: 'Ada', lastName: `refused-${++asks}`, customFields: { step: 0 } }
    outcome = await client.ask(url, { method: 'POST', path: '/api/v1/customers', body })
  } while (outcome.kind === 'response' && outcome.status === 201)
  client.close()
  const { status, retryAfter } = outcome.kind === 'response' ? outcome : { status: 0, retryAfter: undefined }
  if (status !== 503 || retryAfter === undefined) {
    throw new Error(`Without a majority a change got ${JSON.stringify(outcome)}`)
  }
}

export interface MongoFaultSetting {
  seed: number
  /** The number of each fault; one after the other, in rounds. */
  times: Readonly<Partial<Record<MongoFaultName, number>>>
  electionTimeoutMs?: number
  onFault?: (name: MongoFaultName, resumption: Resumption) => void
}

/** Two servers on a replica set of three, under load, while its members fail one way after the other. */
export async function runMongoFaults(setting: MongoFaultSetting): Promise<OutageReport> {
  const { seed, times, electionTimeoutMs, onFault } = setting
  const names = inRounds(times)
  const set = await startMongoSet(electionTimeoutMs === undefined ? {} : { electionTimeoutMs })
  try {
    const servers = [1, 2].map((number) => ({ name: `server-${number}`, variables: {} }))
    const run = await startFaultRun({ world: mongoWorld({ url: set.url }), seed, servers })
    const resumptions: OutageReport['resumptions'] = {}
    for (const name of names) {
      const fault: MongoFault = mongoFaults[name]
      const prove = async () => {
        const resumption = await probe(run)
        resumptions[name] = [...(resumptions[name] ?? []), resumption]
        onFault?.(name, resumption)
      }
      await fault(set, prove, run)
      await set.settle()
    }
    const exits = exitsOf(run)
    // An attempt whose result could not be stored is made once more.
    return { ...(await run.finish({ crashes: names.length })), resumptions, exits }
  } finally {
    await set.stop()
  }
}
