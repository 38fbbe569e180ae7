import Database from 'better-sqlite3'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { askedLists } from '../../../test/schema/list-plans.ts'
import { sqlitePlanProblem } from '../../../test/schema/sqlite-plans.ts'
import { isListed, storedKinds } from '../../storage/kinds/derive.ts'
import { migrateDatabase } from './connection/migrate.ts'
import { pageQuery } from './events/event-log.ts'

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

test('a page of the event log reads the events of its positions only, however long the log is', () => {
  const bound = ['customer.created', 0, 100, 'message.sent', 0, 100, 100]
  const plan = db
    .prepare<unknown[], { detail: string }>(`EXPLAIN QUERY PLAN ${pageQuery(2)}`)
    .all(...bound, { tenant: 'ten_a' })
    .map(({ detail }) => detail)
    .filter((detail) => detail.includes(' events'))
  expect(plan).toEqual([
    'SEARCH events USING COVERING INDEX events_log (tenant_id=? AND type=? AND position>?)',
    'SEARCH events USING COVERING INDEX events_log (tenant_id=? AND type=? AND position>?)',
    'SEARCH events USING INTEGER PRIMARY KEY (rowid=?)',
  ])
})
