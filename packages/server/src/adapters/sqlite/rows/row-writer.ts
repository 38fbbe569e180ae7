import { type ConflictedRow, UniqueConflict, VersionConflict } from '../../../storage/errors.ts'
import type { Kind } from '../../../storage/kinds/registry.ts'
import type { Document } from '../../../storage/records.ts'
import { readable, withoutDamage } from '../../../storage/rules/readable-rows.ts'
import { assertOwner, type Patch, patched } from '../../../storage/rules/rows.ts'
import type { RunResult, Sql } from '../connection/sql.ts'
import { isUniqueViolation, violatedColumn } from '../connection/sqlite-errors.ts'
import type { SearchIndexer } from '../search/search-indexer.ts'
import { createDerivedRows } from './derived-rows.ts'
import { type KindTable, tableOf } from './kinds.ts'

interface StoredRow {
  n: number
  version: number
  doc: string
}

export interface OwnedRef {
  tenantId: string
  kind: Kind
  id: string
}

interface RowUpdate {
  expectVersion: number
  set: object
  renewsKeys?: true | undefined
}

/** Writes single rows with everything that is derived from them. Runs inside the writer's transaction only. */
export interface RowWriter {
  insert(tenantId: string, kind: Kind, row: Document): void
  /** Inserts a row unless one with its id exists. There is no other writer between the look and the insert. */
  ensure(tenantId: string, kind: Kind, row: Document): void
  /** Inserts a copied row with its version. */
  insertCopy(owner: Omit<OwnedRef, 'id'>, row: Document, version: number): void
  update(ref: OwnedRef, change: RowUpdate): void
  patch(tenantId: string, patch: Patch): void
  /** Without a version, the row is removed as it is. */
  remove(ref: OwnedRef, expectVersion?: number): void
}

export interface RowWriterParts {
  sql: Sql
  indexer: SearchIndexer
  nextRowNumber(tenantId: string, table: string): bigint
}

function camelCase(column: string): string {
  return column.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase())
}

function orUniqueConflict<T>(kind: Kind, write: () => T): T {
  try {
    return write()
  } catch (error) {
    if (isUniqueViolation(error)) throw new UniqueConflict(kind, camelCase(violatedColumn(error)))
    throw error
  }
}

interface NewRow {
  scope: string
  table: KindTable
  /** Null: the table assigns its row numbers itself. */
  n: number | bigint | null
  version: number
}

interface VersionCheck {
  op: ConflictedRow['op']
  version: number
  expectVersion: number
}

function assertVersion({ kind, id }: OwnedRef, { op, version, expectVersion }: VersionCheck): void {
  if (version !== expectVersion) throw new VersionConflict(kind, { op, id, version })
}

const insertTexts = new Map<string, string>()

function insertText({ table, columns }: KindTable): string {
  const known = insertTexts.get(table)
  if (known !== undefined) return known
  const names = ['doc', 'n', ...Object.keys(columns)]
  const marks = names.map(() => '?').join(', ')
  const text = `INSERT INTO ${table} (tenant_id, id, ${names.join(', ')}, version) VALUES (@tenant, ?, ${marks}, ?)`
  insertTexts.set(table, text)
  return text
}

function insertRow(sql: Sql, { scope, table, n, version }: NewRow, row: Document): RunResult {
  const values = Object.values(table.columns).map((column) => column(row))
  return sql.tenant(scope).run(insertText(table), row._id, JSON.stringify(row), n, ...values, version)
}

/** Deletes a row from which nothing is derived without reading it. False: it was not deleted, and a look at it finds why. */
function removeAlone(
  sql: Sql,
  { scope, table }: Pick<NewRow, 'scope' | 'table'>,
  { id, expectVersion }: { id: string; expectVersion: number },
): boolean {
  if (table.labels || table.labelUses || table.subjects || table.search) return false
  const text = `DELETE FROM ${table.table} WHERE tenant_id = @tenant AND id = ? AND version = ?`
  return sql.tenant(scope).run(text, id, expectVersion).changes === 1
}

interface RowVersions {
  before: Document
  after: Document
  version: number
  renewsKeys?: true | undefined
}

