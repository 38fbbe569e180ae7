import mongoose from 'mongoose'
import { expect, test } from 'vitest'
import { rejection } from '../../../../test/contracts/storage/harness.contract.ts'
import { add } from '../../../../test/contracts/storage/samples.contract.ts'
import { startProxy } from '../../../../test/support/cuttable-proxy.ts'
import { dropDatabase, newDatabaseUrl } from '../../../../test/support/mongo-database.ts'
import { StorageUnavailable, VersionConflict } from '../../../storage/errors.ts'
import type { TenantId } from '../../../storage/records.ts'
import { createDatabase } from '../connection/scope.ts'
import { openMongoStorage } from '../mongo-storage.ts'
import { createCommit } from './commit.ts'

test('commits that wait for each other’s row are all refused at the same time while MongoDB is unavailable', async () => {
  const url = new URL(newDatabaseUrl())
  const proxy = await startProxy({ host: url.hostname, port: Number(url.port) })
  const through = `mongodb://127.0.0.1:${proxy.port}${url.pathname}?directConnection=true`
  const storage = await openMongoStorage({ url: through })
  await storage.migrate()
  const store = storage.forTenant('ten_1' as TenantId)
  await add(store, 'conversations', [{ _id: 'con_1' }])
  proxy.cut(Number.POSITIVE_INFINITY)
  const startedAt = performance.now()
  const count = () =>
    store.commit({
      writes: [{ op: 'patch', kind: 'conversations', id: 'con_1', increment: { messageCount: 1 } }],
      events: [],
    })
  const refusals = await Promise.all(Array.from({ length: 5 }, () => rejection(count())))
  for (const refusal of refusals) expect(refusal).toBeInstanceOf(StorageUnavailable)
  // Sequentially they would take ten seconds each.
  expect(performance.now() - startedAt).toBeLessThan(30_000)
  await storage.close()
  proxy.stop()
  await dropDatabase(url.href)
})

test('a change that waited too long behind others of its row conflicts, so that it is repeated: the database is there', async () => {
  const url = newDatabaseUrl()
  const storage = await openMongoStorage({ url })
  await storage.migrate()
  await add(storage.forTenant('ten_1' as TenantId), 'conversations', [{ _id: 'con_1' }])
  const connection = await mongoose.createConnection(url).asPromise()
  const commit = createCommit(createDatabase(connection), undefined, 100)
  const change = () =>
    commit('ten_1', {
      writes: [
        { op: 'update', kind: 'conversations', id: 'con_1', expectVersion: 1, set: { subject: 'New' } },
      ],
      events: [],
    })
  const results = await Promise.allSettled(Array.from({ length: 100 }, change))
  expect(results.map(({ status }) => status).sort()).toEqual(['fulfilled', ...Array(99).fill('rejected')])
  for (const result of results)
    if (result.status === 'rejected') expect(result.reason).toBeInstanceOf(VersionConflict)
  await connection.close()
  await storage.close()
  await dropDatabase(url)
})
