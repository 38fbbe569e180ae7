// `npm run new -- migration KIND`: writes the SQL that the declaration of a kind needs and no migration has yet.
import { execFileSync } from 'node:child_process'
import { rmSync } from 'node:fs'
import { missingMigration } from '../../packages/server/test/schema/missing-migration.ts'
import { create, type Edits } from './edits.ts'
import { namesOf } from './names.ts'

const folder = 'packages/server/src/adapters/sqlite/migrations'

/** Migrations of the kind that no commit has: no database of others can have run them. */
function uncommitted(kind: string): string[] {
  const listed = execFileSync('git', ['ls-files', '--others', '--exclude-standard', folder], {
    encoding: 'utf8',
  })
  return listed.split('\n').filter((file) => file.endsWith(`-${namesOf(kind).pluralPath}.sql`))
}

/** Writes the next migration, if one is missing, in place of one that is not committed. Returns the steps that a person has to do. */
export function addMigration(edits: Edits, kind: string): readonly string[] {
  for (const file of uncommitted(kind)) rmSync(file)
  try {
    const { file, sql, problems } = missingMigration(kind)
    if (sql !== '') create(edits, file, sql)
    return problems
  } catch (error) {
    if (!(error instanceof Error) || error.name !== 'SqliteError') throw error
    throw new Error(
      `A committed migration in ${folder} has another form of ${kind}, and no added statement leads from it to the declaration (${error.message}): if it is not released, delete its file and run this again; else write the migration by hand`,
    )
  }
}
