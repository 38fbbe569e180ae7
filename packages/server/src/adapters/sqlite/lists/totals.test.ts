import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type DatabaseHandle, openReaderDatabase, openWriterDatabase } from '../connection/database.ts'
import { createSql } from '../connection/sql.ts'
import { createTotals } from './totals.ts'

let folder: string
let writer: DatabaseHandle
let reader: DatabaseHandle
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'crmkit-totals-'))
  const file = path.join(folder, 'crm.db')
  writer = openWriterDatabase({ path: file })
  writer.exec('CREATE TABLE rows (n)')
  reader = openReaderDatabase({ path: file })
})
afterEach(() => {
  reader.close()
  writer.close()
  rmSync(folder, { recursive: true })
})

test('an exact total is reused until something is written', () => {
  const totals = createTotals(createSql(reader, 'reader'))
  expect(totals.find('a')).toBeUndefined()
  totals.keepExact('a', 7, totals.version())
  expect(totals.find('a')).toBe(7)
  writer.exec('INSERT INTO rows VALUES (1)')
  expect(totals.find('a')).toBeUndefined()
})

test('a count from before a write is not stored', () => {
  const totals = createTotals(createSql(reader, 'reader'))
  totals.find('a')
  const counted = totals.version()
  writer.exec('INSERT INTO rows VALUES (1)')
  // Another list is read while the thread still counts.
  totals.find('b')
  totals.keepExact('a', 7, counted)
  expect(totals.find('a')).toBeUndefined()
})
