import type Database from 'better-sqlite3'
import {
  createSql,
  type Sql,
  type SqlValue,
  withStablePlan,
} from '../../src/adapters/sqlite/connection/sql.ts'
import { kindQuery } from '../../src/adapters/sqlite/lists/kind-list.ts'
import { readPage } from '../../src/adapters/sqlite/lists/list-query.ts'
import { snakeCase, tableOf } from '../../src/adapters/sqlite/rows/kinds.ts'
import { type AskedList, unservedList } from './list-plans.ts'

interface PlanRow {
  id: number
  parent: number
  detail: string
}

/** The statements of a list, explained instead of run. */
function explained(db: Database.Database): { sql: Sql; plans: PlanRow[][] } {
  const plans: PlanRow[][] = []
  const sql = createSql(db, 'reader')
  const explain = (tenant: string, text: string, params: SqlValue[]) => {
    const explaining = `EXPLAIN QUERY PLAN ${withStablePlan(text)}`
    plans.push(db.prepare(explaining).all(...params, { tenant }) as PlanRow[])
    return []
  }
  return {
    plans,
    sql: {
      ...sql,
      tenant: (tenant) => ({
        ...sql.tenant(tenant),
        all: (text, ...params) => explain(tenant, text, params),
      }),
    },
  }
}

function problemOf(plan: readonly PlanRow[], asked: AskedList): string | undefined {
  const { table, labels } = tableOf(asked.kind)
  // As label-arms.ts names the table of labels.
  const tables = labels ? [table, labels.table, 'l'] : [table]
  const reads = (detail: string, verb: string) => tables.some((name) => detail.startsWith(`${verb} ${name} `))
  const scan = plan.find(({ detail }) => reads(`${detail} `, 'SCAN'))
  if (scan) return `reads a whole table (${scan.detail})`
  const column = asked.foundBy === 'labels' ? 'label' : asked.foundBy && snakeCase(asked.foundBy)
  const isFound = plan.some(({ detail }) => reads(detail, 'SEARCH') && detail.includes(` AND ${column}=?`))
  if (column !== undefined && !isFound) return `finds no row by ${column} in an index`
  if (!asked.isSortedByIndex) return undefined
  const sorts = plan.filter(({ detail }) => detail.startsWith('USE TEMP B-TREE'))
  // The merge of the ranges sorts its result, at most a page of each range; a range itself must not be sorted.
  const sorted = sorts.find(({ parent }) =>
    plan.some((row) => row.parent === parent && reads(row.detail, 'SEARCH')),
  )
  return sorted && `is not sorted by an index (${sorted.detail})`
}

/** Returns the names of the indexes by which SQLite reads and counts a list. */
export function sqliteIndexesOf(db: Database.Database, { kind, filter }: AskedList): string[] {
  const { sql, plans } = explained(db)
  readPage(sql, 'ten_1', kindQuery(kind, filter as never, false))
  return plans.flat().flatMap(({ detail }) => /INDEX (\w+)/.exec(detail)?.[1] ?? [])
}

/** Returns what is wrong with how SQLite reads a list; undefined when an index serves it. */
export function sqlitePlanProblem(db: Database.Database, asked: AskedList): string | undefined {
  const { kind, filter } = asked
  const { sql, plans } = explained(db)
  readPage(sql, 'ten_1', kindQuery(kind, filter as never, false))
  if (plans.length === 0) throw new Error(`no statement of the list of ${kind} was explained`)
  // A list since a moment reads its first rows in the list's order, before it finds and sorts rows by their moment.
  const [why] = plans.flatMap((plan, index) => {
    const isProbe = index === 0 && plans.length > 1
    return problemOf(plan, isProbe ? { ...asked, isSortedByIndex: true } : asked) ?? []
  })
  return why && unservedList(asked, why, 'a new file of packages/server/src/adapters/sqlite/migrations')
}
