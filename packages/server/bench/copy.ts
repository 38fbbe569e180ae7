// `crm-server copy` from an SQLite file with conversations, messages, events and deliveries, as a process of its own; and a second
// pass after a hundredth of the customers is new and another hundredth has changed.
// Into MongoDB where MONGOMS_SYSTEM_BINARY names a mongod, and back; else into another SQLite file.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { makeEvent } from '@crmkit/core'
import { MongoMemoryReplSet } from 'mongodb-memory-server-core'
import { openMongoStorage } from '../src/adapters/mongo/mongo-storage.ts'
import { openSqliteStorage } from '../src/adapters/sqlite/sqlite-storage.ts'
import type { Storage } from '../src/ports/storage.ts'
import type { TenantId } from '../src/storage/records.ts'
import { insertOf, sample, sampleAttempt } from '../test/contracts/storage/samples.contract.ts'
import { runProgram, serverProgram } from '../test/support/programs.ts'
import { printFigures } from './support/print-figures.ts'

const { values: options } = parseArgs({ options: { customers: { type: 'string', default: '10000' } } })
const customers = Number(options.customers)
const tenantId = 'ten_bench' as TenantId
const words = [
  'Where is my order?',
  'The invoice is wrong, please send a new one.',
  'Thanks, that has helped me a lot!',
]
const messagesEach = 5
const batch = 50

/** A customer with a conversation of some messages, an event for it, and the attempt that delivered it. */
function bundleOf(index: number) {
  const ids = { customerId: `cus_${index}`, conversationId: `con_${index}` }
  const customer = sample.customers(tenantId, {
    _id: ids.customerId,
    profile: {
      ...sample.customers(tenantId).profile,
      email: `person${index}@example.com`,
      lastName: `Name${index}`,
    },
  })
  const conversation = sample.conversations(tenantId, { _id: ids.conversationId, customerId: ids.customerId })
  const messages = Array.from({ length: messagesEach }, (_, i) =>
    sample.messages(tenantId, {
      _id: `msg_${index}_${i}`,
      conversationId: ids.conversationId,
      content: `${words[i % words.length]} (${index}, ${i})`.repeat(4),
    }),
  )
  const event = makeEvent({
    id: `evt_${index}`,
    type: 'customer.created',
    now: customer.createdAt,
    subjects: [ids.customerId],
    data: customer,
  })
  return { customer, conversation, messages, event }
}

async function fill(file: string): Promise<void> {
  const storage = await openSqliteStorage({ path: file })
  await storage.system.commit(tenantId, {
    writes: [insertOf('tenants', sample.tenants(tenantId))],
    events: [],
  })
  const store = storage.forTenant(tenantId)
  await store.commit({
    writes: [insertOf('webhooks', sample.webhooks(tenantId, { _id: 'whk_1' }))],
    events: [],
  })
  await addBundles(storage, 0, customers)
  await storage.close()
}

async function addBundles(storage: Storage, first: number, count: number): Promise<void> {
  const store = storage.forTenant(tenantId)
  for (let start = first; start < first + count; start += batch) {
    const bundles = Array.from({ length: batch }, (_, i) => bundleOf(start + i))
    const writes = bundles.flatMap(({ customer, conversation, messages }) => [
      insertOf('customers', customer),
      insertOf('conversations', conversation),
      ...messages.map((message) => insertOf('messages', message)),
    ])
    await store.commit({ writes, events: bundles.map(({ event }) => event) })
    const attempts = bundles.map(({ event }) =>
      sampleAttempt(tenantId, { webhookId: 'whk_1', eventId: event._id }),
    )
    await Promise.all(attempts.map((attempt) => store.attempts.record(attempt)))
  }
}

const changed = Math.ceil(customers / 100 / batch) * batch

/** Writes as a server does between two passes. */
async function goOn(opening: Promise<Storage>, first: number): Promise<void> {
  const storage = await opening
  await storage.migrate()
  await addBundles(storage, first, changed)
  for (let start = 0; start < changed; start += batch) {
    // Each time others, which nothing has changed yet.
    const writes = Array.from({ length: batch }, (_, i) => {
      const id = `cus_${first - customers + start + i}`
      return { op: 'update', kind: 'customers', id, expectVersion: 1, set: { jobTitle: 'Analyst' } } as const
    })
    await storage.forTenant(tenantId).commit({ writes, events: [] })
  }
  await storage.close()
}

async function measure(from: string, to: string) {
  const begun = performance.now()
  let copiedMs = 0
  const { code, stdout, stderr } = await runProgram(serverProgram, ['copy', '--from', from, '--to', to], {
    onStart: ({ stderr: output }) =>
      output?.on('data', (text: string) => {
        if (text.includes('All rows are copied')) copiedMs = performance.now() - begun
      }),
  })
  if (code !== 0) throw new Error(stderr)
  const rows = [...stdout.matchAll(/^\w+ +([\d,]+) +[\d,]+ +equal$/gm)]
    .map(([, count = '']) => Number(count.replaceAll(',', '')))
    .reduce((sum, count) => sum + count, 0)
  const seconds = (performance.now() - begun) / 1000
  return {
    rows,
    'copied in s': Number((copiedMs / 1000).toFixed(1)),
    'rows/s copied': Math.round(rows / (copiedMs / 1000)),
    'with check in s': Number(seconds.toFixed(1)),
    'rows/s in all': Math.round(rows / seconds),
  }
}

const folder = await mkdtemp(path.join(tmpdir(), 'crmkit-bench-'))
const hasMongo = process.env['MONGOMS_SYSTEM_BINARY'] !== undefined
const mongo = hasMongo
  ? await MongoMemoryReplSet.create({ replSet: { count: 1, storageEngine: 'wiredTiger' } })
  : undefined
try {
  const source = `sqlite:${folder}/from.sqlite`
  await fill(`${folder}/from.sqlite`)
  const url = mongo?.getUri('copied')
  const ways: [string, string, string][] = url
    ? [
        ['SQLite to MongoDB', source, url],
        ['MongoDB to SQLite', url, `sqlite:${folder}/back.sqlite`],
      ]
    : [['SQLite to SQLite', source, `sqlite:${folder}/to.sqlite`]]
  const figures: Record<string, Awaited<ReturnType<typeof measure>>> = {}
  let first = customers
  for (const [way, from, to] of ways) {
    figures[way] = await measure(from, to)
    const opening = from.startsWith('sqlite:')
      ? openSqliteStorage({ path: from.slice('sqlite:'.length) })
      : openMongoStorage({ url: from })
    await goOn(opening, first)
    first += changed
    figures[`${way}, second pass`] = await measure(from, to)
  }
  printFigures('copy', figures, { customers, messagesEach })
} finally {
  await mongo?.stop()
  await rm(folder, { recursive: true, force: true })
}
