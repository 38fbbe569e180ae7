import Database from 'better-sqlite3'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { askedLists } from '../../../test/schema/list-plans.ts'
import { sqliteIndexesOf, sqlitePlanProblem } from '../../../test/schema/sqlite-plans.ts'
import { acrossLookups, isListed, listIndexesOf, storedKinds } from '../../storage/kinds/derive.ts'
import { migrateDatabase } from './connection/migrate.ts'
import { withStablePlan } from './connection/sql.ts'
import { pageQuery } from './events/event-log.ts'
import { acrossTexts } from './lists/across-reads.ts'
import { snakeCase, tableOf } from './rows/kinds.ts'
import { byContactText } from './tenant-store.ts'

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

// Each index costs every commit a write. Look-ups, unique values, due rows and retention have queries of their own.
test('a list uses every index that filters and orders of lists declare', () => {
  const used = new Set(lists.flatMap((asked) => sqliteIndexesOf(db, asked)))
  const idle = storedKinds.filter(isListed).flatMap((kind) =>
    listIndexesOf(kind)
      // Labels have a table of their own.
      .filter(({ columns }) => columns[0] !== 'labels')
      .map(({ name }) => `${tableOf(kind).table}_by_${snakeCase(name)}`)
      .filter((name) => !used.has(name)),
  )
  expect(idle).toEqual([])
})

test.each(acrossLookups)(
  '$kind by $name of all tenants are read from their index and not sorted',
  (lookup) => {
    const { find, among, ...others } = acrossTexts(lookup)
    const column = snakeCase(lookup.columns[0])
    for (const text of [find(['a', 'b']), among(['a', 'b']), ...Object.values(others)]) {
      const plan = db.prepare<unknown[], { detail: string }>(`EXPLAIN QUERY PLAN ${withStablePlan(text)}`)
      const bound = Array.from({ length: text.split('?').length - 1 }, () => 1)
      const details = plan.all(...bound).map(({ detail }) => detail)
      expect(details, text).toHaveLength(1)
      expect(details[0], text).toMatch(
        new RegExp(`^SEARCH \\w+ USING (?:COVERING )?INDEX \\w+ \\(${column}[=<>]`),
      )
    }
  },
)

test('a page of the event log reads the events of its positions only, however long the log is', () => {
  const bound = ['customer.created', 0, 100, 'message.sent', 0, 100, 100]
  const plan = db
    .prepare<unknown[], { detail: string }>(`EXPLAIN QUERY PLAN ${withStablePlan(pageQuery(2))}`)
    .all(...bound, { tenant: 'ten_a' })
    .map(({ detail }) => detail)
    .filter((detail) => detail.includes(' events'))
  expect(plan).toEqual([
    'SEARCH events USING COVERING INDEX events_log (tenant_id=? AND type=? AND position>?)',
    'SEARCH events USING COVERING INDEX events_log (tenant_id=? AND type=? AND position>?)',
    'SEARCH events USING INTEGER PRIMARY KEY (rowid=?)',
  ])
})

test.each([
  ['email_normalized', 'customers_by_email'],
  ['phone_tail', 'customers_by_phone'],
] as const)(
  'customers by their %s are read from their index and not sorted, however many there are',
  (column, index) => {
    const plan = db
      .prepare<unknown[], { detail: string }>(`EXPLAIN QUERY PLAN ${withStablePlan(byContactText(column))}`)
      .all('x', 20, { tenant: 'ten_a' })
      .map(({ detail }) => detail)
    expect(plan[0]).toBe(`SEARCH customers USING INDEX ${index} (tenant_id=? AND ${column}=?)`)
    expect(plan.filter((detail) => /TEMP B-TREE/.test(detail))).toEqual([])
  },
)
