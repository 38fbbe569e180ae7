// `npm run bench mongo`: reads by id and durable creates on MongoDB and Redis beside a bare `node:http` server with the
// native driver, in turn and on the same mongod, with rate limits counted. The ratio of one run counts: both servers
// meet the same neighbours. Reads that start together share a command, and additions of one tenant share a transaction:
// `--tenants 32` gives every connection a tenant of its own, where no transaction is shared. MONGOMS_SYSTEM_BINARY and CRM_TEST_REDIS_BINARY name the programs.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { parseArgs } from 'node:util'
import type autocannon from 'autocannon'
import mongoose from 'mongoose'
import { openMongoStorage } from '../src/adapters/mongo/mongo-storage.ts'
import { startMongoSet } from '../test/support/mongo-set.ts'
import { startRedis } from '../test/support/redis-server.ts'
import { type Child, startChild } from './support/child.ts'
import { openCommandCounter } from './support/command-counter.ts'
import { cpuTimeMs } from './support/cpu-time.ts'
import { load, median } from './support/load.ts'
import { openTenant } from './support/open-tenant.ts'
import { printFigures } from './support/print-figures.ts'

const { values: options } = parseArgs({
  options: {
    seconds: { type: 'string', default: '4' },
    rounds: { type: 'string', default: '4' },
    connections: { type: 'string', default: '32' },
    /** Of all tenants together. */
    customers: { type: 'string', default: '2000' },
    tenants: { type: 'string', default: '1' },
    /** `get`, `post` or both, comma separated. */
    only: { type: 'string', default: 'get,post' },
  },
})
const [seconds, rounds] = [Number(options.seconds), Number(options.rounds)]
const [connections, customers] = [Number(options.connections), Number(options.customers)]
const tenantCount = Number(options.tenants)
const file = (name: string) => new URL(name, import.meta.url).pathname

const folder = mkdtempSync(path.join(tmpdir(), 'crmkit-bench-'))
const [set, redis] = [await startMongoSet({ members: 1 }), await startRedis()]
const bareUrl = set.url.replace('/crmkit?', '/bare?')
const crmkit = await startChild(file('../src/main/crm-server.ts'), ['start'], {
  PORT: '0',
  CRM_DATA_DIR: folder,
  CRM_LOG_LEVEL: 'error',
  CRM_DATABASE_URL: set.url,
  CRM_REDIS_URL: redis.url,
  CRM_JWT_SECRET: crypto.randomUUID(),
  CRM_SECRETS_KEY: crypto.randomUUID(),
})
const route = '/api/v1/customers'
const body = JSON.stringify({ firstName: 'Ada', lastName: 'Lovelace', tags: ['vip'] })
const tenants: Tenant[] = []
for (let index = 0; index < tenantCount; index++) tenants.push(await fillTenant(index))
await copyRows()
const watcher = await openCommandCounter(set.url)
const bare = await startChild(file('./support/bare-mongo.ts'), [bareUrl])

interface Tenant {
  headers: Record<string, string>
  /** Of its customers. */
  paths: string[]
}

async function fillTenant(index: number): Promise<Tenant> {
  const permissions = ['read:customers', 'write:customers']
  const { key } = await openTenant(crmkit.url, permissions, `bench${index}@example.com`)
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
  const paths: string[] = []
  const create = async () => {
    const response = await fetch(crmkit.url + route, { method: 'POST', headers, body })
    const { data } = (await response.json()) as { data: { _id: string } }
    paths.push(`${route}/${data._id}`)
  }
  while (paths.length < customers / tenantCount) await Promise.all(Array.from({ length: 8 }, create))
  return { headers, paths }
}

/** Gives the bare server documents and indexes like the service's own. */
async function copyRows(): Promise<void> {
  const storage = await openMongoStorage({ url: bareUrl })
  await storage.migrate()
  await storage.close()
  const connection = await mongoose.createConnection(set.url).asPromise()
  const to = connection.getClient().db('bare')
  try {
    for (const name of ['customers', 'events']) {
      const rows = await connection.collection(name).find({}).toArray()
      await to.collection(name).insertMany(rows)
    }
  } finally {
    await connection.close()
  }
}

