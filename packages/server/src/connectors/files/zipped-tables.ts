import type { FileModule } from '@crmkit/core'
import { foldWord } from './choice-words.ts'
import { UnreadableArchive, type ZipFile } from './zip-file.ts'

const tablesMax = 20
const tableName = /\.(?:csv|tsv|txt|json|ndjson|jsonl|vcf)$/i
/** Entries that programs add to an archive by themselves. */
const byProgram = /(?:^|\/)(?:__MACOSX\/|\.DS_Store$)/

/** How the file of each module is called in an archive. */
const moduleWords: Readonly<Record<FileModule, readonly string[]>> = {
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
  module: FileModule,
): { table: string } | { rule: 'entry' | 'duplicate' } {
  const called = tables.filter((name) => modulesCalled(name).includes(module))
  const [table, ...others] = called.length > 0 ? called : tables
  if (table !== undefined && others.length === 0) return { table }
  return { rule: called.length > 1 ? 'duplicate' : 'entry' }
}

/** Returns the modules whose words the name of a table has. */
function modulesCalled(name: string): FileModule[] {
  const folded = foldWord(name.slice(name.lastIndexOf('/') + 1))
  const modules = Object.entries(moduleWords) as [FileModule, readonly string[]][]
  return modules.filter(([, words]) => words.some((word) => folded.includes(word))).map(([module]) => module)
}

/** A table of an archive that was uploaded for all modules. */
export interface TableOfModule {
  module: FileModule
  table: string
}

/**
 * Returns the tables of an archive with the modules that they are called as, in the order of the archive. Throws `UnreadableArchive` for an
 * entry that is the table of no module, and for a second one of a module: to leave it out would lose its records in silence.
 */
export function tablesByModule(zip: Pick<ZipFile, 'entries'>): TableOfModule[] {
  const tables = tablesOf(zip)
  const others = zip.entries.filter(({ name }) => !name.endsWith('/') && !byProgram.test(name))
  const stranger = others.find(({ name }) => !tables.includes(name))
  if (stranger !== undefined) {
    throw new UnreadableArchive('entry', `holds ${stranger.name}, which is no CSV, JSON or vCard file`)
  }
  if (tables.length === 0) throw new UnreadableArchive('entry', 'holds no table')
  const found = tables.map((table) => ({ table, module: moduleOf(table) }))
  for (const { table, module } of found) {
    const other = found.find((one) => one.module === module && one.table !== table)
    if (other)
      throw new UnreadableArchive('duplicate', `has two tables of ${module}: ${table}, ${other.table}`)
  }
  return found
}

function moduleOf(table: string): FileModule {
  const [module, ...others] = modulesCalled(table)
  if (module === undefined) {
    throw new UnreadableArchive('entry', `holds ${table}, whose name says no module: call it as contacts.csv`)
  }
  if (others.length > 0) {
    const modules = [module, ...others].join(' or ')
    throw new UnreadableArchive('entry', `holds ${table}, which may be ${modules}: name one alone`)
  }
  return module
}
