import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import Database from 'better-sqlite3'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { rejection } from '../../../../test/contracts/storage/harness.contract.ts'
import { describeTransfer, type TransferSide } from '../../../../test/contracts/storage-transfer.contract.ts'
import { storedKinds, transferKinds } from '../../../storage/kinds/derive.ts'
import { openDirectoryAttachmentStore } from '../../data-directory/directory-attachment-store.ts'
import { attemptColumns } from '../deliveries/attempt-rows.ts'
import { eventColumns } from '../events/event-rows.ts'
import { tableOf } from '../rows/kinds.ts'
import { openSqliteStorage } from '../sqlite-storage.ts'
import { notCopied, notCopiedColumns } from './not-copied.ts'
import { openSqliteSource, openSqliteTarget } from './sqlite-transfer.ts'
import { transferTable } from './transfer-reader.ts'

/** Returns a new file in its own folder. */
async function newSide(): Promise<TransferSide> {
  const folder = mkdtempSync(path.join(tmpdir(), 'crmkit-transfer-'))
  const file = path.join(folder, 'crm.sqlite')
  return {
    openStorage: () => openSqliteStorage({ path: file }),
    openSource: () => openSqliteSource(file),
    openTarget: () => openSqliteTarget(file),
    openAttachments: async () => openDirectoryAttachmentStore(path.join(folder, 'attachments')),
    remove: async () => rmSync(folder, { recursive: true, force: true }),
  }
}

describeTransfer('from SQLite to SQLite', { from: newSide, to: newSide })

let folder: string
let file: string
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'crmkit-transfer-'))
  file = path.join(folder, 'crm.sqlite')
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

/** Uses the driver directly, without the adapter. */
async function withDatabase<T>(use: (db: Database.Database) => T): Promise<T> {
  await (await openSqliteStorage({ path: file })).close()
  const db = new Database(file)
  try {
    return use(db)
  } finally {
    db.close()
  }
}

/** Some kinds are read through a query; the sequence is a row of one of SQLite's own tables. */
const copiedTables = transferKinds
  .map((kind) => /FROM (\w+)/.exec(transferTable(kind))?.[1] ?? transferTable(kind))
  .filter((table) => table !== 'sqlite_sequence')

test('every table is copied, or left out for a reason', async () => {
  const tables = await withDatabase((db) =>
    db.prepare<[], { name: string }>("SELECT name FROM sqlite_schema WHERE type = 'table'").all(),
  )
  const names = tables.map(({ name }) => name).filter((name) => !name.startsWith('sqlite_'))
  // A full-text table keeps its index in tables of its own name.
  const isShadow = (name: string) => /^\w+_search_(data|idx|content|docsize|config)$/.test(name)
  const known = new Set([...copiedTables, ...Object.keys(notCopied)])
  expect(names.filter((name) => !known.has(name) && !isShadow(name))).toEqual([])
  expect([...known].filter((name) => !names.includes(name))).toEqual([])
})

test('every column of a copied table is copied, derived again, or left out for a reason', async () => {
  const columns = await withDatabase((db) =>
    copiedTables.map((table) => ({
      table,
      names: (db.pragma(`table_info(${table})`) as { name: string }[]).map(({ name }) => name),
    })),
  )
  const split = (list: string) => list.split(',').map((name) => name.trim())
  const ofRecords = storedKinds
    .map(tableOf)
    .map(({ table, columns: derived }) => [
      table,
      ['n', 'tenant_id', 'id', 'version', 'doc', ...Object.keys(derived)],
    ])
  const known: Record<string, string[]> = {
    ...Object.fromEntries(ofRecords),
    events: split(eventColumns),
    attempts: split(attemptColumns),
    removed_webhooks: ['tenant_id', 'id'],
    webhook_counts: [
      'tenant_id',
      'webhook_id',
      'consecutive_failures',
      'failing_since',
      'last_success_at',
      'last_failure_at',
    ],
  }
  for (const { table, names } of columns) {
    const all = new Set([...(known[table] ?? []), ...Object.keys(notCopiedColumns[table] ?? {})])
    expect({ table, names: names.sort() }).toEqual({ table, names: [...all].sort() })
  }
})

test('refuses a source that a server has open, and locks servers out while it copies', async () => {
  const storage = await openSqliteStorage({ path: file })
  expect(String(await rejection(openSqliteSource(file)))).toContain('is in use, most likely by a server')
  expect(String(await rejection(openSqliteTarget(file)))).toContain('is in use, most likely by a server')
  await storage.close()
  const source = await openSqliteSource(file)
  const other = new Database(file, { timeout: 1 })
  expect(() => other.prepare('SELECT * FROM tenants').all()).toThrow('locked')
  other.close()
  await source.close()
})

test('refuses a source of another schema with advice, and does not change it', async () => {
  const setSchema = (version: number) => withDatabase((db) => db.pragma(`user_version = ${version}`))
  await setSchema(1)
  expect(String(await rejection(openSqliteSource(file)))).toContain('run `crm-server migrate`')
  const db = new Database(file)
  expect(db.pragma('user_version', { simple: true })).toBe(1)
  db.pragma('user_version = 999')
  db.close()
  expect(String(await rejection(openSqliteSource(file)))).toContain('copy with the newer crm-server')
})

test('refuses a file that is no database of a server, and creates none', async () => {
  expect(String(await rejection(openSqliteSource(file)))).toContain('there is no file sqlite:/')
  expect(existsSync(file)).toBe(false)
  writeFileSync(file, 'This is a text and no database, though it is long enough to be looked at.'.repeat(30))
  expect(String(await rejection(openSqliteSource(file)))).toContain('is not an SQLite database')
  rmSync(file)
  new Database(file).close()
  expect(String(await rejection(openSqliteSource(file)))).toContain(
    'there is no data of crm-server in sqlite:',
  )
})
