import { mkdtempSync, rmSync, truncateSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setImmediate as nextTick } from 'node:timers/promises'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type DatabaseHandle, openReaderDatabase, openWriterDatabase } from './database.ts'
import { createSharedSnapshot } from './shared-snapshot.ts'

let folder: string
let file: string
let writer: DatabaseHandle
let reader: DatabaseHandle
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'crmkit-snapshot-'))
  file = path.join(folder, 'crm.db')
  writer = openWriterDatabase({ path: file })
  writer.exec('CREATE TABLE rows (text)')
  reader = openReaderDatabase({ path: file })
})
afterEach(() => {
  reader.close()
  writer.close()
  rmSync(folder, { recursive: true })
})

const count = () => reader.prepare('SELECT count(*) FROM rows').pluck().get()
const addRow = () => writer.prepare('INSERT INTO rows VALUES (?)').run('x'.repeat(10_000))

test('the reads of one tick see one state, those of the next tick a newer one', async () => {
  const { enter } = createSharedSnapshot(reader)
  enter()
  expect(count()).toBe(0)
  addRow()
  enter()
  expect(count()).toBe(0)
  await nextTick()
  enter()
  expect(count()).toBe(1)
})

test('a disk error fails one read, and neither the process nor a later read', async () => {
  const { enter, leave } = createSharedSnapshot(reader)
  for (let row = 0; row < 100; row++) addRow()
  enter()
  expect(reader.prepare('SELECT name FROM sqlite_schema').pluck().get()).toBe('rows')
  // As with a bad sector, a required page cannot be read. SQLite then ends the transaction.
  truncateSync(`${file}-wal`)
  expect(() => reader.prepare('SELECT max(text) FROM rows').get()).toThrow('disk I/O error')
  expect(reader.inTransaction).toBe(false)
  expect(leave).not.toThrow()
  await nextTick()
  enter()
  expect(reader.inTransaction).toBe(true)
})
