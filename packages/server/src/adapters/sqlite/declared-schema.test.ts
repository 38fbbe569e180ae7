import Database from 'better-sqlite3'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { declaredTable, schemaProblems, sqlOfTable } from '../../../test/schema/declared-sqlite.ts'
import { storedKinds } from '../../storage/kinds/derive.ts'
import { migrateDatabase } from './connection/migrate.ts'
import { generatedColumns, tableOf } from './rows/kinds.ts'

let db: Database.Database
beforeEach(() => {
  db = new Database(':memory:')
})
afterEach(() => {
  db.close()
})

test.each(storedKinds)('%s: the migrations make what the declaration asks for, and nothing else', (kind) => {
  migrateDatabase(db)
  expect(schemaProblems(db, declaredTable(kind)).join('\n')).toBe('')
})

test('a generated column belongs to the table of a kind that declares it', () => {
  const declared = storedKinds.flatMap((kind) => {
    const { table, columns } = declaredTable(kind)
    return columns.map(({ name }) => `${table}.${name}`)
  })
  const message = 'packages/server/src/adapters/sqlite/rows/kinds.ts lists generated columns of kinds only'
  expect(declared, message).toEqual(expect.arrayContaining([...generatedColumns]))
})

test.each(storedKinds)('%s: the SQL that is derived for a new kind makes the declared table', (kind) => {
  const declared = declaredTable(kind)
  const sql = sqlOfTable(declared).replaceAll('<expression over doc>', "json_extract(doc, '$.x')")
  db.exec(sql)
  expect(schemaProblems(db, declared).join('\n')).toBe('')
  expect(declared.columns.map(({ name }) => name)).toEqual(
    expect.arrayContaining(Object.keys(tableOf(kind).columns)),
  )
})
