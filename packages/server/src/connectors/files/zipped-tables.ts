import { foldWord } from './choice-words.ts'
import { UnreadableArchive, type ZipFile } from './zip-file.ts'

const tablesMax = 20
const tableName = /\.(?:csv|tsv|txt|json|ndjson|jsonl|vcf)$/i
/** Entries that programs add to an archive by themselves. */
const byProgram = /(?:^|\/)(?:__MACOSX\/|\.DS_Store$)/

/** How the file of each module is called in an archive. */
const moduleWords: Readonly<Record<string, readonly string[]>> = {
  Contacts: ['contact', 'customer', 'people', 'person', 'user', 'kontakt', 'kunde'],
  Leads: ['lead'],
  Deals: ['deal', 'opportunit'],
  Cases: ['case', 'ticket'],
  Notes: ['note', 'comment', 'notiz', 'kommentar'],
  Calls: ['call', 'anruf'],
}

/** Returns the tables of an archive by their names. */
export function tablesOf({ entries }: Pick<ZipFile, 'entries'>): string[] {
  const tables = entries.filter(({ name }) => tableName.test(name) && !byProgram.test(name))
  if (tables.length > tablesMax)
    throw new UnreadableArchive('too_many', `holds more than ${tablesMax} tables`)
  if (tables.some(({ isEncrypted }) => isEncrypted)) {
    throw new UnreadableArchive('encrypted', 'is encrypted: pack it without a password')
  }
  return tables.map(({ name }) => name)
}

/**
 * Returns the table of a module: the one that is called so, else the only one. Otherwise the rule that no table, or more
 * than one, keeps.
 */
export function tableOfModule(
  tables: readonly string[],
  module: string,
): { table: string } | { rule: 'entry' | 'duplicate' } {
  const words = moduleWords[module] ?? []
  const called = tables.filter((name) => {
    const folded = foldWord(name.slice(name.lastIndexOf('/') + 1))
    return words.some((word) => folded.includes(word))
  })
  const [table, ...others] = called.length > 0 ? called : tables
  if (table !== undefined && others.length === 0) return { table }
  return { rule: called.length > 1 ? 'duplicate' : 'entry' }
}
