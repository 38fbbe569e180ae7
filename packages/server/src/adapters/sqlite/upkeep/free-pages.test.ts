import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import Database from 'better-sqlite3'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { examineSqlite } from '../diagnosis/examine-sqlite.ts'
import { compactSqlite, openSqliteStorage } from '../sqlite-storage.ts'
import { readFreePages } from './free-pages.ts'

let folder: string
let file: string
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'crmkit-free-pages-'))
  file = path.join(folder, 'crm.sqlite')
})
afterEach(() => rmSync(folder, { recursive: true }))

const filled = 24 * 1024 * 1024

/** Fills a file with rows and deletes them, as a long retention does. */
function fillAndEmpty(): void {
  const db = new Database(file)
  db.exec('CREATE TABLE filling (bytes BLOB)')
  const insert = db.prepare('INSERT INTO filling VALUES (randomblob(65536))')
  db.transaction(() => {
    for (let bytes = 0; bytes < filled; bytes += 65_536) insert.run()
  })()
  db.exec('DROP TABLE filling')
  db.close()
}

function read() {
  const db = new Database(file, { readonly: true })
  try {
    return readFreePages(db)
  } finally {
    db.close()
  }
}

async function spaceFinding() {
  const { findings, close } = examineSqlite(file, { isThorough: false })
  await close()
  return findings.find(({ sentence }) => sentence.includes('hold nothing'))
}

const bounds = { now: new Date().toISOString(), logsBefore: '2000-01-01T00:00:00.000Z', limit: 500 }

test('a file gives the pages of deleted rows back in steps, and keeps some for the rows that come', async () => {
  await (await openSqliteStorage({ path: file })).close()
  const small = statSync(file).size
  fillAndEmpty()
  expect(await spaceFinding()).toMatchObject({
    outcome: 'ok',
    sentence: expect.stringMatching(/running server/),
  })
  const storage = await openSqliteStorage({ path: file })
  let steps = 0
  while ((await storage.system.removeExpired(bounds)) > 0) steps += 1
  const { pages, free } = read()
  await storage.close()
  expect(steps).toBeGreaterThan(5)
  expect(free).toBeGreaterThan(0)
  expect(free).toBeLessThan(pages * 0.1 + 256)
  expect(statSync(file).size).toBeLessThan(small + filled / 4)
})

test('a file of an earlier version shrinks once it was compacted, and doctor says so', async () => {
  const earlier = new Database(file)
  earlier.pragma('auto_vacuum = NONE')
  earlier.exec('CREATE TABLE before_crm (n INTEGER)')
  earlier.close()
  await (await openSqliteStorage({ path: file })).close()
  fillAndEmpty()
  const storage = await openSqliteStorage({ path: file })
  expect(await storage.system.removeExpired(bounds)).toBe(0)
  await storage.close()
  expect(await spaceFinding()).toMatchObject({
    outcome: 'warning',
    mend: expect.stringMatching(/crm-server compact/),
  })
  const { beforeBytes, afterBytes } = compactSqlite(file)
  expect(beforeBytes - afterBytes).toBeGreaterThan(filled * 0.9)
  expect(statSync(file).size).toBe(afterBytes)
  expect(read()).toMatchObject({ free: 0, canShrink: true })
  expect(await spaceFinding()).toMatchObject({ outcome: 'ok' })
})
