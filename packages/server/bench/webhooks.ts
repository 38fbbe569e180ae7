// The delivery engine with an HTTPS receiver in a process of its own: throughput, latency and fairness. It works on
// SQLite; with `--adapter mongodb` on the mongod that MONGOMS_SYSTEM_BINARY names.
import { setTimeout as delay } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { cpuTimeMs } from './support/cpu-time.ts'
import { type Arrival, openDeliveryWorld, type Tenant } from './support/delivery-world.ts'
import { median } from './support/load.ts'
import { printFigures } from './support/print-figures.ts'

const { values: options } = parseArgs({
  options: {
    only: { type: 'string', default: 'throughput,latency,load,retries,hanging,backlog' },
    deliveries: { type: 'string', default: '30000' },
    backlog: { type: 'string', default: '1000000' },
    seconds: { type: 'string', default: '8' },
    runs: { type: 'string', default: '3' },
    pairs: { type: 'string', default: '5' },
    adapter: { type: 'string', default: 'sqlite' },
  },
})
const [deliveries, backlog] = [Number(options.deliveries), Number(options.backlog)]
const [seconds, runs, pairs] = [Number(options.seconds), Number(options.runs), Number(options.pairs)]
const adapter = options.adapter === 'mongodb' ? 'mongodb' : 'sqlite'

type World = Awaited<ReturnType<typeof openDeliveryWorld>>
type Figures = Record<string, number>

async function inWorld<T>(use: (world: World) => Promise<T>): Promise<T> {
  const world = await openDeliveryWorld(adapter)
  try {
    return await use(world)
  } finally {
    await world.close()
  }
}

/** Collects garbage, so that the memory of earlier work is not measured. */
function collectGarbage(): void {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as () => void
  collect()
}

async function until(isReached: () => boolean): Promise<void> {
  while (!isReached()) await delay(2)
}

function quantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b)
  return Number((sorted[Math.floor((sorted.length - 1) * share)] ?? Number.NaN).toFixed(1))
}

/** Emits one event at a time, this many a second, and returns when each was durable. */
async function emitSteadily(tenants: readonly Tenant[], { perSecond = 200, forSeconds = seconds } = {}) {
  const sentAt = new Map<string, number>()
  const begin = performance.now()
  const running: Promise<void>[] = []
  for (let index = 0; index < perSecond * forSeconds; index++) {
    await delay(Math.max(begin + (index * 1000) / perSecond - performance.now(), 0))
    const tenant = tenants[index % tenants.length] as Tenant
    running.push(
      tenant.emit(1).then(({ events, atMs }) => {
        for (const { _id } of events) sentAt.set(_id, atMs)
      }),
    )
  }
  await Promise.all(running)
  return sentAt
}

function latencies(sentAt: ReadonlyMap<string, number>, arrivals: readonly Arrival[]): number[] {
  return arrivals.flatMap(([id, , atMs]) => {
    const sent = sentAt.get(id)
    return sent === undefined ? [] : [Math.max(atMs - sent, 0)]
  })
}

/** Drains a durable backlog of 8 tenants with one webhook each. */
async function measureThroughput(): Promise<Figures> {
  return inWorld(async (world) => {
    const tenants = await Promise.all(Array.from({ length: 8 }, () => world.addTenant('/ok')))
    for (let made = 0; made < deliveries; made += tenants.length * 250) {
      await Promise.all(tenants.map((tenant) => tenant.emit(250)))
    }
    const begin = performance.now()
    const cpu = process.cpuUsage()
    const databaseMs = () => (world.mongod ? cpuTimeMs([world.mongod.pid]) : 0)
    const databaseBeforeMs = databaseMs()
    const worker = await world.startWorker()
    await until(() => world.finished() >= deliveries)
    const elapsed = (performance.now() - begin) / 1000
    const { user, system } = process.cpuUsage(cpu)
    await worker.stop()
    return {
      'deliveries/s': Math.round(deliveries / elapsed),
      'µs of CPU each, without the receiver': Math.round((user + system) / deliveries),
      'µs of mongod each': Math.round(((databaseMs() - databaseBeforeMs) * 1000) / deliveries),
    }
  })
}

async function measureLatency(): Promise<Figures> {
  return inWorld(async (world) => {
    const tenants = await Promise.all(Array.from({ length: 10 }, () => world.addTenant('/ok')))
    const worker = await world.startWorker()
    await emitSteadily(tenants, { forSeconds: 1 })
    await world.arrivals()
    const sentAt = await emitSteadily(tenants)
    await delay(300)
    const found = latencies(sentAt, await world.arrivals())
    await worker.stop()
    return { 'p50 ms': quantile(found, 0.5), 'p99 ms': quantile(found, 0.99), events: found.length }
  })
}

/** The latency of a small tenant while another one’s backlog occupies every slot. */
async function measureUnderLoad(): Promise<Figures> {
  return inWorld(async (world) => {
    const [big, small] = [await world.addTenant('/ok', { webhooks: 8 }), await world.addTenant('/ok')]
    for (let made = 0; made < 8000 * seconds; made += 8 * 500) await big.emit(500)
    const worker = await world.startWorker()
    await emitSteadily([small], { forSeconds: 1 })
    await world.arrivals()
    const before = world.finished()
    const begin = performance.now()
    const sentAt = await emitSteadily([small], { perSecond: 50, forSeconds: seconds / 2 })
    const perSecond = ((world.finished() - before) / (performance.now() - begin)) * 1000
    await delay(300)
    const found = latencies(sentAt, await world.arrivals())
    await worker.stop()
    return {
      'p50 ms': quantile(found, 0.5),
      'p99 ms': quantile(found, 0.99),
      'deliveries/s meanwhile': Math.round(perSecond),
    }
  })
}

