// `npm run bench rows`: the lists, searches and writes of one tenant with a million customers, a million
// conversations, three million messages, a million events and a million attempts. `--adapter mongodb` starts the mongod
// that MONGOMS_SYSTEM_BINARY names. `--data FOLDER` keeps the database and uses it again.
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { MongoMemoryReplSet } from 'mongodb-memory-server-core'
import mongoose from 'mongoose'
import { openMongoStorage } from '../src/adapters/mongo/mongo-storage.ts'
import { openMongoSource, openMongoTarget } from '../src/adapters/mongo/transfer/mongo-transfer.ts'
import { openSqliteStorage } from '../src/adapters/sqlite/sqlite-storage.ts'
import type { TenantId } from '../src/storage/records.ts'
import { findLastingPort } from '../test/support/free-port.ts'
import { type Child, startChild } from './support/child.ts'
import { cpuTimeMs } from './support/cpu-time.ts'
import { load, median } from './support/load.ts'
import { readMemory } from './support/memory.ts'
import { openTenant } from './support/open-tenant.ts'
import { printFigures } from './support/print-figures.ts'
import { type RowRequest, rowRequests } from './support/row-requests.ts'
import { type SeedPlan, seedRows, seedWebhook, storeAsCopy } from './support/row-seed.ts'
import { openUnsafeFile } from './support/sqlite-seed.ts'

const { values: options } = parseArgs({
  options: {
    rows: { type: 'string', default: '1000000' },
    runs: { type: 'string', default: '30' },
    seconds: { type: 'string', default: '5' },
    adapter: { type: 'string', default: 'sqlite' },
    data: { type: 'string' },
  },
})
const [rows, runs, seconds] = [Number(options.rows), Number(options.runs), Number(options.seconds)]
const isMongo = options.adapter === 'mongodb'
/** The goals for a person who waits, ms. */
const goals = isMongo ? { list: 50, search: 100 } : { list: 20, search: 50 }
const permissions = [
  'read:customers',
  'write:customers',
  'read:conversations',
  'write:conversations',
  'webhook:manage',
]
const serverFile = new URL('../src/main/crm-server.ts', import.meta.url).pathname

/** Long enough for an idle server to give back memory, which it does once a minute at most. */
const idleMs = 70_000

const memoryMiB = (pid: number) => Math.round(readMemory(pid) / 2 ** 20)

interface Tenant {
  key: string
  tenantId: TenantId
  inboxId: string
  customerId: string
}

interface Database {
  env: Record<string, string>
  /** Stores the plan's rows. */
  seed(plan: Omit<SeedPlan, 'batchRows'>): Promise<void>
  /** Says how the database answered the newest request, where it keeps that. */
  explain(request: () => Promise<unknown>): Promise<string>
}

function sqliteIn(folder: string): Database {
  return {
    env: { CRM_DATA_DIR: folder },
    async seed(plan) {
      const file = path.join(folder, 'crm.sqlite')
      const storage = await openSqliteStorage({ path: file })
      await seedWebhook(storage.forTenant(plan.tenantId))
      await storage.close()
      const { store, close } = openUnsafeFile(file)
      await seedRows({ ...plan, batchRows: 1_000 }, store)
      close()
    },
    explain: async () => '',
  }
}

const seededCollections = ['customers', 'conversations', 'messages', 'events', 'attempts']

/**
 * Drops the indexes of the seeded kinds: building them at the end takes less time than keeping them in each write. Returns
 * the work that builds them, of all collections at the same time.
 */
async function dropIndexes(url: string): Promise<() => Promise<void>> {
  const connection = await mongoose.createConnection(url).asPromise()
  const dropped = await Promise.all(
    seededCollections.map(async (name) => {
      const collection = connection.collection(name)
      const indexes = (await collection.indexes()).filter((index) => index.name !== '_id_')
      await collection.dropIndexes()
      return { collection, indexes: indexes.map(({ v: _, ...index }) => index) }
    }),
  )
  return async () => {
    await Promise.all(dropped.map(({ collection, indexes }) => collection.createIndexes(indexes as never)))
    await connection.close()
  }
}

