import { closeSync, mkdtempSync, openSync, rmSync, truncateSync, writeFileSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import Database from 'better-sqlite3'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { add } from '../../../../test/contracts/storage/samples.contract.ts'
import type { TenantId } from '../../../storage/records.ts'
import { openSqliteStorage } from '../sqlite-storage.ts'
import { examineSqlite } from './examine-sqlite.ts'

const pageBytes = 4096
const tenantId = 'ten_1' as TenantId

let folder: string
let file: string
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'crmkit-examine-'))
  file = path.join(folder, 'crm.sqlite')
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

async function makeDatabase(): Promise<void> {
  const storage = await openSqliteStorage({ path: file })
  const rows = Array.from({ length: 500 }, (_, i) => ({ _id: `cus_${i}` }))
  await add(storage.forTenant(tenantId), 'customers', rows)
  await storage.close()
}

/** Overwrites pages, as a failing disk does. */
function damage(pages: readonly number[]): void {
  const handle = openSync(file, 'r+')
  for (const page of pages)
    writeSync(handle, Buffer.alloc(pageBytes, 0xab), 0, pageBytes, (page - 1) * pageBytes)
  closeSync(handle)
}

function withDatabase<T>(use: (db: Database.Database) => T): T {
  const db = new Database(file)
  try {
    return use(db)
  } finally {
    db.close()
  }
}

async function examine(isThorough = false) {
  const { findings, close } = examineSqlite(file, { isThorough })
  await close()
  return findings
}

const problems = async (isThorough = false) =>
  (await examine(isThorough)).filter(({ outcome }) => outcome !== 'ok')

test('a whole database has no finding but good ones, also while a server writes to it', async () => {
  const storage = await openSqliteStorage({ path: file })
  await add(storage.forTenant(tenantId), 'customers', [{ _id: 'cus_1' }])
  expect(await problems(true)).toEqual([])
  await add(storage.forTenant(tenantId), 'customers', [{ _id: 'cus_2' }])
  await storage.close()
  expect(await examine()).toHaveLength(4)
})

describe('a damaged page is a problem that names its table or index', () => {
  test.each(['customers', 'customers_by_created', 'sqlite_autoindex_customers_1'])('%s', async (name) => {
    await makeDatabase()
    const { leaf, type, table } = withDatabase((db) => {
      const tree = db
        .prepare<[string], { rootpage: number; type: string; tbl_name: string }>(
          'SELECT rootpage, type, tbl_name FROM sqlite_schema WHERE name = ?',
        )
        .get(name)
      return { leaf: tree?.rootpage ?? 0, type: tree?.type, table: tree?.tbl_name }
    })
    expect(leaf).toBeGreaterThan(1)
    damage([leaf])
    const [finding] = await problems()
    const expected =
      type === 'table' ? `table ${name}: page ${leaf}` : `index ${name} of table ${table}: page ${leaf}`
    expect(finding).toMatchObject({ outcome: 'problem', sentence: expect.stringContaining(expected) })
    expect(finding?.mend).toContain('crm-server restore FILE')
  })
})

test.each([
  [
    'a first page that is damaged',
    () => damage([1]),
    /is not an SQLite database, or its first page is damaged/,
  ],
  ['a file of 0 bytes', () => truncateSync(file), /is empty, so its content is lost/],
  ['half of a file', () => truncateSync(file, 40 * pageBytes), /damaged/],
  ['a schema of a later version', () => withDatabase((db) => db.pragma('user_version = 999')), /schema 999/],
])('%s is a problem with a mend, and examining it changes nothing', async (_, spoil, sentence) => {
  await makeDatabase()
  spoil()
  const [finding] = await problems()
  expect(finding).toMatchObject({ outcome: 'problem', sentence: expect.stringMatching(sentence) })
  expect(finding?.mend).toBeTruthy()
  expect(await problems()).toEqual(await problems())
})

test('a file that is no database is a problem, and a missing one a warning', async () => {
  expect(await problems()).toMatchObject([
    { outcome: 'warning', sentence: expect.stringContaining('the first start creates it') },
  ])
  writeFileSync(file, 'a text that is no database'.repeat(500))
  expect(await problems()).toMatchObject([
    { outcome: 'problem', sentence: expect.stringContaining('is not an SQLite database') },
  ])
})

test('rows without their owner are found by the thorough examination', async () => {
  const storage = await openSqliteStorage({ path: file })
  const store = storage.forTenant(tenantId)
  await add(store, 'conversations', [{ _id: 'con_1' }])
  await add(store, 'messages', [{ _id: 'msg_1', conversationId: 'con_1' }])
  await storage.close()
  const before = (await problems(true)).map(({ sentence }) => sentence).join()
  expect(before).not.toContain('messages without their conversations')
  withDatabase((db) => db.prepare("DELETE FROM conversations WHERE id = 'con_1'").run())
  expect(await problems(true)).toMatchObject([
    { outcome: 'problem', sentence: expect.stringContaining('1 of messages without their conversations') },
  ])
})

test('a clock that is behind the newest event is a problem', async () => {
  const storage = await openSqliteStorage({ path: file })
  const timestamp = new Date(Date.now() + 3_600_000).toISOString()
  const event = {
    _id: 'evt_1',
    type: 'customer.created' as const,
    timestamp,
    subjects: ['cus_1'],
    body: '{}',
  }
  await storage.forTenant(tenantId).commit({ writes: [], events: [event] })
  await storage.close()
  expect(await problems()).toMatchObject([
    { outcome: 'problem', sentence: expect.stringMatching(/is 3\d\d\d s behind the newest event/) },
  ])
})
