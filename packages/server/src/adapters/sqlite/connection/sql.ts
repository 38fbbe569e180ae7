import type { Statement } from 'better-sqlite3'
import type { DatabaseHandle } from './database.ts'

export type SqlValue = string | number | bigint | null

export interface RunResult {
  changes: number
  lastInsertRowid: number | bigint
}

interface Runner {
  get<T>(sql: string, ...params: SqlValue[]): T | undefined
  all<T>(sql: string, ...params: SqlValue[]): T[]
  run(sql: string, ...params: SqlValue[]): RunResult
  iterate<T>(sql: string, ...params: SqlValue[]): IterableIterator<T>
}

/** Statements of one connection. `tenant` binds the tenant id to every table of the statement; `across` does not. */
export interface Sql {
  tenant(tenantId: string): Runner
  readonly across: Runner
  /** Returns the first and last row number of a tenant in partitioned tables; undefined before its first row. */
  rangeOf(tenantId: string): RowRange | undefined
}

export interface RowRange {
  first: bigint
  last: bigint
}

/** Each tenant has its own range of row numbers in searched tables, so a small tenant reads no row of a big one. */
const rangeBits = 32n

function rangeOfNumber(number: number): RowRange {
  const first = BigInt(number) << rangeBits
  return { first, last: first + (1n << rangeBits) - 1n }
}

const tables = /\b(?:FROM|JOIN|INTO|UPDATE)\s+(?!\(|json_each)(\w+)/g
// bounded: statements of this package.
const tenantBindings = /\btenant_id = @tenant\b|\(tenant_id,[^)]*\)\s*VALUES \(@tenant,/g
/** Full-text tables hold only row numbers; the tenant's range bounds them instead of its id. */
const rangeBindings =
  /\browid BETWEEN (?:@first AND @last\b|max\(\?, @first\) AND min\(\?, @last\))|\browid = \?/g

/** Throws for a statement that names tables more often than it binds the tenant. */
function assertBindsTenant(sql: string): void {
  const named = [...sql.matchAll(tables)].length
  const bound = [...sql.matchAll(tenantBindings)].length + [...sql.matchAll(rangeBindings)].length
  if (named === 0 || bound < named)
    throw new Error(`a statement of a tenant must bind it to every table: ${sql}`)
}

const textOrParameter = /'[^']*'|\?|@\w+/g

/**
 * Returns the statement with a plus before each parameter, which changes no value. SQLite plans a statement anew for each value of a
 * parameter that its planner looked at (most in a WHERE, each LIMIT), and better-sqlite3 clears the values after each run: a
 * short statement would take several times as long. The planner does not look behind a plus.
 */
export function withStablePlan(sql: string): string {
  return sql.replace(textOrParameter, (found) => (found.startsWith("'") ? found : `+${found}`))
}

export function createSql(db: DatabaseHandle, role: 'reader' | 'writer'): Sql {
  const statements = { tenant: new Map<string, Statement>(), across: new Map<string, Statement>() }
  const ranges = new Map<string, RowRange>()

  function prepare(sql: string, scope: 'tenant' | 'across'): Statement {
    const known = statements[scope].get(sql)
    if (known) return known
    if (scope === 'tenant') assertBindsTenant(sql)
    const statement = db.prepare(withStablePlan(sql))
    statements[scope].set(sql, statement)
    return statement
  }

  function rangeOf(tenantId: string): RowRange | undefined {
    const known = ranges.get(tenantId)
    if (known) return known
    const row = prepare('SELECT number FROM tenant_numbers WHERE tenant_id = @tenant', 'tenant').get({
      tenant: tenantId,
    }) as { number: number } | undefined
    if (!row) return undefined
    const range = rangeOfNumber(row.number)
    // A number that the writer has assigned may be rolled back; a number that a reader sees is permanent.
    if (role === 'reader') ranges.set(tenantId, range)
    return range
  }

  function bindings(tenantId: string, sql: string) {
    if (!sql.includes('@first')) return { tenant: tenantId }
    return { tenant: tenantId, ...(rangeOf(tenantId) ?? { first: 1n, last: 0n }) }
  }

  return {
    tenant: (tenantId) => ({
      get: <T>(sql: string, ...params: SqlValue[]) =>
        prepare(sql, 'tenant').get(...params, bindings(tenantId, sql)) as T | undefined,
      all: <T>(sql: string, ...params: SqlValue[]) =>
        prepare(sql, 'tenant').all(...params, bindings(tenantId, sql)) as T[],
      run: (sql, ...params) => prepare(sql, 'tenant').run(...params, bindings(tenantId, sql)),
      iterate: <T>(sql: string, ...params: SqlValue[]) =>
        prepare(sql, 'tenant').iterate(...params, bindings(tenantId, sql)) as IterableIterator<T>,
    }),
    across: {
      get: <T>(sql: string, ...params: SqlValue[]) => prepare(sql, 'across').get(...params) as T | undefined,
      all: <T>(sql: string, ...params: SqlValue[]) => prepare(sql, 'across').all(...params) as T[],
      run: (sql, ...params) => prepare(sql, 'across').run(...params),
      iterate: <T>(sql: string, ...params: SqlValue[]) =>
        prepare(sql, 'across').iterate(...params) as IterableIterator<T>,
    },
    rangeOf,
  }
}
