import Database from 'better-sqlite3'
import { migrateDatabase } from '../../src/adapters/sqlite/connection/migrate.ts'
import { storedKinds } from '../../src/storage/kinds/derive.ts'
import { declaredTable, missingSql, nextMigrationFile, schemaProblems } from './declared-sqlite.ts'

/** The migration that a declaration asks for and that is not there yet. */
export interface MissingMigration {
  readonly file: string
  /** Empty when no statement is missing. */
  readonly sql: string
  /** Differences that no added statement can mend, such as a column of a table that exists. */
  readonly problems: readonly string[]
}

export function missingMigration(name: string): MissingMigration {
  const kind = storedKinds.find((stored) => stored === name)
  if (kind === undefined) {
    throw new Error(`No kind is called ${name}: declare it in packages/server/src/storage/kinds/registry.ts`)
  }
  const db = new Database(':memory:')
  try {
    migrateDatabase(db)
    const declared = declaredTable(kind)
    const sql = missingSql(db, declared)
    db.exec(sql)
    const file = nextMigrationFile(declared.table.replaceAll('_', '-'))
    return { file, sql, problems: schemaProblems(db, declared) }
  } finally {
    db.close()
  }
}
