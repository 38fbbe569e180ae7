import path from 'node:path'
import { openAttachmentHolds } from '../../adapters/data-directory/attachment-holds.ts'
import { openDirectoryAttachmentStore } from '../../adapters/data-directory/directory-attachment-store.ts'
import { createDiskReserve } from '../../adapters/data-directory/disk-reserve.ts'
import { openErasureLedger } from '../../adapters/data-directory/erasure-ledger-file.ts'
import { noDisk } from '../../adapters/in-process/no-disk.ts'
import { noNotices } from '../../adapters/in-process/no-notices.ts'
import {
  type DatabaseLock,
  lockDatabase as lockSqlite,
} from '../../adapters/sqlite/connection/database-lock.ts'
import { findUpgrade as findSqliteUpgrade, newestSchema } from '../../adapters/sqlite/connection/migrate.ts'
import { examineSqlite } from '../../adapters/sqlite/diagnosis/examine-sqlite.ts'
import { compactSqlite, openSqliteStorage } from '../../adapters/sqlite/sqlite-storage.ts'
import { openSqliteSnapshot } from '../../adapters/sqlite/transfer/sqlite-snapshot.ts'
import { openSqliteSource, openSqliteTarget } from '../../adapters/sqlite/transfer/sqlite-transfer.ts'
import type { AttachmentStore } from '../../ports/attachment-store.ts'
import type { AttachmentHolds, DatabaseSnapshot } from '../../ports/backup.ts'
import type { ExaminedDatabase, ExamineOptions, Finding } from '../../ports/diagnosis.ts'
import type { DiskSpace } from '../../ports/disk-space.ts'
import type { ErasureLedger } from '../../ports/erasure-ledger.ts'
import type { Log } from '../../ports/log.ts'
import type { Notices } from '../../ports/notices.ts'
import type { MigrateOptions, Storage } from '../../ports/storage.ts'
import type { TransferSource, TransferTarget } from '../../ports/storage-transfer.ts'
import type { UpgradeEstimate } from '../../ports/upgrade-estimate.ts'
import { systemClock } from '../../shared/clock.ts'
import { assertUpgraded } from '../../upgrades/rows-left.ts'
import { upgradeSteps } from '../../upgrades/steps.ts'
import type { Config } from '../config/config.ts'
import { isObjectAddress } from '../config/object-address.ts'
import { createMovingAttachments } from './moving-attachments.ts'

// Choices by the address of a database: SQLite in a file with its folder, or MongoDB that processes share.

export { examineReserve } from '../../adapters/data-directory/examine-reserve.ts'
export { findSqliteDamage } from '../../adapters/sqlite/transfer/sqlite-snapshot.ts'

/**
 * Opens the store of the attachments' bytes: beside the rows, or the folder of an object store, where those that are still beside
 * the rows are read and removed too.
 */
export async function openAttachments({
  databaseUrl,
  attachments,
}: Pick<Config, 'databaseUrl' | 'attachments'>): Promise<AttachmentStore> {
  const before = await openAttachmentsBeside(databaseUrl)
  return attachments === undefined
    ? before
    : createMovingAttachments({ now: await openAttachmentPlace(attachments), before })
}

type AttachmentPlace = NonNullable<Config['attachments']>

/** Opens the folder of an object store alone. */
export async function openAttachmentPlace(place: AttachmentPlace): Promise<AttachmentStore> {
  const { openObjectAttachmentStore } = await import('../../adapters/object-store/object-attachment-store.ts')
  return openObjectAttachmentStore(place)
}

/** Tries that folder with a small object. */
export async function examineAttachmentPlace(place: AttachmentPlace): Promise<readonly Finding[]> {
  const { examineObjectStore } = await import('../../adapters/object-store/examine-object-store.ts')
  return examineObjectStore(place, systemClock.nowMs())
}

/**
 * Opens the place beside the rows: a directory beside an SQLite file, so that both are moved and backed up together, or the database
 * that processes share.
 */