function mongoAt(url: string, folder: string): Database {
  return {
    env: { CRM_DATA_DIR: folder, CRM_DATABASE_URL: url },
    async seed(plan) {
      const storage = await openMongoStorage({ url })
      await seedWebhook(storage.forTenant(plan.tenantId))
      await storage.close()
      const target = await openMongoTarget(url)
      const buildIndexes = await dropIndexes(url)
      await seedRows({ ...plan, batchRows: 1_000 }, storeAsCopy(target))
      await target.close()
      process.stderr.write('all rows are stored; indexes are built\n')
      await buildIndexes()
      process.stderr.write('indexes are built; events get their positions\n')
      // It gives the events their positions when it opens.
      const source = await openMongoSource(url)
      await source.close()
    },
    async explain(request) {
      const connection = await mongoose.createConnection(url).asPromise()
      const db = connection.db as mongoose.mongo.Db
      try {
        await db.command({ profile: 2 })
        await request()
        await db.command({ profile: 0 })
        const slowest = await db
          .collection('system.profile')
          .find({ ns: { $not: /system\.profile/ } })
          .sort({ millis: -1 })
          .limit(2)
          .toArray()
        await db.collection('system.profile').drop()
        return slowest
          .map(
            ({ ns, op, planSummary, keysExamined, docsExamined, nreturned, millis }) =>
              `${ns} ${op}: ${planSummary}, ${keysExamined} keys, ${docsExamined} documents, ${nreturned} returned, ${millis} ms`,
          )
          .join('; ')
      } finally {
        await connection.close()
      }
    },
  }
}

function start(database: Database): Promise<Child> {
  return startChild(serverFile, ['start'], {
    ...database.env,
    PORT: '0',
    CRM_LOG_LEVEL: 'error',
    CRM_RATE_LIMITS: 'off',
    CRM_JWT_SECRET: 'a secret of the benchmark that is long enough',
    CRM_SECRETS_KEY: 'a key of the benchmark that is long enough',
  })
}

async function get(url: string, { key }: Pick<Tenant, 'key'>) {
  const response = await fetch(url, { headers: { authorization: `Bearer ${key}` } })
  const body = (await response.json()) as { data: never }
  if (response.status !== 200) throw new Error(`${url}: ${JSON.stringify(body)}`)
  return body.data as unknown
}

/** Makes the tenant by requests and its rows through the storage port. Returns the seconds that the rows took. */
async function fill(database: Database): Promise<{ tenant: Tenant; seedSeconds: number }> {
  const server = await start(database)
  const { key, customerId } = await openTenant(server.url, permissions)
  const { tenantId } = (await get(`${server.url}/api/v1/customers/${customerId}`, { key })) as Tenant
  const [inbox] = (await get(`${server.url}/api/v1/inboxes`, { key })) as { _id: string }[]
  await server.stop()
  const tenant = { key, tenantId, inboxId: inbox?._id ?? '', customerId }
  const startMs = performance.now()
  const seconds = () => Math.round((performance.now() - startMs) / 1000)
  const onProgress = (count: number) => {
    if (count % 10_000 === 0) process.stderr.write(`${count} of ${rows} in ${seconds()} s\n`)
  }
  await database.seed({ tenantId, rows, inboxId: tenant.inboxId, onProgress })
  return { tenant, seedSeconds: seconds() }
}

/** Changes a row: totals and matches that the server has kept are not valid after it. */
async function write(url: string, { key, inboxId }: Tenant): Promise<void> {
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
  const customer = { firstName: 'Ada', lastName: 'Lovelace' }
  const made = await fetch(`${url}/api/v1/customers`, {
    method: 'POST',
    headers,
    body: JSON.stringify(customer),
  })
  if (made.status !== 201) throw new Error(await made.text())
  const { data } = (await made.json()) as { data: { _id: string } }
  const message = { content: 'Where is it?' }
  const conversation = { subject: 'An order', customerId: data._id, inboxId, message }
  const begun = await fetch(`${url}/api/v1/conversations`, {
    method: 'POST',
    headers,
    body: JSON.stringify(conversation),
  })
  if (begun.status !== 201) throw new Error(await begun.text())
}

interface Running {
  server: Child
  tenant: Tenant
  database: Database
}

