// An import of contacts: from a source that responds at once, from one that needs a time for
// each page, of a source that has not changed, and of a file without ids. Other callers read meanwhile. The last figure
// is how long a cancelled import needs to end. `--adapter mongodb` starts the mongod that MONGOMS_SYSTEM_BINARY names;
// `--rows 1000000` and `--fileMb 500` measure how memory grows; `--remarkBytes 400` gives each row of the file a remark.

import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { Readable } from 'node:stream'
import { setTimeout as wait } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { createIdFactory, newIntegration } from '@crmkit/core'
import { createFileConnector } from '../src/adapters/file-connector/file-connector.ts'
import { openMongoStorage } from '../src/adapters/mongo/mongo-storage.ts'
import { openSqliteScratch } from '../src/adapters/sqlite/sqlite-scratch.ts'
import { openSqliteStorage } from '../src/adapters/sqlite/sqlite-storage.ts'
import { FairSlots } from '../src/fairness/fair-slots.ts'
import { TenantQuotas } from '../src/http/quotas/tenant-quotas.ts'
import { newRun } from '../src/imports/run/new-run.ts'
import { runImport } from '../src/imports/run/run-import.ts'
import type { SourceConnection, SourcePage, SourceRecord } from '../src/ports/connector.ts'
import { noMeters } from '../src/ports/meters.ts'
import type { Storage } from '../src/ports/storage.ts'
import { systemClock } from '../src/shared/clock.ts'
import { WaitingCallers } from '../src/shared/waiting-callers.ts'
import type { ImportFileRecord } from '../src/storage/kinds/import-files.ts'
import type { IntegrationRecord } from '../src/storage/kinds/integrations.ts'
import type { TenantId } from '../src/storage/records.ts'
import { startMongoSet } from '../test/support/mongo-set.ts'
import { noBytes } from '../test/support/no-bytes.ts'
import { silentLog } from '../test/support/silent-log.ts'
import { cpuTimeMs } from './support/cpu-time.ts'
import { printFigures } from './support/print-figures.ts'

const { values: options } = parseArgs({
  options: {
    rows: { type: 'string', default: '20000' },
    slowRows: { type: 'string', default: '4000' },
    pageMs: { type: 'string', default: '300' },
    fileMb: { type: 'string' },
    remarkBytes: { type: 'string', default: '0' },
    adapter: { type: 'string', default: 'sqlite' },
    only: { type: 'string' },
  },
})
const rows = Number(options.rows)
const slowRows = Number(options.slowRows)
const pageMs = Number(options.pageMs)
const remark = 'As agreed by phone. '.repeat(Math.ceil(Number(options.remarkBytes) / 20))
const fileBytes = options.fileMb === undefined ? undefined : Number(options.fileMb) * 1e6
const pageSize = 200
/** When the measured import is cancelled, after its start. */
const cancelAfterMs = 1_000
const tenantId = 'ten_bench' as TenantId
const ids = createIdFactory(Date.now)
const readEveryMs = 20

function contactOf(index: number): SourceRecord {
  const modifiedAt = new Date(Date.UTC(2025, 0, 1) + index * 1000).toISOString()
  return {
    module: 'Contacts',
    id: String(index),
    row: null,
    createdAt: modifiedAt,
    modifiedAt,
    url: `https://crm.example.com/contacts/${index}`,
    person: null,
    parent: null,
    fields: {
      firstName: `First ${index}`,
      lastName: `Last ${index}`,
      email: `person${index}@example.com`,
      phone: `+49 171 ${1_000_000 + index}`,
      company: `Company ${index % 1000}`,
      jobTitle: 'Analyst',
      tags: ['imported'],
    },
    customFields: { Score: index % 100, Region: 'North', Owner: 'Grace Hopper' },
    warnings: [],
  }
}

