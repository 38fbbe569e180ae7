// The price and the precision of analytics: what counting costs a request, how far p95 and p99 are from the exact
// values, and how long the labels of many conversations take to count. `--adapter mongodb` counts them there; it starts
// the mongod that MONGOMS_SYSTEM_BINARY names, as a set of one.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { listCustomers } from '@crmkit/core'
import Database from 'better-sqlite3'
import mongoose from 'mongoose'
import { openMongoStorage } from '../src/adapters/mongo/mongo-storage.ts'
import { openSqliteStorage } from '../src/adapters/sqlite/sqlite-storage.ts'
import type { Authenticated } from '../src/http/credentials/credential-kind.ts'
import { RequestRecorder } from '../src/http/usage/record-requests.ts'
import type { Storage } from '../src/ports/storage.ts'
import { systemClock } from '../src/shared/clock.ts'
import type { TenantId } from '../src/storage/records.ts'
import { bucketOf, percentileMs } from '../src/storage/response-times.ts'
import { startMongoSet } from '../test/support/mongo-set.ts'
import { median } from './support/load.ts'
import { printFigures } from './support/print-figures.ts'
import { randomNumbers } from './support/random-numbers.ts'

const { values: options } = parseArgs({
  options: {
    conversations: { type: 'string', default: '1000000' },
    labels: { type: 'string', default: '500' },
    agents: { type: 'string', default: '20' },
    adapter: { type: 'string', default: 'sqlite' },
    runs: { type: 'string', default: '20' },
    seed: { type: 'string', default: '7' },
  },
})
const conversations = Number(options.conversations)
const runs = Number(options.runs)
const tenantId = 'ten_01J8ABCDEFGHJKMNPQRSTVWXYZ' as TenantId
const dayMs = 86_400_000
const endMs = Date.UTC(2026, 10, 22)

const random = randomNumbers(Number(options.seed))

/** The processor time of this process with its threads: other programs that run meanwhile do not add to it. */
function cpuMs(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}

/** Returns the nanoseconds of processor time that counting adds to each of many requests of 100 tenants with a key each. */
function countingCost(): Record<string, number> {
  const written = async () => []
  const recorder = new RequestRecorder(
    { addUsage: written, addRequestMetrics: written },
    { clock: systemClock, onDropped: () => undefined, onKeyUsed: () => undefined },
  )
  const callers = Array.from({ length: 100 }, (_, index) => {
    const actor = { type: 'apiKey', _id: `key_${index}` }
    return { tenantId: `ten_${index}`, actor } as unknown as Authenticated
  })
  const requests = 5_000_000
  const run = (isOn: boolean): number => {
    const startMs = cpuMs()
    for (let index = 0; index < requests; index++) {
      const caller = callers[index % callers.length] as Authenticated
      if (!isOn) continue
      const startedAtMs = performance.now()
      const ms = performance.now() - startedAtMs + (index % 50)
      recorder.record(caller, listCustomers, { status: 200, ms, isAdmitted: true })
    }
    return ((cpuMs() - startMs) * 1e6) / requests
  }
  run(true)
  const on = median(Array.from({ length: 3 }, () => run(true)))
  const off = median(Array.from({ length: 3 }, () => run(false)))
  return { 'counting on, ns a request': Math.round(on), 'off, ns a request': Math.round(off) }
}

const normal = () => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random())
const distributions: Record<string, () => number> = {
  uniform: () => 1 + 999 * random(),
  exponential: () => 0.02 - 20 * Math.log(1 - random()),
  lognormal: () => Math.exp(1 + 1.5 * normal()) + 0.01,
  'heavy-tailed': () => Math.min(0.5 / (1 - random()) ** 1.2, 3_000_000),
  'two peaks': () => (random() < 0.9 ? 0.2 + 0.05 * random() : 800 + 50 * random()),
}

/** Returns the greatest error of a percentile in 20 samples of 20,000 times, in percent. */
function greatestError(draw: () => number, share: number): number {
  let greatest = 0
  for (let sample = 0; sample < 20; sample++) {
    const times = Array.from({ length: 20_000 }, draw)
    const buckets: Record<string, number> = {}
    for (const time of times) buckets[bucketOf(time)] = (buckets[bucketOf(time)] ?? 0) + 1
    const exact = times.sort((a, b) => a - b)[Math.ceil(share * times.length) - 1] as number
    const estimate = percentileMs({ timed: times.length, totalMs: 0, buckets }, share)
    greatest = Math.max(greatest, Math.abs(estimate - exact) / exact)
  }
  return Number((greatest * 100).toFixed(3))
}

