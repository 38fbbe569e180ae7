import { readdirSync } from 'node:fs'
import type Database from 'better-sqlite3'
import { generatedColumns, snakeCase, tableOf } from '../../src/adapters/sqlite/rows/kinds.ts'
import { columnsOf, type Index, indexesOf, rulesOf } from '../../src/storage/kinds/derive.ts'
import type { Kind } from '../../src/storage/kinds/registry.ts'
import { fileOfKind } from '../contracts/storage/derived-row.contract.ts'

/* The SQLite schema that the declaration of a kind asks for, and how a database differs from it. */

interface DeclaredColumn {
  readonly name: string
  readonly type: 'TEXT' | 'INTEGER'
  readonly isNullable: boolean
  readonly isGenerated: boolean
}

interface DeclaredIndex {
  readonly name: string
  readonly columns: readonly string[]
  readonly isUnique: boolean
  /** Rows in which this column is null are not in the index. */
  readonly onlySet: string | null
}

export interface DeclaredTable {
  readonly kind: Kind
  readonly table: string
  readonly columns: readonly DeclaredColumn[]
  readonly indexes: readonly DeclaredIndex[]
  readonly labelTable: string | undefined
  readonly labelUseTable: string | undefined
  readonly searchTable: string | undefined
  readonly subjectTable: string | undefined
}

const folder = new URL('../../src/adapters/sqlite/migrations/', import.meta.url)

/** Returns where the next migration belongs. */
export function nextMigrationFile(name: string): string {
  const numbers = readdirSync(folder).map((file) => Number(file.slice(0, 3)))
  const next = String(Math.max(...numbers) + 1).padStart(3, '0')
  return `packages/server/src/adapters/sqlite/migrations/${next}-${name}.sql`
}

const baseColumns: readonly DeclaredColumn[] = [
  { name: 'n', type: 'INTEGER', isNullable: true, isGenerated: false },
  { name: 'tenant_id', type: 'TEXT', isNullable: false, isGenerated: false },
  { name: 'id', type: 'TEXT', isNullable: false, isGenerated: false },
  { name: 'version', type: 'INTEGER', isNullable: false, isGenerated: false },
]
const docColumn: DeclaredColumn = { name: 'doc', type: 'TEXT', isNullable: false, isGenerated: false }

/** Columns of filters that also find rows without a value hold an empty text, so that they are never null. */
function isNeverNull(kind: Kind, column: string): boolean {
  const filters = Object.values(rulesOf(kind).list?.filters ?? {})
  return filters.some(
    (filter) => 'matches' in filter && filter.matches === column && filter.none !== undefined,
  )
}

function declaredColumns(kind: Kind): DeclaredColumn[] {
  const { table, columns: written } = tableOf(kind)
  const columns = columnsOf(kind).map(({ name, type, isNullable }): DeclaredColumn => {
    const column = snakeCase(name)
    return {
      name: column,
      type: type === 'number' ? 'INTEGER' : 'TEXT',
      isNullable: isNullable && !isNeverNull(kind, name),
      isGenerated: generatedColumns.includes(`${table}.${column}`),
    }
  })
  const text: DeclaredColumn = { name: 'search_text', type: 'TEXT', isNullable: false, isGenerated: false }
  return [...baseColumns, ...columns, ...('search_text' in written ? [text] : []), docColumn]
}

/** Labels, searches and subjects have tables of their own. */
const derivedTables = new Set(['labels', 'search', 'subjects'])

function declaredIndex(kind: Kind, { name, columns, scope, isUnique, onlySet }: Index): DeclaredIndex {
  const { table } = tableOf(kind)
  const { acrossTenants } = rulesOf(kind)
  const nullable = columnsOf(kind).find((column) => column.name === columns[0] && column.isNullable)
  const only = onlySet ?? (acrossTenants?.[name] && !isUnique ? nullable?.name : undefined)
  const ofTenant = scope === 'tenant' ? ['tenant_id'] : []
  return {
    name: `${table}_by_${snakeCase(name)}`,
    columns: [...ofTenant, ...columns.map(snakeCase)],
    isUnique,
    onlySet: only === undefined ? null : snakeCase(only),
  }
}

