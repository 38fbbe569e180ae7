import { afterAll, expect, test } from 'vitest'
import { openMongoStorage } from '../../src/adapters/mongo/mongo-storage.ts'
import { dropDatabase, emptyDatabase, newDatabaseUrl } from '../support/mongo-database.ts'
import { isTargeted, listenAsRouter, type SentCommand } from '../support/shard-targeting.ts'
import { describeStorageContract } from './storage.contract.ts'

// No router runs here. The contract calls every method of the storage, and the driver reports each command: a command that names
// its tenants is sent to their shards by any router.

const retention = 'retention asks each shard for the tenants with old rows, once a minute at most'
/** Commands that may ask every shard: none of them belongs to a request. */
const scattered: Readonly<Record<string, string>> = {
  'aggregate attempts': `${retention}; attempts that were planned ahead are looked for likewise`,
  'aggregate events': `${retention}; the metrics count the events without a position`,
  'aggregate idempotency': retention,
  'aggregate importIssues': retention,
  'aggregate importRuns': retention,
  'aggregate importUndo': retention,
  'aggregate requestMetrics': retention,
  'aggregate sourceSignIns': retention,
  'aggregate usage': retention,
  'aggregate widgetSends': retention,
  'aggregate widgetSessions': retention,
  'find events': 'the one sequencer looks for events without a position, by an index that holds them alone',
}

const untargeted = new Map<string, string>()
let targeted = 0

function note(sent: SentCommand): void {
  if (isTargeted(sent)) targeted += 1
  else untargeted.set(`${sent.name} ${sent.collection}`, JSON.stringify(sent.command).slice(0, 500))
}

/** Databases without rows, whose collections and indexes need not be made again. */
const emptied: string[] = []
afterAll(async () => {
  for (const url of emptied) await dropDatabase(url)
})

async function openBehindRouter() {
  const url = emptied.pop() ?? newDatabaseUrl()
  const reporting = new URL(url)
  reporting.searchParams.set('monitorCommands', 'true')
  const storage = await openMongoStorage({ url: reporting.href })
  // An upgrade of the database changes all rows, so it asks every shard.
  await storage.migrate()
  listenAsRouter(note)
  return {
    storage,
    async cleanup() {
      await storage.close()
      await emptyDatabase(url)
      emptied.push(url)
    },
  }
}

describeStorageContract('The storage behind the router of a sharded cluster', openBehindRouter)

test('every command names the tenants whose shards it needs, except those of background work', () => {
  const unlisted = [...untargeted].filter(([name]) => scattered[name] === undefined)
  expect(Object.fromEntries(unlisted)).toEqual({})
  expect(targeted).toBeGreaterThan(1_000)
})

test('each exception is still needed', () => {
  expect(Object.keys(scattered).filter((name) => !untargeted.has(name))).toEqual([])
})