interface Labelled {
  n: number
  at: string
  agent: string
  labels: string[]
}

/** Conversations of the last year with one to three labels; some labels are much more frequent than others. */
function* labelledConversations(): Generator<Labelled> {
  for (let n = 1; n <= conversations; n++) {
    const count = 1 + Math.floor(random() * 3)
    const labels = Array.from(
      { length: count },
      () => `label-${Math.floor(random() ** 2 * Number(options.labels))}`,
    )
    yield {
      n,
      at: new Date(endMs - Math.floor(random() * 365 * dayMs)).toISOString(),
      agent: `usr_${Math.floor(random() * Number(options.agents))}`,
      labels: [...new Set(labels)],
    }
  }
}

interface Seeded {
  storage: Storage
  close(): Promise<void>
}

/** Fills the table that labels are counted from: a million commits would take longer than everything else. */
async function seedSqlite(): Promise<Seeded> {
  const folder = await mkdtemp(path.join(tmpdir(), 'crmkit-bench-'))
  const file = path.join(folder, 'crm.db')
  const storage = await openSqliteStorage({ path: file })
  const db = new Database(file)
  const insert = db.prepare(
    'INSERT INTO conversation_label_uses (tenant_id, label, at, n, used_by) VALUES (?, ?, ?, ?, ?)',
  )
  db.transaction(() => {
    for (const { n, at, agent, labels } of labelledConversations())
      for (const label of ['', ...labels]) insert.run(tenantId, label, at, n, agent)
  })()
  db.close()
  // As the job of the service does for days that are over.
  const before = new Date().toISOString().slice(0, 10)
  for (let from: string | null = ''; from !== null; )
    from = await storage.system.countLabelDay({ from, before })
  return { storage, close: () => rm(folder, { recursive: true }) }
}

/** Inserts documents with the fields that labels are counted by. */
async function seedMongo(): Promise<Seeded> {
  const set = await startMongoSet({ members: 1 })
  const storage = await openMongoStorage({ url: set.url })
  await storage.migrate()
  const connection = await mongoose.createConnection(set.url).asPromise()
  const collection = connection.collection('conversations')
  let batch: object[] = []
  for (const { n, at, agent, labels } of labelledConversations()) {
    const row = { createdAt: at, assignedTo: agent, labels: { json: JSON.stringify(labels) } }
    batch.push({ _id: `${tenantId}:con_${n}`, tenantId, id: `con_${n}`, version: 1, row, labels })
    if (batch.length < 5_000 && n < conversations) continue
    await collection.insertMany(batch as never)
    batch = []
  }
  await connection.close()
  return { storage, close: () => set.stop() }
}

/** Returns how long counting takes over a number of days, for the whole team and for one agent. */
async function countingTime(storage: Storage, days: number): Promise<Record<string, number>> {
  const store = storage.forTenant(tenantId)
  const range = { from: new Date(endMs - days * dayMs).toISOString(), to: new Date(endMs).toISOString() }
  const measure = async (usedBy?: string) => {
    const times: number[] = []
    let labelled = 0
    const startCpuMs = cpuMs()
    for (let run = 0; run < runs; run++) {
      const startMs = performance.now()
      labelled = (await store.conversations.countLabels({ ...range, usedBy })).labelled
      times.push(performance.now() - startMs)
    }
    const sorted = times.sort((a, b) => a - b)
    const p95 = sorted[Math.ceil(0.95 * sorted.length) - 1] ?? 0
    const cpu = Math.round((cpuMs() - startCpuMs) / runs)
    return { labelled, cpu, p50: Math.round(median(sorted)), p95: Math.round(p95) }
  }
  await measure()
  const [team, agent] = [await measure(), await measure('usr_1')]
  return {
    conversations: team.labelled,
    'p50 ms': team.p50,
    'p95 ms': team.p95,
    'cpu ms': team.cpu,
    'one agent, p50 ms': agent.p50,
    'one agent, p95 ms': agent.p95,
    'one agent, cpu ms': agent.cpu,
  }
}

const figures: Record<string, Record<string, number>> = { 'a request': countingCost() }
for (const [name, draw] of Object.entries(distributions)) {
  figures[`${name}: greatest error, %`] = { p95: greatestError(draw, 0.95), p99: greatestError(draw, 0.99) }
}
const { storage, close } = await (options.adapter === 'mongodb' ? seedMongo() : seedSqlite())
try {
  for (const days of [1, 30, 90, 365]) figures[`labels of ${days} days`] = await countingTime(storage, days)
} finally {
  await storage.close()
  await close()
}
printFigures('analytics', figures, { ...options })
