// `npm run bench scale`: one and two API processes and workers on MongoDB and Redis, against one process on SQLite.
// All of them run on one machine, so it shows what a request costs, not how many machines scale.
import { setTimeout as delay } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { cpuTimeMs } from './support/cpu-time.ts'
import { load, median } from './support/load.ts'
import { type BenchTenant, openTenant, post } from './support/open-tenant.ts'
import { printFigures } from './support/print-figures.ts'
import { type Cluster, type Shape, startCluster } from './support/scale-cluster.ts'

const { values: options } = parseArgs({
  options: {
    seconds: { type: 'string', default: '4' },
    rounds: { type: 'string', default: '3' },
    connections: { type: 'string', default: '32' },
    webhooks: { type: 'string', default: '8' },
    /** API processes and workers of the set-ups to measure, such as `1+1,2+1`; all by default. */
    only: { type: 'string' },
    /** Gives each API process all connections, as machines of their own have. Otherwise they share them. */
    each: { type: 'boolean', default: false },
  },
})
const [seconds, rounds] = [Number(options.seconds), Number(options.rounds)]
const [connections, webhooks] = [Number(options.connections), Number(options.webhooks)]
const permissions = ['read:customers', 'write:customers', 'webhook:manage']

const setUps: Record<string, Shape | 'sqlite'> = {
  'SQLite + in-process': 'sqlite',
  'MongoDB + Redis, 1 API + 1 worker': { api: 1, workers: 1 },
  'MongoDB + Redis, 1 API + 2 workers': { api: 1, workers: 2 },
  'MongoDB + Redis, 2 API + 1 worker': { api: 2, workers: 1 },
  'MongoDB + Redis, 2 API + 2 workers': { api: 2, workers: 2 },
}

/** The processor time of processes that nobody asks anything, ms for each second. */
interface Idle {
  servers: number
  databases: number
}

interface Sample {
  perSecond: number
  p50Ms: number
  p99Ms: number
  failures: number
  /** The processor time of all server processes, and of the databases, for one request. */
  serverMicros: number
  databaseMicros: number
  /** The same without what all of them need while nobody asks anything. */
  serverMicrosBeyondIdle: number
  databaseMicrosBeyondIdle: number
}

const idleSeconds = 10

/** Measures what polls, leases and monitors cost. */
async function measureIdle({ serverPids, databasePids }: Cluster): Promise<Idle> {
  await delay(2_000)
  const before = [cpuTimeMs(serverPids), cpuTimeMs(databasePids)] as const
  await delay(idleSeconds * 1_000)
  const perSecond = (nowMs: number, thenMs: number) => (nowMs - thenMs) / idleSeconds
  return {
    servers: perSecond(cpuTimeMs(serverPids), before[0]),
    databases: perSecond(cpuTimeMs(databasePids), before[1]),
  }
}

interface Measured {
  cluster: Cluster
  idle: Idle
}

/** Sends requests to every API process equally, and measures what one costs. */
async function sample({ cluster, idle }: Measured, ask: Ask): Promise<Sample> {
  const { apiUrls, serverPids, databasePids } = cluster
  const before = [cpuTimeMs(serverPids), cpuTimeMs(databasePids)] as const
  const share = options.each ? connections : Math.round(connections / apiUrls.length)
  const loads = await Promise.all(
    apiUrls.map((url) => load({ ...ask, url: url + ask.path, connections: share, seconds })),
  )
  const sum = (pick: (one: (typeof loads)[number]) => number) =>
    loads.reduce((all, one) => all + pick(one), 0)
  const requests = sum((one) => one.requestsPerSecond) * seconds
  const micros = (ms: number) => Math.round((ms * 1000) / requests)
  const serverMs = cpuTimeMs(serverPids) - before[0]
  const databaseMs = cpuTimeMs(databasePids) - before[1]
  return {
    perSecond: sum((one) => one.requestsPerSecond),
    p50Ms: Math.max(...loads.map((one) => one.p50Ms)),
    p99Ms: Math.max(...loads.map((one) => one.p99Ms)),
    failures: sum((one) => one.failures),
    serverMicros: micros(serverMs),
    databaseMicros: micros(databaseMs),
    serverMicrosBeyondIdle: micros(serverMs - idle.servers * seconds),
    databaseMicrosBeyondIdle: micros(databaseMs - idle.databases * seconds),
  }
}

