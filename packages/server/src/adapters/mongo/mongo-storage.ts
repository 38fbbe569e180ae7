import type { Change } from '../../ports/change.ts'
import type { Committed, ErasurePage, MentionsPage, Storage, TenantStore } from '../../ports/storage.ts'
import { passFaultPoint } from '../../shared/fault-points.ts'
import { DatabaseUpgraded } from '../../storage/errors.ts'
import type { AttemptRecord } from '../../storage/kinds/attempts.ts'
import type { Kind } from '../../storage/kinds/registry.ts'
import type { TenantId } from '../../storage/records.ts'
import { assertTenantKinds } from '../../storage/rules/rows.ts'
import { adviceFor } from './connection/advice.ts'
import { openConnection } from './connection/connection.ts'
import { createGate } from './connection/gate.ts'
import { migrateDatabase, schemaVersion } from './connection/migrate.ts'
import { readSchema } from './connection/schema-state.ts'
import { createDatabase } from './connection/scope.ts'
import { createOwnProcess } from './connection/server-processes.ts'
import { inTransaction } from './connection/transaction.ts'
import { insertAttempts } from './deliveries/attempt-rows.ts'
import { eraseNext } from './erasure/erase.ts'
import { createEventSequencer } from './events/event-sequencer.ts'
import { createSettling } from './events/settle-plans.ts'
import { createKnownSubscriptions } from './events/subscriptions.ts'
import { createCommit } from './rows/commit.ts'
import { createSystemStore } from './system-store.ts'
import { createTenantStore } from './tenant-store.ts'
import { beginUse } from './transfer/copy-progress.ts'

/** A store consists of some forty closures: too many to create for every request. */
const storesMax = 1000

export interface MongoOptions {
  /** `mongodb://` or `mongodb+srv://`, of a replica set or a sharded cluster. */
  url: string
}

/** Returns the schemas before and after the upgrade that the next migration makes; undefined where there is nothing to upgrade. */
export async function findMongoUpgrade(url: string): Promise<{ from: number; to: number } | undefined> {
  const connection = await openConnection(url)
  try {
    const from = await readSchema(createDatabase(connection))
    return from !== undefined && from < schemaVersion ? { from, to: schemaVersion } : undefined
  } finally {
    await connection.close()
  }
}

/** Connects to MongoDB; `migrate` then creates the collections and indexes. The caller closes the storage. */
export async function openMongoStorage({ url }: MongoOptions): Promise<Storage> {
  const connection = await openConnection(url)
  const database = createDatabase(connection)
  const upgraded = Promise.withResolvers<DatabaseUpgraded>()
  const own = createOwnProcess(database, schemaVersion, (sentence) => {
    const error = new DatabaseUpgraded(sentence)
    gate.refuse(error)
    upgraded.resolve(error)
  })
  const gate = createGate(own.proof)
  const known = createKnownSubscriptions()
  const write = createCommit(database, known)
  const listeners: ((commit: Committed) => void)[] = []
  const stores = new Map<TenantId, TenantStore>()

  async function commit(tenantId: TenantId, change: Change<Kind>): Promise<void> {
    const startedAt = performance.now()
    const deliveries = await gate.pass(() => write(tenantId, change))
    const durationMs = performance.now() - startedAt
    passFaultPoint('after-commit-before-wake')
    for (const listener of listeners) listener({ tenantId, change, deliveries, durationMs })
  }

  const settle = createSettling({
    database,
    known,
    onCorrected: (corrected) => {
      for (const listener of listeners) listener({ ...corrected, change: { writes: [], events: [] } })
    },
  })

  const parts = {
    database,
    gate,
    commit: async (tenantId: TenantId, change: Change) => {
      assertTenantKinds(change)
      await commit(tenantId, change)
    },
    readSubscriptions: known.read,
    eraseNext: (tenantId: TenantId, page: ErasurePage | MentionsPage) =>
      gate.pass(() => eraseNext(database, tenantId, page)),
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
    system: createSystemStore({
      database,
      gate,
      commit,
      sequenceEvents: createEventSequencer(database, settle),
    }),
    eventPositions: 'after-commit',
    onCommitted: (listener) => void listeners.push(listener),
    forgetWebhooks: (tenantId) => known.forget(tenantId),
    advice: async () => (await adviceFor(connection)).map(({ sentence, mend }) => `${sentence} ${mend}`),
    migrate: (options) =>
      gate.pass(async () => {
        await migrateDatabase(connection, database, options)
        await beginUse(database)
        await own.begin()
      }),
    upgraded: upgraded.promise,
    async close() {
      await own.stop()
      await gate.close()
      await own.leave()
      await connection.close()
    },
  }
}
