import { existsSync, readdirSync, readFileSync } from 'node:fs'
import Database from 'better-sqlite3'
import { passFaultPoint } from '../../../shared/fault-points.ts'
import type { DatabaseHandle } from './database.ts'

// The same folder from the sources and from the compiled files: the package ships both.
const folder = new URL('../migrations/', import.meta.url)

export interface Migration {
  version: number
  sql: string
}

export function readMigrations(): Migration[] {
  return readdirSync(folder)
    .filter((name) => /^\d{3}-[a-z0-9-]+\.sql$/.test(name))
    .sort()
    .map((name) => ({ version: Number(name.slice(0, 3)), sql: readFileSync(new URL(name, folder), 'utf8') }))
}

/** The schema that this version of the service works with. */
export function newestSchema(): number {
  return readMigrations().at(-1)?.version ?? 0
}

/** Returns the schemas before and after the upgrade that the next migration makes; undefined where there is nothing to upgrade. */
export function findUpgrade(file: string): { from: number; to: number } | undefined {
  if (!existsSync(file)) return undefined
  const db = new Database(file, { readonly: true })
  try {
    const from = Number(db.pragma('user_version', { simple: true }))
    const to = newestSchema()
    return from > 0 && from < to ? { from, to } : undefined
  } finally {
    db.close()
  }
}

/** Brings the schema up to date. It takes the write lock first, so the second of two processes finds nothing to do. */
export function migrateDatabase(db: DatabaseHandle): void {
  const migrations = readMigrations()
  const newest = migrations.at(-1)?.version ?? 0
  db.exec('BEGIN IMMEDIATE')
  try {
    const current = Number(db.pragma('user_version', { simple: true }))
    if (current > newest) {
      throw new Error(
        `the database has schema ${current}, this version knows ${newest}: start a newer crm-server`,
      )
    }
    for (const { version, sql } of migrations) {
      if (version <= current) continue
      db.exec(sql)
      db.pragma(`user_version = ${version}`)
      passFaultPoint('during-migration')
    }
    db.exec('COMMIT')
  } catch (error) {
    if (db.inTransaction) db.exec('ROLLBACK')
    throw error
  }
}
