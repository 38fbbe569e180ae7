import type { Kind, Records } from '../../ports/records.ts'
import { UniqueConflict, VersionConflict, type Write } from '../../ports/storage.ts'
import { type KindTable, kindTables } from './kinds.ts'
import type { SearchIndexer } from './search-indexer.ts'
import type { Sql, SqlValue } from './sql.ts'
import { isUniqueViolation, violatedColumn } from './sqlite-errors.ts'

type Document = Record<string, unknown> & { _id: string; tenantId?: string }

interface StoredRow {
  n: number
  version: number
  doc: string
}

type Patch = Extract<Write<Kind>, { op: 'patch' }>

/** Writes single rows with everything that is derived from them. Runs inside the writer's transaction only. */
export interface RowWriter {
  insert(tenantId: string, kind: Kind, row: Document): void
  update(tenantId: string, kind: Kind, id: string, change: { expectVersion: number; set: object }): void
  patch(tenantId: string, patch: Patch): void
  /** Removes the row; answers its record. */
  remove(tenantId: string, kind: Kind, id: string): Document
}

export interface RowWriterParts {
  sql: Sql
  indexer: SearchIndexer
  nextRowNumber(tenantId: string, table: string): bigint
}

function tableOf(kind: Kind): KindTable<Document> {
  const table = Object.hasOwn(kindTables, kind) ? kindTables[kind] : undefined
  if (!table) throw new TypeError(`there is no kind ${kind}`)
  return table as unknown as KindTable<Document>
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

function isSame(a: unknown, b: unknown): boolean {
  return a === b || JSON.stringify(a) === JSON.stringify(b)
}

function patched(before: Document, { increment, max, setIfNull, when }: Patch, kind: Kind): Document {
  const row: Document = { ...before }
  for (const [field, value] of Object.entries(when ?? {})) {
    if (!isSame(row[field] ?? null, value ?? null)) throw new VersionConflict(kind)
  }
  for (const [field, by] of Object.entries(increment ?? {})) row[field] = Number(row[field] ?? 0) + Number(by)
  for (const [field, text] of Object.entries(max ?? {})) {
    const current = row[field]
    if (typeof current !== 'string' || String(text) > current) row[field] = text
  }
  for (const [field, value] of Object.entries(setIfNull ?? {})) row[field] ??= value
  return row
}

/** A row keeps its id and its tenant for life; a record that names another one is a mistake of the caller. */
function assertOwner(row: Document, owner: { tenantId: string; id: string; kind: Kind }): void {
  const isForeign = row.tenantId !== undefined && row.tenantId !== owner.tenantId
  const isOtherTenant = owner.kind === 'tenants' && row._id !== owner.tenantId
  if (row._id !== owner.id || isForeign || isOtherTenant) {
    throw new TypeError(`${owner.kind}: the row names another id or tenant than it is written for`)
  }
}

export function createRowWriter({ sql, indexer, nextRowNumber }: RowWriterParts): RowWriter {
  function read(scope: string, kind: Kind, id: string): StoredRow {
    const { table } = tableOf(kind)
    const found = sql
      .tenant(scope)
      .get<StoredRow>(`SELECT n, version, doc FROM ${table} WHERE tenant_id = @tenant AND id = ?`, id)
    if (!found) throw new VersionConflict(kind)
    return found
  }

  function addLabels(scope: string, table: KindTable<Document>, row: Document, n: number | bigint): void {
    if (!table.labels) return
    const sortedAt = table.labels.sortedAt(row)
    for (const label of new Set(table.labels.of(row))) {
      sql
        .tenant(scope)
        .run(
          `INSERT INTO ${table.labels.table} (tenant_id, label, sorted_at, id, n) VALUES (@tenant, ?, ?, ?, ?)`,
          ...[label, sortedAt, row._id, n],
        )
    }
  }

  function dropLabels(scope: string, table: KindTable<Document>, row: Document): void {
    if (!table.labels) return
    const sortedAt = table.labels.sortedAt(row)
    for (const label of new Set(table.labels.of(row))) {
      sql
        .tenant(scope)
        .run(
          `DELETE FROM ${table.labels.table} WHERE tenant_id = @tenant AND label = ? AND sorted_at = ? AND id = ?`,
          ...[label, sortedAt, row._id],
        )
    }
  }

  function insert(tenantId: string, kind: Kind, row: Document): void {
    const table = tableOf(kind)
    assertOwner(row, { tenantId, id: row._id, kind })
    const scope = table.isServerWide ? '' : tenantId
    const names = Object.keys(table.columns)
    const values: SqlValue[] = Object.values(table.columns).map((column) => column(row))
    const n = table.search ? nextRowNumber(tenantId, table.table) : null
    const marks = '?, '.repeat(names.length + 2)
    const added = orUniqueConflict(kind, () =>
      sql
        .tenant(scope)
        .run(
          `INSERT INTO ${table.table} (tenant_id, id, ${['doc', ...names, 'n'].join(', ')}, version) VALUES (@tenant, ${marks}?, 1)`,
          ...[row._id, JSON.stringify(row), ...values, n],
        ),
    )
    const rowNumber = n ?? added.lastInsertRowid
    addLabels(scope, table, row, rowNumber)
    if (table.search) indexer.add(table.search.table, rowNumber, table.search.text(row))
    if (table.subjects) {
      for (const subject of new Set(table.subjects.of(row))) {
        sql
          .tenant(scope)
          .run(
            `INSERT INTO ${table.subjects.table} (tenant_id, subject, n) VALUES (@tenant, ?, ?)`,
            subject,
            rowNumber,
          )
      }
    }
  }

  /** Columns that kept their value are left out, so an update touches only the indexes that it must. */
  function replace(
    scope: string,
    kind: Kind,
    stored: StoredRow & { before: Document; after: Document },
  ): void {
    const table = tableOf(kind)
    const { n, before, after } = stored
    const changed = Object.entries(table.columns)
      .map(([name, column]) => ({ name, from: column(before), to: column(after) }))
      .filter(({ from, to }) => from !== to)
    const assignments = ['doc = ?', 'version = ?', ...changed.map(({ name }) => `${name} = ?`)]
    orUniqueConflict(kind, () =>
      sql
        .tenant(scope)
        .run(
          `UPDATE ${table.table} SET ${assignments.join(', ')} WHERE tenant_id = @tenant AND n = ?`,
          ...[JSON.stringify(after), stored.version, ...changed.map(({ to }) => to), n],
        ),
    )
    if (table.labels && !isSame(labelKeys(table, before), labelKeys(table, after))) {
      dropLabels(scope, table, before)
      addLabels(scope, table, after, n)
    }
    const text = table.search?.text(after)
    if (table.search && text !== undefined && text !== table.search.text(before)) {
      indexer.replace(table.search.table, n, text)
    }
  }

  function labelKeys(table: KindTable<Document>, row: Document): unknown {
    return [table.labels?.sortedAt(row), table.labels?.of(row)]
  }

  return {
    insert,
    update(tenantId, kind, id, { expectVersion, set }) {
      const scope = tableOf(kind).isServerWide ? '' : tenantId
      const found = read(scope, kind, id)
      if (found.version !== expectVersion) throw new VersionConflict(kind)
      const before = JSON.parse(found.doc) as Document
      const after = { ...before, ...set }
      assertOwner(after, { tenantId, id, kind })
      replace(scope, kind, { ...found, version: found.version + 1, before, after })
    },
    patch(tenantId, patch) {
      const { kind, id } = patch
      const scope = tableOf(kind).isServerWide ? '' : tenantId
      const found = read(scope, kind, id)
      const before = JSON.parse(found.doc) as Document
      const after = patched(before, patch, kind)
      assertOwner(after, { tenantId, id, kind })
      replace(scope, kind, { ...found, before, after })
    },
    remove(tenantId, kind, id) {
      const table = tableOf(kind)
      const scope = table.isServerWide ? '' : tenantId
      const { n, doc } = read(scope, kind, id)
      const row = JSON.parse(doc) as Document
      const scoped = sql.tenant(scope)
      scoped.run(`DELETE FROM ${table.table} WHERE tenant_id = @tenant AND n = ?`, n)
      dropLabels(scope, table, row)
      if (table.search) indexer.remove(table.search.table, n)
      for (const subject of table.subjects?.of(row) ?? []) {
        const { table: name } = table.subjects as { table: string }
        scoped.run(`DELETE FROM ${name} WHERE tenant_id = @tenant AND subject = ? AND n = ?`, subject, n)
      }
      return row
    },
  }
}