export function declaredTable(kind: Kind): DeclaredTable {
  const { table, labels, labelUses, search, subjects } = tableOf(kind)
  const key = { name: `${table}_by_key`, columns: ['tenant_id', 'id'], isUnique: true, onlySet: null }
  const indexes = indexesOf(kind).filter(({ columns }) => !derivedTables.has(columns[0] ?? ''))
  return {
    kind,
    table,
    columns: declaredColumns(kind),
    indexes: [key, ...indexes.map((index) => declaredIndex(kind, index))],
    labelTable: labels?.table,
    labelUseTable: labelUses?.table,
    searchTable: search?.table,
    subjectTable: subjects?.table,
  }
}

function columnSql({ name, type, isNullable, isGenerated }: DeclaredColumn): string {
  if (name === 'n') return 'n INTEGER PRIMARY KEY'
  const column = `${name} ${type}${isNullable ? '' : ' NOT NULL'}`
  return isGenerated ? `${column} GENERATED ALWAYS AS (<expression over doc>) VIRTUAL` : column
}

function indexSql(table: string, { name, columns, isUnique, onlySet }: DeclaredIndex): string {
  const where = onlySet === null ? '' : ` WHERE ${onlySet} IS NOT NULL`
  return `CREATE ${isUnique ? 'UNIQUE ' : ''}INDEX ${name} ON ${table} (${columns.join(', ')})${where};`
}

function derivedSql({ labelTable, labelUseTable, searchTable, subjectTable }: DeclaredTable): string[] {
  const texts: string[] = []
  if (labelTable !== undefined) {
    texts.push(`CREATE TABLE ${labelTable} (
  tenant_id TEXT NOT NULL, label TEXT NOT NULL, sorted_at TEXT NOT NULL, id TEXT NOT NULL, n INTEGER NOT NULL,
  PRIMARY KEY (tenant_id, label, sorted_at, id)
) STRICT, WITHOUT ROWID;`)
  }
  if (labelUseTable !== undefined) {
    texts.push(`CREATE TABLE ${labelUseTable} (
  tenant_id TEXT NOT NULL, label TEXT NOT NULL, at TEXT NOT NULL, n INTEGER NOT NULL, used_by TEXT NOT NULL,
  PRIMARY KEY (tenant_id, label, at, n)
) STRICT, WITHOUT ROWID;`)
  }
  if (searchTable !== undefined) {
    texts.push(`CREATE VIRTUAL TABLE ${searchTable} USING fts5 (
  text, content = '', contentless_delete = 1, detail = none, tokenize = 'trigram case_sensitive 1'
);
INSERT INTO ${searchTable} (${searchTable}, rank) VALUES ('automerge', 8);`)
  }
  if (subjectTable !== undefined) {
    texts.push(`CREATE TABLE ${subjectTable} (
  tenant_id TEXT NOT NULL, subject TEXT NOT NULL, n INTEGER NOT NULL,
  PRIMARY KEY (tenant_id, subject, n)
) STRICT, WITHOUT ROWID;`)
  }
  return texts
}

/** Returns the migration that creates the table of a new kind. */
export function sqlOfTable(declared: DeclaredTable): string {
  const { table, columns, indexes } = declared
  const unique = indexes.filter(({ isUnique }) => isUnique)
  const plain = indexes.filter(({ isUnique }) => !isUnique)
  const lines = [...columns.map(columnSql), ...unique.map((index) => `UNIQUE (${index.columns.join(', ')})`)]
  const create = `CREATE TABLE ${table} (\n  ${lines.join(',\n  ')}\n) STRICT;`
  return `${[create, ...plain.map((index) => indexSql(table, index)), ...derivedSql(declared)].join('\n')}\n`
}

interface RealColumn {
  name: string
  type: string
  notnull: number
  hidden: number
}

/** Values of SQLite: 2 is generated when it is read, 3 is generated and stored. */
function isGeneratedColumn({ hidden }: RealColumn): boolean {
  return hidden === 2 || hidden === 3
}

function textOfColumn({ name, type, isNullable, isGenerated }: DeclaredColumn): string {
  return `${name} ${type}${isNullable ? '' : ' NOT NULL'}${isGenerated ? ' GENERATED' : ''}`
}

function realColumns(db: Database.Database, table: string): string[] {
  const columns = db.pragma(`table_xinfo(${table})`) as RealColumn[]
  return columns.map((column) => {
    const { name, type, notnull } = column
    const isNullable = notnull === 0
    return textOfColumn({
      name,
      type: type as 'TEXT',
      isNullable,
      isGenerated: isGeneratedColumn(column),
    })
  })
}

