import { expect, test } from 'vitest'
import { rejection } from '../../../../test/contracts/storage/harness.contract.ts'
import { add } from '../../../../test/contracts/storage/samples.contract.ts'
import { startProxy } from '../../../../test/support/cuttable-proxy.ts'
import { dropDatabase, newDatabaseUrl } from '../../../../test/support/mongo-database.ts'
import { StorageUnavailable } from '../../../storage/errors.ts'
import type { TenantId } from '../../../storage/records.ts'
import { openMongoStorage } from '../mongo-storage.ts'

test('commits that wait for each other’s row are all refused at the same time while MongoDB is unavailable', {
  timeout: 120_000,
}, async () => {
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
