import { setTimeout as wait } from 'node:timers/promises'
import type { Connection } from 'mongoose'
import type { TransferSource, TransferTarget } from '../../../ports/storage-transfer.ts'
import { assertSourceSchema, pageBytesMax, pageRowsMax } from '../../../storage/transfer.ts'
import type { Database } from '../connection/access.ts'
import { openConnection } from '../connection/connection.ts'
import { migrateDatabase, readInstallation, schemaVersion } from '../connection/migrate.ts'
import { isUnavailable, toPortError } from '../connection/mongo-errors.ts'
import { readSchema } from '../connection/schema-state.ts'
import { createDatabase } from '../connection/scope.ts'
import { createEventSequencer } from '../events/event-sequencer.ts'
import { createSettling } from '../events/settle-plans.ts'
import { createKnownSubscriptions } from '../events/subscriptions.ts'
import { readCopyProgress, writeCopyProgress } from './copy-progress.ts'
import { findMissing, putRows, readRows, removeRows, toTransferRow } from './transfer-rows.ts'

/** Longer than an election, a restart or a short outage, which should not end a copy of hours. */
const retryForMs = 60_000
const pauseMs = 250

/** Repeats work until it succeeds: everything that a copy does may be done twice. */
async function persistently<T>(work: () => Promise<T>): Promise<T> {
  const endsAt = Date.now() + retryForMs
  for (;;) {
    try {
      return await work()
    } catch (error) {
      if (!isUnavailable(error) || Date.now() > endsAt) throw toPortError(error)
      await wait(pauseMs)
    }
  }
}

/** Returns the servers and the database of the address, as the driver reads it, without any password. */
function addressOf(connection: Connection): string {
  const { hosts, srvHost } = connection.getClient().options
  const servers = srvHost ? [srvHost] : hosts.map(String).sort()
  return `mongodb${srvHost ? '+srv' : ''}://${servers.join(',')}/${connection.name}`
}

async function sourceOf(connection: Connection, database: Database): Promise<TransferSource> {
  const across = database.across()
  return {
    address: addressOf(connection),
    installation: await readInstallation(database),
    count: (kind) => persistently(() => across.count(kind, {}, Number.MAX_SAFE_INTEGER)),
    readPage: (kind, after) =>
      persistently(async () => {
        const bounds = { after, rowsMax: pageRowsMax, bytesMax: pageBytesMax }
        return (await across.page(kind, bounds)).map((row) => toTransferRow(kind, row))
      }),
    findMissing: (kind, refs) => persistently(() => findMissing(database, kind, refs)),
    isInUse: () =>
      persistently(async () => {
        const now = new Date().toISOString()
        const leases = await across.find('leases', {}, { fields: ['keys'] })
        return leases.some(({ keys }) => String(keys?.['until']) > now)
      }),
    close: () => connection.close(),
  }
}

async function open<T>(
  url: string,
  use: (connection: Connection, database: Database) => Promise<T>,
): Promise<T> {
  const connection = await openConnection(url)
  try {
    return await use(connection, createDatabase(connection))
  } catch (error) {
    await connection.close()
    throw toPortError(error)
  }
}

/**
 * Connects to a database to copy from it. The database is not changed, except that its last events get their
 * positions, which any server would give them a moment later.
 */
export function openMongoSource(url: string): Promise<TransferSource> {
  return open(url, async (connection, database) => {
    const current = await readSchema(database)
    assertSourceSchema({ current, newest: schemaVersion, address: addressOf(connection) })
    const settle = createSettling({ database, known: createKnownSubscriptions(), onCorrected: () => {} })
    const sequenceEvents = createEventSequencer(database, settle)
    while ((await persistently(() => sequenceEvents(pageRowsMax))).count > 0);
    return sourceOf(connection, database)
  })
}

/** Connects to a database to copy into it, and creates its collections and indexes. */
export function openMongoTarget(url: string): Promise<TransferTarget> {
  return open(url, async (connection, database) => {
    await migrateDatabase(connection, database)
    return {
      ...(await sourceOf(connection, database)),
      readRows: (kind, refs) => persistently(() => readRows(database, kind, refs)),
      put: (kind, rows) => persistently(() => putRows(database, kind, rows)),
      remove: (kind, refs) => persistently(() => removeRows(database, kind, refs)),
      findProgress: () => persistently(() => readCopyProgress(database)),
      saveProgress: (progress) => persistently(() => writeCopyProgress(database, progress)),
    }
  })
}