interface Ask {
  path: string
  method?: 'POST'
  headers: Record<string, string>
  body?: string
}

function asks({ key, customerId }: BenchTenant): { read: Ask; create: Ask } {
  const headers = { authorization: `Bearer ${key}` }
  const body = JSON.stringify({ firstName: 'Ada', lastName: 'Lovelace', tags: ['vip'] })
  return {
    read: { path: `/api/v1/customers/${customerId}`, headers },
    create: {
      path: '/api/v1/customers',
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json' },
      body,
    },
  }
}

function toRow(samples: readonly Sample[]): Record<string, number> {
  const middle = (pick: (one: Sample) => number) => median(samples.map(pick))
  return {
    'req/s': middle((one) => one.perSecond),
    'p50 ms': middle((one) => one.p50Ms),
    'p99 ms': middle((one) => one.p99Ms),
    'CPU of servers, µs/req': middle((one) => one.serverMicros),
    'CPU of databases, µs/req': middle((one) => one.databaseMicros),
    'servers beyond idle': middle((one) => one.serverMicrosBeyondIdle),
    'databases beyond idle': middle((one) => one.databaseMicrosBeyondIdle),
    failures: samples.reduce((all, one) => all + one.failures, 0),
  }
}

/** Makes changes for some seconds, each of them for several webhooks, and waits until all have arrived. */
async function deliver(measured: Measured, create: Ask): Promise<number> {
  const { cluster } = measured
  const before = await cluster.received()
  const startedAt = performance.now()
  const { perSecond } = await sample(measured, create)
  let count = before
  // The last deliveries may still be running when the load ends: wait until no more arrive.
  for (let quietMs = 0, lastAt = performance.now(); quietMs < 3_000; ) {
    await delay(50)
    const now = await cluster.received()
    if (now > count) lastAt = performance.now()
    count = now
    quietMs = performance.now() - lastAt
    if (count - before >= perSecond * seconds * webhooks) break
  }
  return Math.round(((count - before) * 1000) / (performance.now() - startedAt))
}

async function measure(shape: Shape | 'sqlite') {
  const cluster = await startCluster(shape)
  try {
    const [firstUrl = ''] = cluster.apiUrls
    const tenant = await openTenant(firstUrl, permissions)
    const { read, create } = asks(tenant)
    const measured = { cluster, idle: await measureIdle(cluster) }
    const samples = {
      idle: measured.idle,
      read: [] as Sample[],
      create: [] as Sample[],
      deliveries: [] as number[],
    }
    for (const ask of [read, create]) await sample(measured, ask)
    for (let round = 0; round < rounds; round++) samples.read.push(await sample(measured, read))
    for (let round = 0; round < rounds; round++) samples.create.push(await sample(measured, create))
    for (let index = 1; index <= webhooks; index++) {
      const webhook = { name: `Bench ${index}`, url: cluster.receiverUrl, events: ['customer.created'] }
      await post(firstUrl, { route: '/api/v1/webhooks', token: tenant.key, body: webhook })
    }
    for (let round = 0; round < rounds; round++) samples.deliveries.push(await deliver(measured, create))
    return samples
  } finally {
    await cluster.stop()
  }
}

const figures: Record<string, Record<string, number>> = {}
function isWanted(shape: Shape | 'sqlite'): boolean {
  const name = shape === 'sqlite' ? shape : `${shape.api}+${shape.workers}`
  return options.only === undefined || options.only.split(',').includes(name)
}

for (const [name, shape] of Object.entries(setUps)) {
  if (!isWanted(shape)) continue
  const { idle, read, create, deliveries } = await measure(shape)
  figures[`${name}: idle`] = { 'servers, ms/s': idle.servers, 'databases, ms/s': idle.databases }
  figures[`${name}: GET /customers/{id}`] = toRow(read)
  figures[`${name}: POST /customers, durable`] = toRow(create)
  process.stderr.write(`${name}: measured\n`)
  figures[`${name}: deliveries`] = { 'deliveries/s': median(deliveries) }
}
printFigures('scale', figures, {
  connections,
  each: String(options.each),
  seconds,
  rounds,
  webhooks,
  mongodb: 'a set of one, w: majority',
})
