// A customer with 100,000 messages is exported and then erased, as the service does it, while other callers read and
// write. SQLite, and MongoDB where MONGOMS_SYSTEM_BINARY names a mongod.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { MongoMemoryReplSet } from 'mongodb-memory-server-core'
import { openMongoStorage } from '../src/adapters/mongo/mongo-storage.ts'
import { openSqliteStorage } from '../src/adapters/sqlite/sqlite-storage.ts'
import { handleExportCustomer } from '../src/features/customers/export-customer.ts'
import type { Storage } from '../src/ports/storage.ts'
import type { TenantId } from '../src/storage/records.ts'
import { erasedPerCommitMax } from '../src/storage/rules/erased.ts'
import { insertOf, sample, sampleEvent } from '../test/contracts/storage/samples.contract.ts'
import { printFigures } from './support/print-figures.ts'

const { values: options } = parseArgs({ options: { messages: { type: 'string', default: '100000' } } })
const messages = Number(options.messages)
const tenantId = 'ten_bench' as TenantId
const batch = 100
const calmMs = 2_000

async function fill(storage: Storage): Promise<void> {
  const store = storage.forTenant(tenantId)
  await store.commit({
    writes: [
      insertOf('webhooks', sample.webhooks(tenantId, { _id: 'whk_1', events: ['message.sent'] })),
      insertOf('customers', sample.customers(tenantId, { _id: 'cus_gone' })),
      insertOf('customers', sample.customers(tenantId, { _id: 'cus_kept' })),
      insertOf('conversations', sample.conversations(tenantId, { _id: 'con_gone', customerId: 'cus_gone' })),
      insertOf('conversations', sample.conversations(tenantId, { _id: 'con_kept', customerId: 'cus_kept' })),
    ],
    events: [],
  })
  for (let made = 0; made < messages; made += batch) {
    const rows = Array.from({ length: batch }, (_, i) =>
      sample.messages(tenantId, { conversationId: 'con_gone', content: `Where is my order ${made + i}?` }),
    )
    const events = rows.map(({ _id }) =>
      sampleEvent({ type: 'message.sent', about: _id, subjects: [_id, 'con_gone', 'cus_gone'] }),
    )
    await store.commit({ writes: rows.map((row) => insertOf('messages', row)), events })
  }
}

/** Repeats a call until the returned function is called, which returns how long the calls took, ms. */
function keepCalling(work: () => Promise<unknown>) {
  let isEnded = false
  const times: number[] = []
  const running = (async () => {
    while (!isEnded) {
      const begun = performance.now()
      await work()
      times.push(performance.now() - begun)
      await new Promise((resolve) => setImmediate(resolve))
    }
  })()
  return async () => {
    isEnded = true
    await running
    const sorted = times.toSorted((a, b) => a - b)
    const at = (part: number) => Number((sorted[Math.floor((sorted.length - 1) * part)] ?? 0).toFixed(1))
    return { p50: at(0.5), p99: at(0.99), longest: at(1) }
  }
}

function others(storage: Storage) {
  const store = storage.forTenant(tenantId)
  const ends = {
    'a commit': keepCalling(() =>
      store.commit({ writes: [insertOf('customers', sample.customers(tenantId))], events: [] }),
    ),
    'a conversation': keepCalling(() => store.conversations.find('con_kept')),
    'a list': keepCalling(() =>
      store.conversations.list({ customerId: 'cus_kept', sort: '-updatedAt', page: 1, limit: 20 }),
    ),
  }
  return async (moment: string) => {
    const figures = Object.entries(ends).map(async ([name, end]) => [`${name}, ${moment}`, await end()])
    return Object.fromEntries(await Promise.all(figures))
  }
}

/** Exports the same data before its erasure. */
async function measureExport(storage: Storage) {
  const store = storage.forTenant(tenantId)
  const ctx = { store, now: new Date().toISOString() } as unknown as Parameters<
    typeof handleExportCustomer
  >[0]
  const input = { params: { id: 'cus_gone' }, query: { format: 'json' as const }, body: {} }
  const download = await handleExportCustomer(ctx, input)
  const before = process.memoryUsage().rss
  let [bytes, most] = [0, before]
  const begun = performance.now()
  for await (const chunk of await download.open()) {
    bytes += chunk.length
    most = Math.max(most, process.memoryUsage().rss)
  }
  const [seconds, mebi] = [(performance.now() - begun) / 1000, 1024 * 1024]
  return {
    s: Number(seconds.toFixed(1)),
    'MiB written': Number((bytes / mebi).toFixed(1)),
    'MiB of memory more': Number(((most - before) / mebi).toFixed(1)),
  }
}

async function measure(storage: Storage) {
  await fill(storage)
  const store = storage.forTenant(tenantId)
  const exported = await measureExport(storage)
  const calm = others(storage)
  await new Promise((resolve) => setTimeout(resolve, calmMs))
  const before = await calm('before')
  const busy = others(storage)
  const begun = performance.now()
  const at = new Date().toISOString()
  await store.commit({ writes: [{ op: 'erase', kind: 'customers', id: 'cus_gone', at }], events: [] })
  const goneMs = performance.now() - begun
  const pages: number[] = []
  for (;;) {
    const pageBegun = performance.now()
    const next = { kind: 'customers', id: 'cus_gone', at, limit: erasedPerCommitMax } as const
    if ((await store.eraseNext(next)) === 0) break
    pages.push(performance.now() - pageBegun)
  }
  return {
    'hidden after ms': { p50: Number(goneMs.toFixed(1)) },
    'removed after s': { p50: Number(((performance.now() - begun) / 1000).toFixed(1)) },
    'pages of 500': { p50: pages.length, longest: Number(Math.max(0, ...pages).toFixed(1)) },
    'its export': exported,
    ...before,
    ...(await busy('meanwhile')),
  }
}

const folder = await mkdtemp(path.join(tmpdir(), 'crmkit-bench-'))
const sqlite = await openSqliteStorage({ path: path.join(folder, 'crm.sqlite') })
try {
  printFigures('erasure, SQLite', await measure(sqlite), { messages })
} finally {
  await sqlite.close()
  await rm(folder, { recursive: true, force: true })
}
if (process.env['MONGOMS_SYSTEM_BINARY'] !== undefined) {
  const mongo = await MongoMemoryReplSet.create({ replSet: { count: 1, storageEngine: 'wiredTiger' } })
  const storage = await openMongoStorage({ url: mongo.getUri('erasure') })
  try {
    await storage.migrate()
    printFigures('erasure, MongoDB', await measure(storage), { messages })
  } finally {
    await storage.close()
    await mongo.stop()
  }
}
