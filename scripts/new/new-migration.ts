// `npm run new -- migration KIND`: the SQL that the declaration of a kind asks for and no migration makes yet.
import Database from 'better-sqlite3'
import { migrateDatabase } from '../../packages/server/src/adapters/sqlite/connection/migrate.ts'
import { storedKinds } from '../../packages/server/src/storage/kinds/derive.ts'
import {
  declaredTable,
  missingSql,
  nextMigrationFile,
  schemaProblems,
} from '../../packages/server/test/schema/declared-sqlite.ts'
import { create, type Edits } from './edits.ts'

/** Writes the next migration. Returns what it cannot make by itself. */
export function addMigration(edits: Edits, name: string): string[] {
  const kind = storedKinds.find((stored) => stored === name)
  if (kind === undefined) {
    throw new Error(`No kind is called ${name}: declare it in packages/server/src/storage/kinds/registry.ts`)
  }
  const db = new Database(':memory:')
  try {
    migrateDatabase(db)
    const declared = declaredTable(kind)
    const sql = missingSql(db, declared)
    if (sql === '') return schemaProblems(db, declared)
    create(edits, nextMigrationFile(declared.table.replaceAll('_', '-')), sql)
    db.exec(sql)
    return schemaProblems(db, declared)
  } finally {
    db.close()
  }
}
