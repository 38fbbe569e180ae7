import { afterAll, expect } from 'vitest'
import { isTargeted, listenToCommands, type SentCommand } from '../support/shard-targeting.ts'
import { isMongoWorld, openTestStorage } from '../support/test-world.ts'
import { describeStorageContract } from './storage.contract.ts'

// The contract calls every method of a storage. On MongoDB the driver reports each command meanwhile: a command that names
// its tenants is sent to their shards by the router of a sharded cluster.

const retention = 'retention asks each shard for the tenants with old rows, once a minute at most'
/** Commands that may ask every shard: none of them belongs to a request. */
const scattered: Readonly<Record<string, string>> = {
  'aggregate attempts': `${retention}; attempts that were planned ahead are looked for likewise`,
  'aggregate customerMerges': retention,
  'aggregate events': `${retention}; the metrics count the events without a position`,
  'aggregate figureDays': retention,
  'aggregate figureShares': retention,
  'aggregate idempotency': retention,
  'aggregate importIssues': retention,
  'aggregate importRuns': retention,
  'aggregate importUndo': retention,
  'aggregate requestMetrics': retention,
  'aggregate sourceSignIns': retention,
  'aggregate usage': retention,
  'aggregate widgetSends': retention,
  'aggregate outboundCounts': retention,
  'aggregate chatMailAddresses': retention,
  'aggregate packageFiles': retention,
  'aggregate tenantExports': retention,
  'aggregate widgetSessions': retention,
  'find events': 'the one sequencer looks for events without a position, by an index that holds them alone',
}

const untargeted = new Map<string, string>()
let targeted = 0
/** The whole contract sends more. */
const commandsOfAll = 5_000

/** Reads by keys alone: a key begins with its tenant. Behind a router they name it too: see shard-targeting.mongodb.test.ts. */
function isReadByKey({ name, command }: SentCommand): boolean {
  const [first] = (command['pipeline'] ?? []) as { $match?: object }[]
  const filter = name === 'find' ? command['filter'] : first?.$match
  return Object.keys(filter ?? {}).join() === '_id'
}

function note(sent: SentCommand): void {
  if (isTargeted(sent) || isReadByKey(sent)) targeted += 1
  else untargeted.set(`${sent.name} ${sent.collection}`, JSON.stringify(sent.command).slice(0, 500))
}

describeStorageContract('The storage', async () => {
  // An upgrade of the database, which asks every shard, has ended when it is open.
  const opened = await openTestStorage({ reportsCommands: true })
  listenToCommands(note)
  return opened
})

// In a hook, because both worlds run the same tests.
afterAll(() => {
  if (!isMongoWorld) return
  const unlisted = [...untargeted].filter(([name]) => scattered[name] === undefined)
  expect(Object.fromEntries(unlisted), 'commands that name no tenant').toEqual({})
  expect(targeted).toBeGreaterThan(0)
  // A run of a few tests by their titles needs few of the exceptions.
  if (targeted < commandsOfAll) return
  const unused = Object.keys(scattered).filter((name) => !untargeted.has(name))
  expect(unused, 'exceptions that are needed no more').toEqual([])
})
