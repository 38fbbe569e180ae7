import { readdirSync, readFileSync } from 'node:fs'
import Database from 'better-sqlite3'

const migrations = new URL('../../../src/adapters/sqlite/migrations/', import.meta.url)

type Handle = Database.Database
type Named = { type: string; name: string; sql: string }

const objectsOf = (db: Handle): Named[] =>
  db
    .prepare<[], Named>(
      "SELECT type, name, sql FROM sqlite_schema WHERE sql IS NOT NULL AND name NOT LIKE 'sqlite_%'",
    )
    .all()

const columnsOf = (db: Handle, table: string): string[] =>
  db
    .prepare<[string], { name: string }>('SELECT name FROM pragma_table_xinfo(?)')
    .all(table)
    .map(({ name }) => name)

/** The schema that the migrations make up to a version. */
function schemaUpTo(version: number): Handle {
  const db = new Database(':memory:')
  for (const name of readdirSync(migrations).sort()) {
    if (name.endsWith('.sql') && Number(name.slice(0, 3)) <= version)
      db.exec(readFileSync(new URL(name, migrations), 'utf8'))
  }
  return db
}

/** Takes away what the migrations after `version` have added, and adds what they have dropped, so that the file is one of an earlier server. */
export function makeEarlier(file: string, version: number): void {
  const [db, earlier] = [new Database(file), schemaUpTo(version)]
  const known = new Set(objectsOf(earlier).map(({ name }) => name))
  const added = objectsOf(db).filter(({ name }) => !known.has(name))
  // An index hangs on columns, and both hang on tables.
  for (const { type, name } of added.filter((one) => one.type !== 'table')) db.exec(`DROP ${type} ${name}`)
  for (const { name } of added.filter(({ type }) => type === 'table')) db.exec(`DROP TABLE ${name}`)
  for (const { name: table } of objectsOf(earlier).filter(({ type }) => type === 'table')) {
    const before = columnsOf(earlier, table)
    for (const column of columnsOf(db, table)) {
      if (!before.includes(column)) db.exec(`ALTER TABLE ${table} DROP COLUMN ${column}`)
    }
  }
  const left = new Set(objectsOf(db).map(({ name }) => name))
  for (const { sql, name } of objectsOf(earlier)) if (!left.has(name)) db.exec(sql)
  db.pragma(`user_version = ${version}`)
  for (const one of [db, earlier]) one.close()
}
