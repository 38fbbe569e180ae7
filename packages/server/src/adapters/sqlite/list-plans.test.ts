import Database from 'better-sqlite3'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { askedLists } from '../../../test/schema/list-plans.ts'
import { sqlitePlanProblem } from '../../../test/schema/sqlite-plans.ts'
import { isListed, storedKinds } from '../../storage/kinds/derive.ts'
import { migrateDatabase } from './connection/migrate.ts'

let db: Database.Database
beforeAll(() => {
  db = new Database(':memory:')
  db.function('matches_text', { deterministic: true, varargs: true }, () => 1)
  db.function('matches_content', { deterministic: true, varargs: true }, () => 1)
  migrateDatabase(db)
})
afterAll(() => {
  db.close()
})

const lists = storedKinds.filter(isListed).flatMap(askedLists)

test.each(lists)('an index serves the list of $kind $name, sorted', (asked) => {
  expect(sqlitePlanProblem(db, asked) ?? '').toBe('')
})