/** Measures how long after its planned time a retry arrives. */
async function measureRetries(): Promise<Figures> {
  return inWorld(async (world) => {
    const tenants = await Promise.all(
      Array.from({ length: 10 }, () => world.addTenant('/flaky', { maxRetries: 1 })),
    )
    const planned = new Map<string, number>()
    const { system } = world.storage
    const worker = await world.startWorker()
    await emitSteadily(tenants, { perSecond: 100 })
    await delay(3000)
    await worker.stop()
    const arrivals = await world.arrivals()
    for (const { tenantId } of tenants) await readPlanned(world, { tenantId, planned })
    const late = arrivals.flatMap(([id, attempt, atMs]) => {
      const at = planned.get(id)
      return attempt === 2 && at !== undefined ? [atMs - at] : []
    })
    await system.ping()
    return {
      'p50 ms': quantile(late, 0.5),
      'p99 ms': quantile(late, 0.99),
      'earliest ms': quantile(late, 0),
      retries: late.length,
    }
  })
}

async function readPlanned(
  { storage }: World,
  { tenantId, planned }: Pick<Tenant, 'tenantId'> & { planned: Map<string, number> },
): Promise<void> {
  const store = storage.forTenant(tenantId)
  const { rows: webhooks } = await store.webhooks.list({ page: 1, limit: 100 })
  for (const { _id: webhookId } of webhooks) {
    let cursor: string | null = null
    do {
      const page: Awaited<ReturnType<typeof store.attempts.list>> = await store.attempts.list({
        webhookId,
        status: 'failed',
        page: 1,
        limit: 100,
        ...(cursor !== null && { cursor }),
      })
      for (const { eventId, nextAttemptAt } of page.rows) {
        if (nextAttemptAt !== null) planned.set(eventId, Date.parse(nextAttemptAt))
      }
      cursor = page.nextCursor
    } while (cursor !== null)
  }
}

/** 50 receivers at 200 events/s in all, of which 5 hang, or none does. */
async function measureHealthy(hanging: number): Promise<number> {
  return inWorld(async (world) => {
    const tenants = await Promise.all(
      Array.from({ length: 50 }, (_, index) => world.addTenant(index < hanging ? '/hang' : '/ok')),
    )
    const worker = await world.startWorker()
    await emitSteadily(tenants, { forSeconds: 2 })
    await world.arrivals()
    const sentAt = await emitSteadily(tenants)
    await delay(300)
    const arrivals = await world.arrivals()
    await worker.stop()
    const healthy = new Map([...sentAt].filter((_, index) => index % tenants.length >= hanging))
    return quantile(latencies(healthy, arrivals), 0.99)
  })
}

async function measureHanging(): Promise<Figures> {
  const ratios: number[] = []
  const [withNone, withSome]: number[][] = [[], []]
  for (let pair = 0; pair < pairs; pair++) {
    const none = await measureHealthy(0)
    const some = await measureHealthy(5)
    withNone?.push(none)
    withSome?.push(some)
    ratios.push(some / none)
  }
  return {
    'p99 ms without': median(withNone ?? []),
    'p99 ms with 10 % hanging': median(withSome ?? []),
    ratio: Number(median(ratios).toFixed(2)),
  }
}

/** The memory that a long backlog adds to a process that has delivered before. */
async function measureBacklog(): Promise<Figures> {
  return inWorld(async (world) => {
    const tenants = await Promise.all(Array.from({ length: 20 }, () => world.addTenant('/ok')))
    const emitAll = async (count: number) => {
      for (let made = 0; made < count; made += tenants.length * 500) {
        await Promise.all(tenants.map((tenant) => tenant.emit(500, 200)))
      }
    }
    await emitAll(20_000)
    const first = await world.startWorker()
    await until(() => world.finished() >= 20_000)
    await first.stop()
    await emitAll(backlog)
    await delay(1000)
    collectGarbage()
    const before = process.memoryUsage().rss
    let most = before
    const worker = await world.startWorker()
    for (let sample = 0; sample < 50; sample++) {
      await delay(200)
      most = Math.max(most, process.memoryUsage().rss)
    }
    await worker.stop()
    const delivered = world.finished() - 20_000
    return { rows: backlog, 'MiB more': Math.round((most - before) / 2 ** 20), delivered }
  })
}

/** Returns the median of each figure over the runs. */
async function medianOf(measure: () => Promise<Figures>): Promise<Figures> {
  const found: Figures[] = []
  for (let run = 0; run < runs; run++) found.push(await measure())
  const names = Object.keys(found[0] ?? {})
  return Object.fromEntries(names.map((name) => [name, median(found.map((figures) => figures[name] ?? 0))]))
}

const measures: Record<string, () => Promise<Figures>> = {
  throughput: () => medianOf(measureThroughput),
  latency: () => medianOf(measureLatency),
  load: () => medianOf(measureUnderLoad),
  retries: () => medianOf(measureRetries),
  hanging: measureHanging,
  backlog: measureBacklog,
}
const titles: Record<string, string> = {
  throughput: 'sustained, a durable backlog',
  latency: 'commit to receiver, 200 events/s',
  load: 'commit to receiver, a neighbour’s backlog draining',
  retries: 'a retry after its planned time',
  hanging: 'healthy receivers, commit to receiver',
  backlog: 'memory with due rows waiting',
}
const figures: Record<string, Figures> = {}
for (const name of options.only.split(',')) {
  const measure = measures[name]
  if (measure === undefined) throw new Error(`Unknown part ${name}: ${Object.keys(measures).join(', ')}`)
  figures[titles[name] ?? name] = await measure()
}
printFigures('webhooks', figures, {
  deliveries,
  backlog,
  seconds,
  runs,
  pairs,
  adapter,
  body: '1 KB',
})
