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

interface Sample {
  perSecond: number
  p50Ms: number
  p99Ms: number
  failures: number
  /** The processor time of all server processes, and of the databases, for one request. */
  serverMicros: number
  databaseMicros: number
}

/** Sends requests to every API process equally, and measures what one costs. */
async function sample({ apiUrls, serverPids, databasePids }: Cluster, ask: Ask): Promise<Sample> {
  const before = [cpuTimeMs(serverPids), cpuTimeMs(databasePids)] as const
  const share = Math.round(connections / apiUrls.length)
  const loads = await Promise.all(
    apiUrls.map((url) => load({ ...ask, url: url + ask.path, connections: share, seconds })),
  )
  const sum = (pick: (one: (typeof loads)[number]) => number) =>
    loads.reduce((all, one) => all + pick(one), 0)
  const requests = sum((one) => one.requestsPerSecond) * seconds
  const micros = (nowMs: number, thenMs: number) => Math.round(((nowMs - thenMs) * 1000) / requests)
  return {
    perSecond: sum((one) => one.requestsPerSecond),
    p50Ms: Math.max(...loads.map((one) => one.p50Ms)),
    p99Ms: Math.max(...loads.map((one) => one.p99Ms)),
    failures: sum((one) => one.failures),
    serverMicros: micros(cpuTimeMs(serverPids), before[0]),
    databaseMicros: micros(cpuTimeMs(databasePids), before[1]),
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
    failures: samples.reduce((all, one) => all + one.failures, 0),
  }
}

/** Makes changes for some seconds, each of them for several webhooks, and waits until all have arrived. */
async function deliver(cluster: Cluster, create: Ask): Promise<number> {
  const before = await cluster.received()
  const startedAt = performance.now()
  const { perSecond } = await sample(cluster, create)
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
    const samples = { read: [] as Sample[], create: [] as Sample[], deliveries: [] as number[] }
    for (const ask of [read, create]) await sample(cluster, ask)
    for (let round = 0; round < rounds; round++) samples.read.push(await sample(cluster, read))
    for (let round = 0; round < rounds; round++) samples.create.push(await sample(cluster, create))
    for (let index = 1; index <= webhooks; index++) {
      const webhook = { name: `Bench ${index}`, url: cluster.receiverUrl, events: ['customer.created'] }
      await post(firstUrl, { route: '/api/v1/webhooks', token: tenant.key, body: webhook })
    }
    for (let round = 0; round < rounds; round++) samples.deliveries.push(await deliver(cluster, create))
    return samples
  } finally {
    await cluster.stop()
  }
}

const figures: Record<string, Record<string, number>> = {}
for (const [name, shape] of Object.entries(setUps)) {
  const { read, create, deliveries } = await measure(shape)
  figures[`${name}: GET /customers/{id}`] = toRow(read)
  figures[`${name}: POST /customers, durable`] = toRow(create)
  process.stderr.write(`${name}: measured\n`)
  figures[`${name}: deliveries`] = { 'deliveries/s': median(deliveries) }
}
printFigures('scale', figures, {
  connections,
  seconds,
  rounds,
  webhooks,
  mongodb: 'a set of one, w: majority',
})