async function measure({ path, isSearch }: RowRequest, { server, tenant, database }: Running) {
  const { url } = server
  const goal = isSearch ? goals.search : goals.list
  await write(url, tenant)
  const times: number[] = []
  const startCpuMs = cpuTimeMs([server.process.pid as number])
  for (let run = 0; run <= runs; run++) {
    const startMs = performance.now()
    await get(url + path(run), tenant)
    times.push(performance.now() - startMs)
  }
  const cpuMs = (cpuTimeMs([server.process.pid as number]) - startCpuMs) / times.length
  const [first = 0, ...rest] = times
  const sorted = rest.sort((a, b) => a - b)
  const p95 = sorted[Math.ceil(0.95 * sorted.length) - 1] ?? 0
  const isMissed = Math.max(first, p95) > goal
  const round = (ms: number) => Number(ms.toFixed(1))
  return {
    'p50 ms': round(median(sorted)),
    'p95 ms': round(p95),
    'first ms': round(first),
    'server CPU ms': round(cpuMs),
    goal: `${isMissed ? 'over' : 'within'} ${goal} ms`,
    ...(isMissed && { plan: await database.explain(() => get(url + path(runs + 1), tenant)) }),
  }
}

async function writes(url: string, { key, customerId, inboxId }: Tenant) {
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
  const bodies = {
    '/api/v1/customers': { firstName: 'Ada', lastName: 'Lovelace', tags: ['vip'] },
    '/api/v1/conversations': { subject: 'An order', customerId, inboxId },
  }
  const figures: Record<string, Record<string, number>> = {}
  for (const [route, body] of Object.entries(bodies)) {
    const made = await load({
      url: url + route,
      method: 'POST',
      headers,
      body: JSON.stringify(body),
      seconds,
    })
    figures[`POST ${route}`] = { 'req/s': made.requestsPerSecond, 'p50 ms': made.p50Ms, 'p99 ms': made.p99Ms }
  }
  return figures
}

async function openDatabase() {
  const own = options.data === undefined
  const folder = options.data ?? (await mkdtemp(path.join(tmpdir(), 'crmkit-bench-')))
  await mkdir(folder, { recursive: true })
  const remove = async () => {
    if (own) await rm(folder, { recursive: true, force: true })
  }
  if (!isMongo) return { folder, database: sqliteIn(folder), close: remove }
  const dbPath = path.join(folder, 'mongodb')
  await mkdir(dbPath, { recursive: true })
  // The set of kept files knows itself by its port.
  const portFile = path.join(folder, 'mongodb-port')
  const port = existsSync(portFile) ? Number(await readFile(portFile, 'utf8')) : await findLastingPort()
  await writeFile(portFile, String(port))
  const replSet = {
    name: 'bench',
    storageEngine: 'wiredTiger' as const,
    // With less memory, the entries of an index are sorted in more pieces on the disk.
    args: ['--wiredTigerCacheSizeGB', '2', '--setParameter', 'maxIndexBuildMemoryUsageMegabytes=2000'],
  }
  const set = await MongoMemoryReplSet.create({ replSet, instanceOpts: [{ dbPath, port }] })
  const close = async () => {
    await set.stop()
    await remove()
  }
  return { folder, database: mongoAt(set.getUri('rows'), folder), close }
}

const { folder, database, close } = await openDatabase()
try {
  const tenantFile = path.join(folder, 'bench-tenant.json')
  const figures: Record<string, Record<string, number | string>> = {}
  if (!existsSync(tenantFile)) {
    const { tenant, seedSeconds } = await fill(database)
    figures['seeding'] = { seconds: seedSeconds, 'rows/s': Math.round((rows * 7) / seedSeconds) }
    await writeFile(tenantFile, JSON.stringify(tenant))
  }
  const tenant = JSON.parse(await readFile(tenantFile, 'utf8')) as Tenant
  const startMs = performance.now()
  const server = await start(database)
  const startedInMs = Math.round(performance.now() - startMs)
  try {
    const pid = server.process.pid as number
    figures['start'] = { ms: startedInMs, 'resident MiB': memoryMiB(pid) }
    const [conversation] = (await get(`${server.url}/api/v1/conversations?limit=1`, tenant)) as {
      _id: string
    }[]
    const ids = {
      customer: tenant.customerId,
      conversation: conversation?._id ?? '',
      inbox: tenant.inboxId,
    }
    for (const request of rowRequests(ids)) {
      figures[request.name] = await measure(request, { server, tenant, database })
      process.stderr.write(`${request.name}: ${JSON.stringify(figures[request.name])}\n`)
    }
    Object.assign(figures, await writes(server.url, tenant))
    figures['after the run'] = { 'resident MiB': memoryMiB(pid) }
    await delay(idleMs)
    figures['idle after it'] = { 'resident MiB': memoryMiB(pid) }
  } finally {
    await server.stop()
  }
  printFigures('rows', figures, { rows, runs, seconds, adapter: options.adapter })
} finally {
  await close()
}
