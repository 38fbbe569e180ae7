import type { Finding } from '../../../ports/diagnosis.ts'
import type { DatabaseHandle } from '../connection/database.ts'

/** More damage than this is not listed: the mend is the same. */
const complaintsMax = 20
const namedMax = 5

const restore =
  'Stop the server, keep a copy of its data directory, and restore the last backup: crm-server restore FILE'

/** Returns what SQLite says about its pages; the check itself may end at a damaged page. */
function complaintsOf(db: DatabaseHandle, pragma: 'quick_check' | 'integrity_check'): string[] {
  const complaints: string[] = []
  try {
    for (const row of db.prepare<[], Record<string, string>>(`PRAGMA ${pragma}(${complaintsMax})`).iterate())
      complaints.push(...Object.values(row).flatMap((text) => text.split('\n')))
  } catch (error) {
    complaints.push(error instanceof Error ? error.message : String(error))
  }
  return complaints.filter((text) => text !== 'ok' && !text.startsWith('***'))
}

/** Replaces the number of a tree by the name of its table or index. */
function withNames(db: DatabaseHandle, complaints: readonly string[]): string[] {
  let names = new Map<number, string>()
  try {
    const trees = db.prepare<[], { type: string; name: string; tbl_name: string; rootpage: number }>(
      'SELECT type, name, tbl_name, rootpage FROM sqlite_schema WHERE rootpage > 0',
    )
    names = new Map(
      trees
        .all()
        .map(({ type, name, tbl_name: table, rootpage }) => [
          rootpage,
          type === 'index' ? `index ${name} of table ${table}` : `table ${name}`,
        ]),
    )
  } catch {
    // The page with the names is damaged too: the numbers have to do.
  }
  return complaints.map((text) =>
    text.replace(/^Tree (\d+) /, (whole, tree: string) => {
      const name = names.get(Number(tree))
      return name === undefined ? whole : `${name}: `
    }),
  )
}

/** Looks for damaged pages. Reads the whole file. */
export function examinePages(db: DatabaseHandle, { isThorough }: { isThorough: boolean }): Finding {
  const pragma = isThorough ? 'integrity_check' : 'quick_check'
  const complaints = withNames(db, complaintsOf(db, pragma))
  if (complaints.length === 0)
    return { outcome: 'ok', sentence: `The pages of the database are whole (PRAGMA ${pragma}).` }
  const named = complaints.slice(0, namedMax).join('; ')
  const more = complaints.length > namedMax ? `; and ${complaints.length - namedMax} more` : ''
  return { outcome: 'problem', sentence: `The database file is damaged: ${named}${more}.`, mend: restore }
}
