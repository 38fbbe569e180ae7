import type { Change } from '../../ports/change.ts'
import type { AttemptRecord, Kind, TenantId } from '../../ports/records.ts'
import type { Committed, Storage, TenantStore } from '../../ports/storage.ts'
import { assertTenantKinds } from '../../ports/storage-rules/rows.ts'
import { assertIsWhole } from '../../ports/storage-transfer.ts'
import { passFaultPoint } from '../../shared/fault-points.ts'
import { insertAttempts } from './attempt-rows.ts'
import { createCommit } from './commit.ts'
import { openConnection } from './connection.ts'
import { readCopyProgress } from './copy-progress.ts'
import { eraseNext } from './erase.ts'
import { createGate } from './gate.ts'
import { migrateDatabase } from './migrate.ts'
import { createDatabase } from './scope.ts'
import { createSystemStore } from './system-store.ts'
import { createTenantStore } from './tenant-store.ts'
import { inTransaction } from './transaction.ts'

/** A store is built of some forty closures: too much to do again for every request. */
const storesMax = 1000

export interface MongoOptions {
  /** `mongodb://` or `mongodb+srv://`, of a replica set or a sharded cluster. */
  url: string
}

/** Connects to MongoDB; `migrate` then makes its collections and indexes. The caller closes it. */
export async function openMongoStorage({ url }: MongoOptions): Promise<Storage> {
  const connection = await openConnection(url)
  const database = createDatabase(connection)
  const gate = createGate()
  const write = createCommit(database)
  const listeners: ((commit: Committed) => void)[] = []
  const stores = new Map<TenantId, TenantStore>()

  async function commit(tenantId: TenantId, change: Change<Kind>): Promise<void> {
    const deliveries = await gate.pass(() => write(tenantId, change))
    passFaultPoint('after-commit-before-wake')
    for (const listener of listeners) listener({ tenantId, change, deliveries })
  }

  const parts = {
    database,
    gate,
    commit: async (tenantId: TenantId, change: Change) => {
      assertTenantKinds(change)
      await commit(tenantId, change)
    },
    eraseNext: (tenantId: TenantId, of: Parameters<TenantStore['eraseNext']>[0]) =>
      gate.pass(() => eraseNext(database, tenantId, of)),
    record: async (tenantId: TenantId, attempt: AttemptRecord) => {
      if (attempt.tenantId !== tenantId) throw new TypeError('the attempt names another tenant')
      await gate.pass(() =>
        inTransaction(database, (session) => insertAttempts(database.tenant(tenantId, session), [attempt])),
      )
    },
  }

  return {
    forTenant(tenantId) {
      const known = stores.get(tenantId)
      if (known) return known
      const store = createTenantStore(tenantId, parts)
      if (stores.size >= storesMax) stores.clear()
      stores.set(tenantId, store)
      return store
    },
    system: createSystemStore({ database, gate, commit }),
    eventPositions: 'after-commit',
    onCommitted: (listener) => void listeners.push(listener),
    migrate: () =>
      gate.pass(async () => {
        await migrateDatabase(connection, database)
        assertIsWhole(await readCopyProgress(database))
      }),
    async close() {
      await gate.close()
      await connection.close()
    },
  }
}
