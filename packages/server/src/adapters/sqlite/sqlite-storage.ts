import { statSync } from 'node:fs'
import type { Change } from '../../ports/change.ts'
import type { Committed, ErasurePage, MentionsPage, Storage, TenantStore } from '../../ports/storage.ts'
import { passFaultPoint } from '../../shared/fault-points.ts'
import { StorageUnavailable } from '../../storage/errors.ts'
import type { Kind } from '../../storage/kinds/registry.ts'
import type { TenantId } from '../../storage/records.ts'
import { assertTenantKinds } from '../../storage/rules/rows.ts'
import { type DatabaseOptions, openReaderDatabase, openWriterDatabase } from './connection/database.ts'
import { createSharedSnapshot, type SharedSnapshot } from './connection/shared-snapshot.ts'
import { createSql } from './connection/sql.ts'
import { isUnavailable } from './connection/sqlite-errors.ts'
import { createDeliveryOwner } from './deliveries/delivery-owner.ts'
import { createListReader } from './lists/list-reader.ts'
import { createSystemStore } from './system-store.ts'
import { createTenantStore } from './tenant-store.ts'
import { startThread } from './threads/thread-client.ts'
import type { WriterCalls } from './threads/wire.ts'
import { compactFile } from './upkeep/free-pages.ts'

/** A store consists of some forty closures: too many to create for every request. */
const storesMax = 1000

/** A file that lost its content would start as a new and empty service, open for registration. */
function assertIsNoRemnant(path: string): void {
  if (statSync(path, { throwIfNoEntry: false })?.size !== 0) return
  throw new Error(
    `${path} is empty: restore the database from a backup, or delete the file to start with a new one`,
  )
}

/** Writes a database file anew without its free pages. The caller has locked it. */
export function compactSqlite(path: string): { beforeBytes: number; afterBytes: number } {
  const db = openWriterDatabase({ path })
  try {
    return compactFile(db)
  } finally {
    db.close()
  }
}

/** Opens the database file, brings its schema up to date and starts the writer. The caller closes it. */
export async function openSqliteStorage(options: DatabaseOptions): Promise<Storage> {
  assertIsNoRemnant(options.path)
  let snapshot: SharedSnapshot | undefined
  // A caller that has waited for a commit must see it in its next read.
  const writer = startThread<WriterCalls>('writer-thread', () => snapshot?.leave())
  try {
    await writer.call('open', options)
  } catch (error) {
    await writer.close()
    throw error
  }
  const db = openReaderDatabase(options)
  snapshot = createSharedSnapshot(db)
  const { enter, leave } = snapshot
  const sql = createSql(db, 'reader')
  const lists = createListReader(sql, options)
  const owner = createDeliveryOwner(options.path)
  const listeners: ((commit: Committed) => void)[] = []
  const stores = new Map<TenantId, TenantStore>()

  async function read<T>(query: () => T): Promise<T> {
    try {
      enter()
      return query()
    } catch (error) {
      throw isUnavailable(error) ? new StorageUnavailable(String(error), { cause: error }) : error
    }
  }

  async function commit(tenantId: TenantId, change: Change<Kind>): Promise<void> {
    const startedAt = performance.now()
    const deliveries = await writer.call('commit', { tenantId, change })
    const durationMs = performance.now() - startedAt
    passFaultPoint('after-commit-before-wake')
    for (const listener of listeners) listener({ tenantId, change, deliveries, durationMs })
  }

  const parts = {
    sql,
    lists: {
      ...lists,
      read: (...list: Parameters<typeof lists.read>) => orUnavailable(lists.read(...list)),
      findMatches: (request: Parameters<typeof lists.findMatches>[0]) =>
        orUnavailable(lists.findMatches(request)),
      countLabels: (request: Parameters<typeof lists.countLabels>[0]) =>
        orUnavailable(lists.countLabels(request)),
      countQuotaUse: (request: Parameters<typeof lists.countQuotaUse>[0]) =>
        orUnavailable(lists.countQuotaUse(request)),
    },
    read,
    commit: async (tenantId: TenantId, change: Change) => {
      assertTenantKinds(change)
      await commit(tenantId, change)
    },
    eraseNext: (tenantId: TenantId, page: ErasurePage | MentionsPage) =>
      writer.call('eraseNext', { tenantId, page }),
    record: async (tenantId: TenantId, attempt: WriterCalls['record']['request']['attempt']) => {
      await writer.call('record', { tenantId, attempt })
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
    system: createSystemStore({ sql, writer, owner, commit, read }),
    eventPositions: 'with-commit',
    onCommitted: (listener) => void listeners.push(listener),
    // The writer sees what another process has written, and reads ask the database.
    forgetWebhooks: () => {},
    advice: async () => [],
    // The schema was brought up to date when the file was opened, before anything could read it.
    migrate: async () => {},
    // An upgrade needs the lock of the process that serves.
    upgraded: new Promise(() => {}),
    async close() {
      await writer.close()
      await lists.close()
      leave()
      db.close()
      owner.release()
    },
  }
}

/** Turns errors of an unavailable database into `StorageUnavailable`. */
async function orUnavailable<T>(running: Promise<T>): Promise<T> {
  try {
    return await running
  } catch (error) {
    throw isUnavailable(error) && !(error instanceof StorageUnavailable)
      ? new StorageUnavailable(String(error), { cause: error })
      : error
  }
}