function textOfIndex({ columns, isUnique, onlySet }: Omit<DeclaredIndex, 'name'>): string {
  return `${isUnique ? 'UNIQUE ' : ''}(${columns.join(', ')})${onlySet === null ? '' : ` WHERE ${onlySet} IS NOT NULL`}`
}

function realIndexes(db: Database.Database, table: string): { name: string; text: string }[] {
  const list = db.pragma(`index_list(${table})`) as { name: string; unique: number; partial: number }[]
  return list.map(({ name, unique, partial }) => {
    const info = db.pragma(`index_xinfo(${name})`) as { key: number; name: string | null }[]
    const columns = info.filter(({ key }) => key === 1).map((column) => column.name ?? '<expression>')
    const text = textOfIndex({ columns, isUnique: unique === 1, onlySet: null })
    if (partial === 0) return { name, text }
    const made = db.prepare('SELECT sql FROM sqlite_master WHERE name = ?').pluck().get(name)
    return { name, text: `${text} WHERE ${String(made).split(/\bWHERE\s+/i)[1]}` }
  })
}

function derivedProblems(db: Database.Database, declared: DeclaredTable, file: string): string[] {
  const { kind, labelTable, labelUseTable, searchTable, subjectTable } = declared
  const expected = [labelTable, labelUseTable, searchTable, subjectTable].filter((name) => name !== undefined)
  const wanted = new Map(
    derivedSql(declared).map((sql) => [/TABLE (\w+)/.exec(sql)?.[1] ?? '', sql.split(';')[0] ?? '']),
  )
  return expected.flatMap((name) => {
    const made = db.prepare('SELECT sql FROM sqlite_master WHERE name = ?').pluck().get(name)
    const bare = (sql: unknown) => String(sql).replaceAll(/\s+/g, ' ').trim()
    if (bare(made) === bare(wanted.get(name))) return []
    return [`${kind}: the table ${name} is missing or differs: in ${file}, write\n${wanted.get(name)};`]
  })
}

/** Returns how the tables of a kind differ from its declaration, each with the file to change; none when they agree. */
export function schemaProblems(db: Database.Database, declared: DeclaredTable): string[] {
  const { kind, table } = declared
  const file = nextMigrationFile(table.replaceAll('_', '-'))
  const columns = realColumns(db, table)
  if (columns.length === 0) {
    const how = `\`npm run new -- migration ${kind}\` writes into ${file}`
    return [`${kind}: there is no table ${table}: ${how}\n${sqlOfTable(declared)}`]
  }
  const wanted = declared.columns.map(textOfColumn)
  const indexes = realIndexes(db, table)
  const wantedIndexes = declared.indexes.map((index) => ({ index, text: textOfIndex(index) }))
  const missingIndexes = wantedIndexes.filter(({ text }) => !indexes.some((found) => found.text === text))
  const undeclared = indexes.filter(({ text }) => !wantedIndexes.some((index) => index.text === text))
  return [
    ...wanted
      .filter((column) => !columns.includes(column))
      .map((column) => `${kind}: ${table} has no column "${column}": add it in ${file}`),
    ...columns
      .filter((column) => !wanted.includes(column))
      .map(
        (column) =>
          `${kind}: nothing in ${fileOfKind(kind)} needs the column "${column}" of ${table}: declare what does, or drop it in ${file}`,
      ),
    ...missingIndexes.map(
      ({ index }) =>
        `${kind}: ${table} has no index for it: \`npm run new -- migration ${kind}\` writes into ${file}\n${indexSql(table, index)}`,
    ),
    ...undeclared.map(
      ({ name, text }) =>
        `${kind}: nothing in ${fileOfKind(kind)} needs the index ${name} ${text}: declare what does, or drop it in ${file}`,
    ),
    ...derivedProblems(db, declared, file),
  ]
}

/**
 * Returns the statements for the parts of a declaration that the migrations do not create: a table, or indexes of
 * one.
 */
export function missingSql(db: Database.Database, declared: DeclaredTable): string {
  const { table, indexes } = declared
  if (realColumns(db, table).length === 0) return sqlOfTable(declared)
  const found = realIndexes(db, table)
  const missing = indexes.filter((index) => !found.some(({ text }) => text === textOfIndex(index)))
  return missing.map((index) => `${indexSql(table, index)}\n`).join('')
}