interface Sample {
  perSecond: number
  failures: number
  /** Processor time of one request, µs. */
  node: number
  mongod: number
  redis: number
  /** Commands to MongoDB for each request, with those of background jobs. */
  commands: number
}

const sum = ({ node, mongod, redis }: Sample) => node + mongod + redis

/** Every connection belongs to a tenant, and asks its requests in turn, each from another one on. */
async function sample(server: Child, requestsOf: RequestsOf): Promise<Sample> {
  const pids = [server.process, ...set.members, redis].map(({ pid }) => pid as number)
  const before = pids.map((pid) => cpuTimeMs([pid]))
  let connected = 0
  const setupClient = (client: autocannon.Client) => {
    const index = connected++
    const tenant = tenants[index % tenants.length] as Tenant
    const requests = requestsOf(tenant).map((request) => ({ ...request, headers: tenant.headers }))
    const start = Math.floor((index * requests.length) / connections)
    client.setRequests([...requests.slice(start), ...requests.slice(0, start)])
  }
  const commandsBefore = await watcher.count()
  const found = await load({ url: server.url, connections, seconds, setupClient })
  const requests = found.requestsPerSecond * seconds
  const [node = 0, mongod = 0, limits = 0] = pids.map((pid, index) =>
    Math.round(((cpuTimeMs([pid]) - (before[index] ?? 0)) * 1000) / requests),
  )
  const commands = Number((((await watcher.count()) - commandsBefore) / requests).toFixed(2))
  const { requestsPerSecond: perSecond, failures } = found
  return { perSecond, failures, node, mongod, redis: limits, commands }
}

type RequestsOf = (tenant: Tenant) => autocannon.Request[]

const asks: Record<string, RequestsOf> = {
  get: ({ paths }) => paths.map((path) => ({ path })),
  post: () => [{ method: 'POST', path: route, body }],
}

function toRow(samples: readonly Sample[]): Record<string, number> {
  const middle = (pick: (one: Sample) => number) => median(samples.map(pick))
  return {
    'req/s': middle((one) => one.perSecond),
    'node µs': middle((one) => one.node),
    'mongod µs': middle((one) => one.mongod),
    'redis µs': middle((one) => one.redis),
    commands: middle((one) => one.commands),
    failures: samples.reduce((all, one) => all + one.failures, 0),
  }
}

const figures: Record<string, Record<string, number>> = {}
for (const name of options.only.split(',')) {
  const ask = asks[name]
  if (ask === undefined) throw new Error(`Unknown part ${name}: ${Object.keys(asks).join(', ')}`)
  const [ours, theirs]: [Sample[], Sample[]] = [[], []]
  for (const server of [crmkit, bare]) await sample(server, ask)
  for (let round = 0; round < rounds; round++) {
    ours.push(await sample(crmkit, ask))
    theirs.push(await sample(bare, ask))
  }
  figures[`${name}, bare driver`] = toRow(theirs)
  figures[`${name}, crmkit`] = toRow(ours)
  const ratio = (of: (mine: Sample, bares: Sample) => number) =>
    Number(median(ours.map((mine, index) => of(mine, theirs[index] as Sample))).toFixed(2))
  figures[`${name}, crmkit ÷ bare`] = {
    'req/s': ratio((mine, bares) => mine.perSecond / bares.perSecond),
    'work for the same processor time': ratio((mine, bares) => sum(bares) / sum(mine)),
  }
}
printFigures('mongo', figures, {
  connections,
  seconds,
  rounds,
  customers,
  tenants: tenantCount,
  mongodb: 'a set of one, w: majority',
})

await watcher.close()
await crmkit.stop()
bare.process.kill('SIGTERM')
await redis.stop()
await set.stop()
rmSync(folder, { recursive: true, force: true })