/** Updates a row without its unchanged columns, so that only the necessary indexes are written. */
function updateRow(
  sql: Sql,
  { scope, table, n }: Pick<NewRow, 'scope' | 'table' | 'n'>,
  { before, after, version, renewsKeys }: RowVersions,
): void {
  const changed = Object.entries(table.columns)
    .map(([name, column]) => ({ name, from: column(before), to: column(after) }))
    .filter(({ from, to }) => renewsKeys || from !== to)
  const assignments = ['doc = ?', 'version = ?', ...changed.map(({ name }) => `${name} = ?`)]
  sql
    .tenant(scope)
    .run(
      `UPDATE ${table.table} SET ${assignments.join(', ')} WHERE tenant_id = @tenant AND n = ?`,
      JSON.stringify(after),
      version,
      ...changed.map(({ to }) => to),
      n,
    )
}

export function createRowWriter({ sql, indexer, nextRowNumber }: RowWriterParts): RowWriter {
  const derived = createDerivedRows(sql, indexer)

  function read(scope: string, { kind, id }: OwnedRef, op: ConflictedRow['op']): StoredRow {
    const { table } = tableOf(kind)
    const found = sql
      .tenant(scope)
      .get<StoredRow>(`SELECT n, version, doc FROM ${table} WHERE tenant_id = @tenant AND id = ?`, id)
    if (!found) throw new VersionConflict(kind, { op, id, version: null })
    return found
  }

  function insert({ tenantId, kind }: Omit<OwnedRef, 'id'>, row: Document, version: number): void {
    const table = tableOf(kind)
    assertOwner(row, { tenantId, id: row._id, kind })
    const scope = table.isServerWide ? '' : tenantId
    const n = table.search ? nextRowNumber(tenantId, table.table) : null
    const added = orUniqueConflict(kind, () => insertRow(sql, { scope, table, n, version }, row))
    derived.add(table, { scope, n: n ?? added.lastInsertRowid }, row)
  }

  /** Reads a row, lets `change` decide, and writes it with the version that `change` gives it. */
  function rewrite(
    { tenantId, kind, id }: OwnedRef,
    op: 'update' | 'patch',
    change: (before: Document, version: number) => Omit<RowVersions, 'before'>,
  ): void {
    const scope = tableOf(kind).isServerWide ? '' : tenantId
    const found = read(scope, { tenantId, kind, id }, op)
    const before = readable(kind, JSON.parse(found.doc) as Document)
    const { after, version, renewsKeys } = change(before, found.version)
    assertOwner(after, { tenantId, id, kind })
    const table = tableOf(kind)
    orUniqueConflict(kind, () =>
      updateRow(sql, { scope, table, n: found.n }, { before, after, version, renewsKeys }),
    )
    derived.replace(table, { scope, n: found.n }, { before, after })
  }

  return {
    insert: (tenantId, kind, row) => insert({ tenantId, kind }, row, 1),
    ensure(tenantId, kind, row) {
      const { table, isServerWide } = tableOf(kind)
      const text = `SELECT 1 FROM ${table} WHERE tenant_id = @tenant AND id = ?`
      const isThere = sql.tenant(isServerWide ? '' : tenantId).get(text, row._id) !== undefined
      if (!isThere) insert({ tenantId, kind }, row, 1)
    },
    insertCopy: insert,
    update: (ref, { expectVersion, set, renewsKeys }) =>
      rewrite(ref, 'update', (before, version) => {
        assertVersion(ref, { op: 'update', version, expectVersion })
        return { after: { ...before, ...set }, version: version + 1, renewsKeys }
      }),
    patch: (tenantId, patch) =>
      rewrite({ tenantId, kind: patch.kind, id: patch.id }, 'patch', (before, version) => {
        const { kind, id, expectVersion } = patch
        if (version !== (expectVersion ?? version))
          throw new VersionConflict(kind, { op: 'patch', id, version })
        return { after: patched(before, patch), version }
      }),
    remove(ref, expectVersion) {
      const { tenantId, kind } = ref
      const table = tableOf(kind)
      const scope = table.isServerWide ? '' : tenantId
      if (expectVersion !== undefined && removeAlone(sql, { scope, table }, { id: ref.id, expectVersion }))
        return
      const op = expectVersion === undefined ? 'erase' : 'remove'
      const { n, doc, version } = read(scope, ref, op)
      if (expectVersion !== undefined) assertVersion(ref, { op, version, expectVersion })
      sql.tenant(scope).run(`DELETE FROM ${table.table} WHERE tenant_id = @tenant AND n = ?`, n)
      // A damaged row can be deleted: what was derived from it is what the rest of it says.
      derived.remove(table, { scope, n }, withoutDamage(kind, JSON.parse(doc) as Document))
    },
  }
}
