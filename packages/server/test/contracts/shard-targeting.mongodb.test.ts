import mongoose from 'mongoose'
import { expect, test } from 'vitest'
import { treatAsRouter } from '../../src/adapters/mongo/connection/connection.ts'
import { openMongoStorage } from '../../src/adapters/mongo/mongo-storage.ts'
import type { KindStores } from '../../src/ports/storage.ts'
import { transferKinds } from '../../src/storage/kinds/derive.ts'
import { quotaRules } from '../../src/storage/kinds/quotas.ts'
import type { TenantId } from '../../src/storage/records.ts'
import { dropDatabase, newDatabaseUrl } from '../support/mongo-database.ts'
import { isTargeted, listenToCommands, type SentCommand } from '../support/shard-targeting.ts'

// All other commands are looked at while storage.test.ts runs.
test('a read by key names its tenant to the router of a sharded cluster', async () => {
  const url = newDatabaseUrl()
  const reporting = new URL(url)
  reporting.searchParams.set('monitorCommands', 'true')
  const before = new Set(mongoose.connections)
  const storage = await openMongoStorage({ url: reporting.href })
  for (const connection of mongoose.connections) if (!before.has(connection)) treatAsRouter(connection)
  const sent: SentCommand[] = []
  listenToCommands((command) => sent.push(command))
  const store = storage.forTenant('ten_1' as TenantId)
  for (const kind of transferKinds) await store[kind as keyof KindStores]?.find?.('none')
  for (const { name } of quotaRules) await store.usedOf(name)
  expect(new Set(sent.map(({ name }) => name))).toEqual(new Set(['find', 'aggregate']))
  expect(sent.filter((command) => !isTargeted(command))).toEqual([])
  await storage.close()
  await dropDatabase(url)
})