/** A source with this many contacts, which needs `waitMs` for each page. */
function contacts(count: number, waitMs: number): SourceConnection {
  return {
    identify: async () => ({ id: 'acc', name: null, email: null, country: null, timeZone: null }),
    describe: async () => [],
    count: async (module) => (module === 'Contacts' ? count : 0),
    pages: async function* (module, { from, signal }): AsyncGenerator<SourcePage> {
      for (let at = Number(from?.['at'] ?? 0); module === 'Contacts' && at < count; at += pageSize) {
        if (waitMs > 0) await wait(waitMs, undefined, { signal })
        const length = Math.min(pageSize, count - at)
        const records = Array.from({ length }, (_, index) => contactOf(at + index))
        const next = at + length < count ? { at: at + length } : null
        yield { records, next, sourceTime: new Date().toISOString() }
      }
    },
    byIds: async () => [],
    deleted: async function* () {},
    close: async () => {},
  }
}

async function addIntegration(storage: Storage, provider: 'zoho' | 'file'): Promise<IntegrationRecord> {
  const now = new Date().toISOString()
  const id = ids.next('int')
  const source = { provider, accountId: id, accountName: null, accountEmail: null, apiDomain: null }
  const row: IntegrationRecord = {
    ...newIntegration({ id, tenantId, now, source }),
    accountsServer: null,
    sealed: null,
    activeRunId: null,
    syncedUntil: null,
    deletedReadAt: null,
    failedSyncs: 0,
  }
  await storage
    .forTenant(tenantId)
    .commit({ writes: [{ op: 'insert', kind: 'integrations', row }], events: [] })
  return row
}

interface Measured {
  storage: Storage
  integration: IntegrationRecord
  open: () => SourceConnection
  dryRun?: boolean
}

/** Reads one list every 20 ms until it is ended; returns the times of the reads. */
function readBeside(storage: Storage) {
  const store = storage.forTenant(tenantId)
  const times: number[] = []
  let isEnded = false
  const running = (async () => {
    while (!isEnded) {
      const begunAt = performance.now()
      await store.customers.list({ sort: '-createdAt', page: 1, limit: 20 })
      times.push(performance.now() - begunAt)
      await wait(readEveryMs)
    }
  })()
  return async () => {
    isEnded = true
    await running
    const sorted = times.toSorted((a, b) => a - b)
    return Number((sorted[Math.floor((sorted.length - 1) * 0.95)] ?? 0).toFixed(1))
  }
}

async function startRun({ storage, integration, open, dryRun = false }: Measured) {
  const store = storage.forTenant(tenantId)
  const runId = ids.next('imp')
  const { _id: integrationId, importSettings: selection } = integration
  const now = new Date().toISOString()
  const run = newRun({ id: runId, tenantId, now, integrationId, trigger: 'manual', selection, dryRun })
  await store.commit({ writes: [{ op: 'insert', kind: 'importRuns', row: run }], events: [] })
  const parts = {
    storage,
    openSource: open,
    openScratch: openSqliteScratch,
    attachments: noBytes,
    quotas: new TenantQuotas(storage, noMeters),
    clock: systemClock,
    ids,
    log: silentLog,
    callers: new WaitingCallers(),
    pages: new FairSlots(2),
  }
  return { store, runId, work: (signal: AbortSignal) => runImport(parts, { tenantId, runId }, signal) }
}

async function importOnce(measured: Measured, idleP95: number) {
  const { store, runId, work } = await startRun(measured)
  globalThis.gc?.()
  const before = process.memoryUsage().rss
  let most = before
  const watch = setInterval(() => {
    most = Math.max(most, process.memoryUsage().rss)
  }, 50)
  const endReads = readBeside(measured.storage)
  const cpuBefore = cpuTimeMs([process.pid])
  const begunAt = performance.now()
  await work(new AbortController().signal)
  const seconds = (performance.now() - begunAt) / 1000
  const cpuSeconds = (cpuTimeMs([process.pid]) - cpuBefore) / 1000
  clearInterval(watch)
  const ended = await store.importRuns.find(runId)
  const counts = ended?.modules['Contacts']
  if (ended?.status !== 'completed' || !counts) throw new Error(`the run ended as ${ended?.status}`)
  const p95 = await endReads()
  return {
    'rows/s': Math.round(counts.read / seconds),
    'rows per CPU second': Math.round(counts.read / cpuSeconds),
    'MiB of memory more': Math.round((most - before) / 1024 / 1024),
    'list beside it, p95 ms': p95,
    'p95 / idle p95': Number((p95 / idleP95).toFixed(2)),
  }
}

