// `npm run new -- migration KIND`: the SQL that the declaration of a kind asks for and no migration makes yet.
import { missingMigration } from '../../packages/server/test/schema/missing-migration.ts'
import { create, type Edits } from './edits.ts'

/** Writes the next migration, where one is missing. Returns what it cannot make by itself. */
export function addMigration(edits: Edits, kind: string): readonly string[] {
  const { file, sql, problems } = missingMigration(kind)
  if (sql !== '') create(edits, file, sql)
  return problems
}
