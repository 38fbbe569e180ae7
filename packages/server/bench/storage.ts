// The speed of a storage adapter without HTTP: durable commits, reads by id, lists, searches.
// `--adapter mongodb` starts the mongod that MONGOMS_SYSTEM_BINARY names, as a set of one.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { type Customer, createIdFactory, makeEvent } from '@crmkit/core'
import { openMongoStorage } from '../src/adapters/mongo/mongo-storage.ts'
import { openSqliteStorage } from '../src/adapters/sqlite/sqlite-storage.ts'
import type { Storage, TenantStore } from '../src/ports/storage.ts'
import type { WebhookRecord } from '../src/storage/kinds/webhooks.ts'
import type { TenantId } from '../src/storage/records.ts'
import { startMongoSet } from '../test/support/mongo-set.ts'
import { median } from './support/load.ts'
import { printFigures } from './support/print-figures.ts'

const { values: options } = parseArgs({
  options: {
    rows: { type: 'string', default: '10000' },
    seconds: { type: 'string', default: '3' },
    callers: { type: 'string', default: '32' },
    adapter: { type: 'string', default: 'sqlite' },
  },
})
const seconds = Number(options.seconds)
const callers = Number(options.callers)
const rows = Number(options.rows)

const tenantId = 'ten_bench' as TenantId
const ids = createIdFactory(() => Date.now())
const firstNames = [
  'Ada',
  'Grace',
  'Edsger',
  'Barbara',
  'Donald',
  'Radia',
  'Alan',
  'Frances',
  'Tony',
  'Katherine',
]
const lastNames = ['Lovelace', 'Hopper', 'Dijkstra', 'Liskov', 'Knuth', 'Perlman', 'Turing', 'Allen', 'Hoare']
const companies = ['Analytical Engines', 'Compilers & Sons', 'Spanning Trees', 'Halting Works']

function pick<T>(values: readonly T[], index: number): T {
  return values[index % values.length] as T
}

function newCustomer(index: number): Customer {
  const now = new Date().toISOString()
  return {
    _id: ids.next('cus'),
    tenantId,
    profile: {
      firstName: pick(firstNames, index),
      lastName: `${pick(lastNames, index)}${index.toString(36)}`,
      email: `person${index}@${pick(lastNames, index * 7).toLowerCase()}.example`,
      phone: `+1 (555) ${String(index % 1000).padStart(3, '0')}-${String(index % 10_000).padStart(4, '0')}`,
      company: pick(companies, index),
    },
    jobTitle: null,
    tier: 'bronze',
    status: 'active',
    tags: index % 10 === 0 ? ['vip'] : [],
    customFields: {},
    externalIds: [],
    blockedAt: null,
    lastContactAt: null,
    createdAt: now,
    updatedAt: now,
  }
}

function addCustomer(store: TenantStore, index: number): Promise<void> {
  const row = newCustomer(index)
  const event = makeEvent({
    id: ids.next('evt'),
    type: 'customer.created',
    now: row.createdAt,
    subjects: [row._id],
    data: row,
  })
  return store.commit({ writes: [{ op: 'insert', kind: 'customers', row }], events: [event] })
}

/** Keeps `callers` calls running; returns the calls per second and the 99th percentile of their time. */
async function measure(call: (index: number) => Promise<unknown>, forSeconds = seconds) {
  const latencies: number[] = []
  const begin = performance.now()
  const end = begin + forSeconds * 1000
  let next = 0
  async function caller(): Promise<void> {
    while (performance.now() < end) {
      const from = performance.now()
      await call(next++)
      latencies.push(performance.now() - from)
    }
  }
  await Promise.all(Array.from({ length: callers }, caller))
  const elapsed = (performance.now() - begin) / 1000
  const sorted = latencies.sort((a, b) => a - b)
  return {
    perSecond: Math.round(sorted.length / elapsed),
    p50Ms: Number(median(sorted).toFixed(2)),
    p99Ms: Number((sorted[Math.floor(sorted.length * 0.99)] ?? 0).toFixed(2)),
  }
}

async function openStorage(): Promise<{ storage: Storage; close: () => Promise<void> }> {
  if (options.adapter === 'mongodb') {
    const set = await startMongoSet({ members: 1 })
    const storage = await openMongoStorage({ url: set.url })
    return { storage, close: () => set.stop() }
  }
  const folder = await mkdtemp(path.join(tmpdir(), 'crmkit-bench-'))
  const storage = await openSqliteStorage({ path: path.join(folder, 'crm.db') })
  return { storage, close: () => rm(folder, { recursive: true }) }
}

const { storage, close } = await openStorage()
try {
  await storage.migrate()
  const store = storage.forTenant(tenantId)
  const small = storage.forTenant('ten_small' as TenantId)
  const webhook = {
    _id: ids.next('whk'),
    tenantId,
    name: 'bench',
    url: 'https://receiver.example',
    events: ['conversation.created'],
    isActive: true,
    headers: {},
    retryPolicy: { maxRetries: 3, backoffStrategy: 'exponential' },
    createdAt: new Date().toISOString(),
    updatedAt: new Date().toISOString(),
    sealed: '',
  } satisfies WebhookRecord
  await store.commit({ writes: [{ op: 'insert', kind: 'webhooks', row: webhook }], events: [] })
  for (let index = 0; index < rows; index += 500) {
    const writes = Array.from({ length: Math.min(500, rows - index) }, (_, offset) => {
      const row = newCustomer(index + offset)
      return { op: 'insert' as const, kind: 'customers' as const, row }
    })
    await store.commit({ writes, events: [] })
  }
  await small.commit({
    writes: [{ op: 'insert', kind: 'customers', row: { ...newCustomer(1), tenantId: 'ten_small' } }],
    events: [],
  })
  const page = { page: 1, limit: 20, sort: '-createdAt' } as const
  const known = (await store.customers.list({ ...page, limit: 100 })).rows.map(({ _id }) => _id)
  const searches = {
    rare: 'lovelace7',
    common: 'example',
    'two letters': 'ad',
    absent: 'zzzzzz',
    two: 'ada engines',
  }
  const figures: Record<string, Record<string, number>> = {
    'find by id': await measure((index) => store.customers.find(pick(known, index))),
    'list, first page': await measure(() => store.customers.list(page)),
    'list, by status': await measure(() => store.customers.list({ ...page, status: 'active' })),
  }
  for (const [name, search] of Object.entries(searches)) {
    figures[`search, ${name}`] = await measure(() => store.customers.list({ ...page, search }))
  }
  figures['search, a new one each time'] = await measure((index) =>
    store.customers.list({ ...page, search: `${pick(lastNames, index)}${(index % rows).toString(36)}` }),
  )
  figures['search, small neighbour'] = await measure(() =>
    small.customers.list({ ...page, search: 'example' }),
  )
  figures['commit a customer and its event'] = await measure((index) => addCustomer(store, rows + index))
  printFigures('storage', figures, { rows, seconds, callers, adapter: options.adapter })
} finally {
  await storage.close()
  await close()
}