export async function openAttachmentsBeside(url: string): Promise<AttachmentStore> {
  if (url.startsWith('sqlite:')) {
    return openDirectoryAttachmentStore(path.join(folderOf(url), 'attachments'))
  }
  const { openGridfsAttachmentStore } = await import('../../adapters/mongo/gridfs-attachment-store.ts')
  return openGridfsAttachmentStore(url)
}

/** Opens the ledger of erasures: a file, or the folder of an object store. */
export async function openLedger({
  erasureLedger: address,
  erasureLedgerKey: key = '',
}: Pick<Config, 'erasureLedger' | 'erasureLedgerKey'>): Promise<ErasureLedger | undefined> {
  if (address === undefined) return undefined
  if (!isObjectAddress(address)) return openErasureLedger(address)
  const { openErasureLedgerObjects } = await import('../../adapters/object-store/erasure-ledger-objects.ts')
  return openErasureLedgerObjects({ address, key })
}

export function openDisk({ databaseUrl: url, diskFreeBytesMin: freeBytesMin }: Config, log: Log): DiskSpace {
  return url.startsWith('sqlite:')
    ? createDiskReserve({ directory: folderOf(url), log, freeBytesMin })
    : noDisk
}

function fileOf(sqliteUrl: string): string {
  return path.resolve(sqliteUrl.slice('sqlite:'.length))
}

function folderOf(sqliteUrl: string): string {
  return path.dirname(fileOf(sqliteUrl))
}

/**
 * Takes an SQLite file for a command that must be alone with it. Throws a sentence that names the process which has it. Any
 * number of processes may use a MongoDB.
 */
export function lockDatabase(url: string, command: string): DatabaseLock {
  return url.startsWith('sqlite:')
    ? lockSqlite(fileOf(url), command)
    : { release: () => {}, discard: () => {} }
}

/** Returns the schemas before and after the upgrade that the next start makes on an SQLite file; undefined for none. */
export function findUpgrade(url: string): { from: number; to: number } | undefined {
  return url.startsWith('sqlite:') ? findSqliteUpgrade(fileOf(url)) : undefined
}

/** The same as `findUpgrade`, of a MongoDB too. Rejects when it cannot be reached. */
export async function findAnyUpgrade(url: string): Promise<{ from: number; to: number } | undefined> {
  if (url.startsWith('sqlite:')) return findUpgrade(url)
  const { findMongoUpgrade } = await import('../../adapters/mongo/mongo-storage.ts')
  return findMongoUpgrade(url)
}

/** Counts the rows that the next upgrade touches, and changes nothing. */
export async function estimateUpgrade(url: string): Promise<UpgradeEstimate | undefined> {
  if (url.startsWith('sqlite:')) {
    const adapter = await import('../../adapters/sqlite/connection/estimate-upgrade.ts')
    return adapter.estimateUpgrade(fileOf(url))
  }
  const { estimateMongoUpgrade } = await import('../../adapters/mongo/connection/estimate-upgrade.ts')
  return estimateMongoUpgrade(url)
}

/** Asks before anything is changed: afterwards the version that has to finish the step would not start any more. */
async function assertStepsDone(url: string): Promise<void> {
  if (!upgradeSteps.some(({ isRequired }) => isRequired)) return
  const { rows, close } = await examineDatabase(url, { isThorough: false })
  try {
    if (rows !== undefined) await assertUpgraded(rows, upgradeSteps)
  } finally {
    await close()
  }
}

export interface StorageOptions {
  /** How the database is upgraded. */
  migrate?: MigrateOptions | undefined
  /** The caller has taken the database by `lockDatabase`. */
  hasLock?: boolean
}

export async function openStorage(
  url: string,
  { migrate, hasLock = false }: StorageOptions,
): Promise<Storage> {
  await assertStepsDone(url)
  const storage = await (url.startsWith('sqlite:') ? openSqlite(url, hasLock) : openMongo(url))
  try {
    await storage.migrate(migrate)
    return storage
  } catch (error) {
    await storage.close()
    throw error
  }
}

