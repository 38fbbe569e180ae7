import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { rejection } from '../../../../test/contracts/storage/harness.contract.ts'
import { describeTransfer, type TransferSide } from '../../../../test/contracts/storage-transfer.contract.ts'
import {
  dropDatabase,
  migratedDatabase,
  newDatabaseUrl,
  withDatabase,
} from '../../../../test/support/mongo-database.ts'
import { transferKinds } from '../../../storage/kinds/derive.ts'
import { openDirectoryAttachmentStore } from '../../data-directory/directory-attachment-store.ts'
import { openSqliteStorage } from '../../sqlite/sqlite-storage.ts'
import { openSqliteSource, openSqliteTarget } from '../../sqlite/transfer/sqlite-transfer.ts'
import { openGridfsAttachmentStore } from '../gridfs-attachment-store.ts'
import { openMongoStorage } from '../mongo-storage.ts'
import { openMongoSource, openMongoTarget } from './mongo-transfer.ts'
import { notCopied } from './not-copied.ts'

async function newFile(): Promise<TransferSide> {
  const folder = mkdtempSync(path.join(tmpdir(), 'crmkit-transfer-'))
  const file = path.join(folder, 'crm.sqlite')
  return {
    openStorage: () => openSqliteStorage({ path: file }),
    openSource: () => openSqliteSource(file),
    openTarget: () => openSqliteTarget(file),
    openAttachments: async () => openDirectoryAttachmentStore(path.join(folder, 'attachments')),
    remove: async () => rmSync(folder, { recursive: true, force: true }),
  }
}

async function openMigrated(url: string) {
  const storage = await openMongoStorage({ url })
  try {
    await storage.migrate()
    return storage
  } catch (error) {
    await storage.close()
    throw error
  }
}

async function newDatabase(url = newDatabaseUrl(), remove = () => dropDatabase(url)): Promise<TransferSide> {
  return {
    openStorage: () => openMigrated(url),
    openSource: () => openMongoSource(url),
    openTarget: () => openMongoTarget(url),
    openAttachments: () => openGridfsAttachmentStore(url),
    remove,
  }
}

/** A target may have collections and indexes, which take most of the time to make. A source is known by its name too. */
async function emptyDatabase(): Promise<TransferSide> {
  const { url, remove } = migratedDatabase()
  return newDatabase(url, remove)
}

describeTransfer('from SQLite to MongoDB', { from: newFile, to: emptyDatabase })
describeTransfer('from MongoDB to SQLite', { from: () => newDatabase(), to: newFile })

let url: string
beforeEach(() => {
  url = newDatabaseUrl()
})
afterEach(() => dropDatabase(url))

test('every collection is copied, or left out for a reason', async () => {
  await (await openMigrated(url)).close()
  const names = await withDatabase(url, async (connection) =>
    (await connection.listCollections()).map(({ name }) => name),
  )
  expect(names.sort()).toEqual([...transferKinds, ...Object.keys(notCopied)].sort())
})

test('refuses a source of another schema with advice, and refuses an empty database', async () => {
  expect(String(await rejection(openMongoSource(url)))).toContain(
    'there is no data of crm-server in mongodb://',
  )
  await (await openMigrated(url)).close()
  const setSchema = (version: number) =>
    withDatabase(url, (connection) =>
      connection.collection('serverState').updateOne({ _id: 'schema' as never }, { $set: { version } }),
    )
  await setSchema(0.5)
  expect(String(await rejection(openMongoSource(url)))).toContain('run `crm-server migrate`')
  await setSchema(999)
  expect(String(await rejection(openMongoSource(url)))).toContain('copy with the newer crm-server')
})

test('reports when a server uses the source', async () => {
  const storage = await openMigrated(url)
  const source = await openMongoSource(url)
  expect(await source.isInUse()).toBe(false)
  const lease = { name: 'retention', holder: 'a server', now: new Date().toISOString(), leaseMs: 60_000 }
  await storage.system.takeLease(lease)
  expect(await source.isInUse()).toBe(true)
  await storage.system.releaseLease(lease)
  expect(await source.isInUse()).toBe(false)
  await source.close()
  await storage.close()
})

test('names the database without user, password and options', async () => {
  const target = await openMongoTarget(url)
  const { host, pathname } = new URL(url)
  expect(target.address).toBe(`mongodb://${host}${pathname}`)
  await target.close()
})
