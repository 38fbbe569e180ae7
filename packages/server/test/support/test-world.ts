import { randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { openBullmqQueue } from '../../src/adapters/bullmq/bullmq-queue.ts'
import { openDirectoryAttachmentStore } from '../../src/adapters/data-directory/directory-attachment-store.ts'
import { createInProcessQueue } from '../../src/adapters/in-process/in-process-queue.ts'
import { openGridfsAttachmentStore } from '../../src/adapters/mongo/gridfs-attachment-store.ts'
import { openMongoStorage } from '../../src/adapters/mongo/mongo-storage.ts'
import { openSqliteStorage } from '../../src/adapters/sqlite/sqlite-storage.ts'
import { jobNames } from '../../src/main/compose/job-registry.ts'
import type { JobQueue } from '../../src/ports/job-queue.ts'
import type { OpenAttachmentStore } from '../contracts/attachment-store.contract.ts'
import type { OpenStorage } from '../contracts/storage/harness.contract.ts'
import { dropDatabase, migratedDatabase, newDatabaseUrl } from './mongo-database.ts'
import { silentLog } from './silent-log.ts'

/** The services of a service under test. The same tests run in every world: see scripts/service-suites.ts. */
export interface TestWorld {
  variables: Record<string, string>
  remove(): Promise<void>
}

export const isMongoWorld = process.env['CRM_TEST_WORLD'] === 'mongodb'

/** An installation's own id separates it from all others on the one Redis. */
const redisUrl = () => process.env['CRM_TEST_REDIS_URL'] ?? ''

function mongoWorld(databaseUrl: string, remove: () => Promise<void>): TestWorld {
  return {
    variables: {
      CRM_DATABASE_URL: databaseUrl,
      CRM_REDIS_URL: redisUrl(),
      CRM_JWT_SECRET: 'the tests sign the tokens of sessions with this',
      CRM_SECRETS_KEY: 'the tests seal the secrets of webhooks with this',
    },
    remove,
  }
}

const sqliteWorld: TestWorld = { variables: {}, remove: async () => {} }

/** An empty world of its own: SQLite in the data directory, or MongoDB and Redis where `CRM_TEST_WORLD` is `mongodb`. */
export function newTestWorld(): TestWorld {
  if (!isMongoWorld) return sqliteWorld
  const databaseUrl = newDatabaseUrl()
  return mongoWorld(databaseUrl, () => dropDatabase(databaseUrl))
}

/** The same for a test that migrates: collections and indexes may exist, because making them takes up to a second. */
export function migratedTestWorld(): TestWorld & { isMigrated: boolean } {
  if (!isMongoWorld) return { ...sqliteWorld, isMigrated: false }
  const { url, isMigrated, remove } = migratedDatabase()
  return { ...mongoWorld(url, remove), isMigrated }
}

interface TestDatabaseOptions {
  /** The driver reports each command to `listenToCommands`. */
  reportsCommands?: boolean
}

/** An empty storage of this world, with the address of its data. */
export async function openTestDatabase({ reportsCommands = false }: TestDatabaseOptions = {}) {
  const folder = await mkdtemp(path.join(tmpdir(), 'crmkit-storage-'))
  const { variables, remove, isMigrated } = migratedTestWorld()
  const url = variables['CRM_DATABASE_URL']
  const storage = await (url
    ? openMongoStorage({ url: reportsCommands ? reporting(url) : url })
    : openSqliteStorage({ path: path.join(folder, 'crm.db') }))
  if (!isMigrated) await storage.migrate()
  return {
    storage,
    folder,
    url,
    /** Called when it is closed. */
    async remove() {
      await remove()
      await rm(folder, { recursive: true })
    },
  }
}

function reporting(url: string): string {
  const address = new URL(url)
  address.searchParams.set('monitorCommands', 'true')
  return address.href
}

/** An empty storage of this world. */
export async function openTestStorage(options?: TestDatabaseOptions): Promise<OpenStorage> {
  const { storage, remove } = await openTestDatabase(options)
  return {
    storage,
    async cleanup() {
      await storage.close()
      await remove()
    },
  }
}

/** An empty attachment store of this world. */
export async function openTestAttachments(): Promise<OpenAttachmentStore> {
  const folder = await mkdtemp(path.join(tmpdir(), 'crmkit-attachments-'))
  const { variables, remove } = newTestWorld()
  const url = variables['CRM_DATABASE_URL']
  const open = async () =>
    url ? openGridfsAttachmentStore(url) : openDirectoryAttachmentStore(path.join(folder, 'attachments'))
  const store = await open()
  return {
    store,
    openAgain: open,
    async cleanup() {
      await store.close()
      await remove()
      await rm(folder, { recursive: true })
    },
  }
}

/** Opens a queue of this world that no other test uses. */
export async function openTestQueue(): Promise<JobQueue> {
  const local = createInProcessQueue()
  if (!isMongoWorld) return local
  const installationId = randomUUID()
  return openBullmqQueue({ url: redisUrl(), installationId, jobs: jobNames, local, log: silentLog })
}