/** Opens a database to copy from it, without changing it. */
export async function openTransferSource(url: string): Promise<TransferSource> {
  if (url.startsWith('sqlite:')) return openSqliteSource(url.slice('sqlite:'.length))
  const { openMongoSource } = await import('../../adapters/mongo/transfer/mongo-transfer.ts')
  return openMongoSource(url)
}

/** Opens a database to copy into it, and brings its schema up to date. */
export async function openTransferTarget(url: string): Promise<TransferTarget> {
  if (url.startsWith('sqlite:')) return openSqliteTarget(url.slice('sqlite:'.length))
  const { openMongoTarget } = await import('../../adapters/mongo/transfer/mongo-transfer.ts')
  return openMongoTarget(url)
}

/** Examines a database without changing it, also one with which no server can start. */
export async function examineDatabase(url: string, options: ExamineOptions): Promise<ExaminedDatabase> {
  if (url.startsWith('sqlite:')) return examineSqlite(url.slice('sqlite:'.length), options)
  const { examineMongo } = await import('../../adapters/mongo/diagnosis/examine-mongo.ts')
  return examineMongo(url)
}

/** Gives the free space of a database back to the disk, and returns a sentence about it. */
export async function compactDatabase(url: string): Promise<string> {
  const megabytes = (bytes: number) => `${(bytes / 1_000_000).toFixed(1)} MB`
  if (!url.startsWith('sqlite:')) {
    const { compactMongo } = await import('../../adapters/mongo/upkeep/compact.ts')
    const { collections, freedBytes } = await compactMongo(url)
    return `${collections} collections were compacted, and ${megabytes(freedBytes)} are free again.`
  }
  const lock = lockDatabase(url, 'crm-server compact')
  try {
    const { beforeBytes, afterBytes } = compactSqlite(fileOf(url))
    return `The database had ${megabytes(beforeBytes)} and has ${megabytes(afterBytes)}.`
  } finally {
    lock.release()
  }
}

/** Returns the schema that this version of the service works with on a database. */
export async function schemaOf(url: string): Promise<number> {
  if (url.startsWith('sqlite:')) return newestSchema()
  const { schemaVersion } = await import('../../adapters/mongo/connection/migrate.ts')
  return schemaVersion
}

/** Opens a snapshot of an SQLite file, and holds for the bytes of its attachments. */
export async function openBackupSource(
  file: string,
): Promise<{ snapshot: DatabaseSnapshot; holds: AttachmentHolds }> {
  const snapshot = openSqliteSnapshot(file)
  try {
    const directory = path.join(path.dirname(path.resolve(file)), 'attachments')
    return { snapshot, holds: await openAttachmentHolds(directory) }
  } catch (error) {
    snapshot.close()
    throw error
  }
}

/** Upgrades a file alone: a server of an earlier version on it would meet a schema that it does not know. */
async function openSqlite(url: string, hasLock: boolean): Promise<Storage> {
  const isUpgraded = !hasLock && findUpgrade(url) !== undefined
  const lock = isUpgraded ? lockDatabase(url, 'upgrades the database') : undefined
  try {
    return await openSqliteStorage({ path: url.slice('sqlite:'.length) })
  } finally {
    lock?.release()
  }
}

async function openMongo(url: string): Promise<Storage> {
  // The driver takes as long to load as the rest of the service: with SQLite it is not loaded.
  const { openMongoStorage } = await import('../../adapters/mongo/mongo-storage.ts')
  return openMongoStorage({ url })
}

/** An SQLite file belongs to one process. Processes on MongoDB exchange through it what polling does not find. */
export async function openOwnNotices(databaseUrl: string, onError: (error: Error) => void): Promise<Notices> {
  if (databaseUrl.startsWith('sqlite:')) return noNotices
  const { openMongoNotices } = await import('../../adapters/mongo/mongo-notices.ts')
  return openMongoNotices({ url: databaseUrl, onError })
}