/** Returns how long an import needs to end after it was cancelled while the source does not respond. */
async function cancelOnce(measured: Measured): Promise<number> {
  const { work } = await startRun(measured)
  const controller = new AbortController()
  const ended = work(controller.signal).catch(() => {})
  await wait(cancelAfterMs)
  const cancelledAt = performance.now()
  controller.abort()
  await ended
  return Math.round(performance.now() - cancelledAt)
}

async function openStorage() {
  if (options.adapter === 'mongodb') {
    const set = await startMongoSet({ members: 1 })
    const storage = await openMongoStorage({ url: set.url })
    await storage.migrate()
    return { storage, remove: () => set.stop() }
  }
  const folder = await mkdtemp(path.join(tmpdir(), 'crmkit-bench-'))
  const storage = await openSqliteStorage({ path: path.join(folder, 'crm.sqlite') })
  return { storage, remove: () => rm(folder, { recursive: true, force: true }) }
}

/** The connector of a file without ids: its bytes are made while they are read. */
async function fileSource(storage: Storage, integration: IntegrationRecord): Promise<() => SourceConnection> {
  const file: ImportFileRecord = {
    _id: ids.next('att'),
    tenantId,
    integrationId: integration._id,
    module: 'Contacts',
    filename: 'people.csv',
    format: 'csv',
    headerRow: 1,
    delimiter: ',',
    encoding: 'utf-8',
    size: 0,
    headers: ['firstName', 'lastName', 'email', 'company', 'remark'],
    createdAt: new Date().toISOString(),
  }
  await storage
    .forTenant(tenantId)
    .commit({ writes: [{ op: 'insert', kind: 'importFiles', row: file }], events: [] })
  function* text() {
    yield 'firstName,lastName,email,company,remark\n'
    let bytes = 0
    for (let index = 0; fileBytes === undefined ? index < rows : bytes < fileBytes; index++) {
      const line = `First,Last ${index},file${index}@example.com,"A, B",${remark}\n`
      bytes += line.length
      yield line
    }
  }
  const attachments = {
    read: async () => Readable.from(text(), { objectMode: false }),
    fileOf: () => undefined,
  }
  const connector = createFileConnector({ storage, attachments, openScratch: openSqliteScratch })
  const { _id: integrationId, timeZone, dateOrder, defaultCountry, mapping } = integration
  const noAccount = {
    apiDomain: null,
    accountsServer: null,
    tokens: null,
    isDateOrderChosen: false,
    dateOrders: {},
  }
  const account = { tenantId, integrationId, ...noAccount }
  return () => connector.open({ ...account, timeZone, dateOrder, defaultCountry, mapping, values: {} })
}

const { storage, remove } = await openStorage()
try {
  const fast = await addIntegration(storage, 'zoho')
  const slow = await addIntegration(storage, 'zoho')
  const ofFile = await addIntegration(storage, 'file')
  const read = { storage, integration: fast, open: () => contacts(rows, 0) }
  const file = { storage, integration: ofFile, open: await fileSource(storage, ofFile) }
  const idle = readBeside(storage)
  await wait(2_000)
  const idleP95 = await idle()
  const measured: Record<string, Measured> = {
    'dry run': { ...read, dryRun: true },
    'new contacts': read,
    'unchanged contacts': read,
    'a file without ids, dry run': { ...file, dryRun: true },
    'a file without ids': file,
    [`${pageMs} ms a page`]: { storage, integration: slow, open: () => contacts(slowRows, pageMs) },
  }
  const figures: Parameters<typeof printFigures>[1] = { 'no import': { 'list beside it, p95 ms': idleP95 } }
  for (const [name, one] of Object.entries(measured)) {
    if (options.only === undefined || options.only === name) figures[name] = await importOnce(one, idleP95)
  }
  if (options.only === undefined || options.only === 'cancel') {
    const hanging = await addIntegration(storage, 'zoho')
    const open = () => contacts(slowRows, 60_000)
    figures['cancel'] = { 'ms to the end': await cancelOnce({ storage, integration: hanging, open }) }
  }
  printFigures('import', figures, { ...options })
} finally {
  await storage.close()
  await remove()
}
