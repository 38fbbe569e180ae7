import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import Database from 'better-sqlite3'
import type { UpgradeEstimate } from '../../../ports/upgrade-estimate.ts'
import { type DatabaseHandle, openWriterDatabase } from './database.ts'
import { type Migration, readMigrations } from './migrate.ts'

/** Rows of each table on which the migrations are tried. */
const sampleMax = 5_000

/**
 * Tries the migrations of a file on the first rows of each of its tables, in a temporary file, and reckons from the rows that it has.
 * Reads the file alone. Undefined where there is nothing to upgrade.
 */
export function estimateUpgrade(file: string): UpgradeEstimate | undefined {
  if (!existsSync(file)) return undefined
  const source = new Database(file, { readonly: true })
  const folder = mkdtempSync(path.join(tmpdir(), 'crmkit-estimate-'))
  const sample = openWriterDatabase({ path: path.join(folder, 'sample.db') })
  try {
    const from = Number(source.pragma('user_version', { simple: true }))
    const pending = readMigrations().filter(({ version }) => version > from)
    const to = pending.at(-1)?.version
    if (from === 0 || to === undefined) return undefined
    const counts = copySample(source, sample)
    const seconds = pending.reduce((sum, migration) => sum + secondsOf(sample, migration, counts), 0)
    const names = new Set(pending.flatMap(({ sql }) => tablesIn(sql)))
    const touched = [...counts].filter(([name, { total }]) => names.has(name) && total > 0)
    return { from, to, rows: Object.fromEntries(touched.map(([name, { total }]) => [name, total])), seconds }
  } finally {
    sample.close()
    source.close()
    rmSync(folder, { recursive: true, force: true })
  }
}

type Counts = ReadonlyMap<string, { total: number; copied: number }>

interface SchemaObject {
  type: 'table' | 'index' | 'trigger' | 'view'
  name: string
  sql: string
}

function copySample(source: DatabaseHandle, sample: DatabaseHandle): Counts {
  const objects = source
    .prepare("SELECT type, name, sql FROM sqlite_master WHERE sql IS NOT NULL AND name NOT LIKE 'sqlite_%'")
    .all() as SchemaObject[]
  const virtual = objects.filter(({ sql }) => /^CREATE VIRTUAL/i.test(sql)).map(({ name }) => name)
  // A virtual table makes its own tables.
  const isOfVirtual = (name: string) => virtual.some((one) => name.startsWith(`${one}_`))
  const tables = objects.filter(({ type, name }) => type === 'table' && !isOfVirtual(name))
  const counts = new Map<string, { total: number; copied: number }>()
  sample.exec('BEGIN')
  for (const { sql } of tables) sample.exec(sql)
  for (const { name } of tables)
    if (!virtual.includes(name)) counts.set(name, copyTable(source, sample, name))
  for (const { type, sql } of objects) if (type !== 'table') sample.exec(sql)
  sample.exec('COMMIT')
  return counts
}

function copyTable(source: DatabaseHandle, sample: DatabaseHandle, name: string) {
  const columns = (source.pragma(`table_xinfo(${name})`) as { name: string; hidden: number }[])
    // The database makes the values of a computed column itself.
    .filter(({ hidden }) => hidden === 0)
    .map((column) => `"${column.name}"`)
  const insert = sample.prepare(
    `INSERT INTO "${name}" (${columns.join()}) VALUES (${columns.map(() => '?').join()})`,
  )
  const rows = source.prepare(`SELECT ${columns.join()} FROM "${name}" LIMIT ${sampleMax}`).raw()
  let copied = 0
  for (const row of rows.iterate()) {
    insert.run(row as unknown[])
    copied += 1
  }
  const { total } = source.prepare(`SELECT count(*) AS total FROM "${name}"`).get() as { total: number }
  return { total, copied }
}

/** Measures a migration on the sample, and reckons with the table of which the sample has the smallest part. */
function secondsOf(sample: DatabaseHandle, { sql }: Migration, counts: Counts): number {
  const beganAt = performance.now()
  sample.exec(`BEGIN; ${sql}; COMMIT`)
  const seconds = (performance.now() - beganAt) / 1000
  const ratios = tablesIn(sql).map((name) => {
    const { total = 0, copied = 0 } = counts.get(name) ?? {}
    return copied === 0 ? 1 : total / copied
  })
  return seconds * Math.max(1, ...ratios)
}

/** The tables that a migration reads or writes row by row. A column that is added alone touches none. */
function tablesIn(sql: string): string[] {
  const found = sql.matchAll(/\b(?:UPDATE|INTO|FROM|ON|DROP TABLE)\s{1,9}(\w{1,64})/gi)
  return [...new Set([...found].map(([, name = '']) => name))]
}
