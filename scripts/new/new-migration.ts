// `npm run new -- migration KIND`: writes the SQL that the declaration of a kind needs and no migration has yet.
import { missingMigration } from '../../packages/server/test/schema/missing-migration.ts'
import { create, type Edits } from './edits.ts'

/** Writes the next migration, if one is missing. Returns the steps that a person has to do. */
export function addMigration(edits: Edits, kind: string): readonly string[] {
  const { file, sql, problems } = missingMigration(kind)
  if (sql !== '') create(edits, file, sql)
  return problems
}
