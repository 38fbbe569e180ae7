// Starts the services that test suites need, from the programs that the environment names: see service-suites.ts.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { MongoMemoryReplSet } from 'mongodb-memory-server-core'
import { bundlePrograms } from '../packages/server/test/support/bundle-programs.ts'
import { makeFastFolder } from '../packages/server/test/support/fast-folder.ts'
import { startRedis } from '../packages/server/test/support/redis-server.ts'
import { hasService } from './service-suites.ts'

/** Called by the test runner before the first suite; its result is called after the last one. */
export async function setup(): Promise<() => Promise<void>> {
  const stops = await Promise.all([
    shareCompiledCode(),
    shareBundle(),
    ...(hasService('mongodb') ? [startMongo()] : []),
    ...(hasService('redis') ? [startOneRedis()] : []),
  ])
  return async () => {
    for (const stop of stops) await stop()
  }
}

/** Programs that tests start keep their compiled sources for each other: they start in about two thirds of the time. */
async function shareCompiledCode(): Promise<() => Promise<void>> {
  const folder = mkdtempSync(join(tmpdir(), 'crmkit-compiled-'))
  process.env['NODE_COMPILE_CACHE'] = folder
  return async () => rmSync(folder, { recursive: true, force: true })
}

/** Tests start the server, its threads and its parsers from one bundle: see `bundle-programs.ts`. */
async function shareBundle(): Promise<() => Promise<void>> {
  const bundle = await bundlePrograms()
  process.env['CRM_TEST_PROGRAMS'] = pathToFileURL(`${bundle.directory}/`).href
  return async () => bundle.remove()
}

/**
 * MongoDB deletes the files of a dropped database with the next checkpoint after five minutes. A database of the tests
 * has some 150 files, so a thousand of them would reach the limit of open files, and end the server.
 */
const soonDeleted = ['--setParameter', 'minSnapshotHistoryWindowInSeconds=0', '--syncdelay', '5']

/** The runner's workers inherit its address; each test makes a database of its own on this server. */
async function startMongo(): Promise<() => Promise<unknown>> {
  // The transaction of a process that was killed keeps its locks for a minute unless this is set: see docs/scaling.md. It is
  // less than a request waits for them (10 s), and more than a transaction takes on a busy machine.
  const args = ['--setParameter', 'transactionLifetimeLimitSeconds=8', ...soonDeleted]
  // WiredTiger, because the storage needs transactions.
  const dbPath = makeFastFolder('crmkit-mongo-')
  const replicaSet = await MongoMemoryReplSet.create({
    replSet: { count: 1, storageEngine: 'wiredTiger', args },
    // A busy machine takes longer than the library's ten seconds.
    instanceOpts: [{ dbPath, launchTimeout: 120_000 }],
  })
  process.env['CRM_TEST_MONGODB_URL'] = replicaSet.getUri()
  return async () => {
    await replicaSet.stop()
    rmSync(dbPath, { recursive: true, force: true })
  }
}

/** One Redis for all tests: each installation uses key names of its own. */
async function startOneRedis(): Promise<() => Promise<unknown>> {
  const redis = await startRedis()
  process.env['CRM_TEST_REDIS_URL'] = redis.url
  return () => redis.stop()
}
