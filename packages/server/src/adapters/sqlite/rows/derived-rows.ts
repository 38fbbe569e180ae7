import type { Document } from '../../../storage/records.ts'
import { isSame } from '../../../storage/rules/rows.ts'
import type { Sql } from '../connection/sql.ts'
import type { SearchIndexer } from '../search/search-indexer.ts'
import type { KindTable } from './kinds.ts'

interface RowKey {
  /** The tenant's id, or the empty id for rows of the whole server. */
  scope: string
  n: number | bigint
}

/** Writes the labels, subjects and search text of a row, which have tables of their own. */
export function createDerivedRows(sql: Sql, indexer: SearchIndexer) {
  function addLabels({ labels }: KindTable, { scope, n }: RowKey, row: Document): void {
    if (!labels) return
    const sortedAt = labels.sortedAt(row)
    const add = `INSERT INTO ${labels.table} (tenant_id, label, sorted_at, id, n) VALUES (@tenant, ?, ?, ?, ?)`
    for (const label of new Set(labels.of(row))) sql.tenant(scope).run(add, label, sortedAt, row._id, n)
  }

  function removeLabels({ labels }: KindTable, { scope }: RowKey, row: Document): void {
    if (!labels) return
    const sortedAt = labels.sortedAt(row)
    const remove = `DELETE FROM ${labels.table} WHERE tenant_id = @tenant AND label = ? AND sorted_at = ? AND id = ?`
    for (const label of new Set(labels.of(row))) sql.tenant(scope).run(remove, label, sortedAt, row._id)
  }

  function addLabelUses({ labelUses }: KindTable, { scope, n }: RowKey, row: Document): void {
    if (!labelUses) return
    const { labels, at, by } = labelUses.of(row)
    const add = `INSERT INTO ${labelUses.table} (tenant_id, label, at, n, used_by) VALUES (@tenant, ?, ?, ?, ?)`
    for (const label of labels) sql.tenant(scope).run(add, label, at, n, by)
  }

  function removeLabelUses({ labelUses }: KindTable, { scope, n }: RowKey, row: Document): void {
    if (!labelUses) return
    const { labels, at } = labelUses.of(row)
    const remove = `DELETE FROM ${labelUses.table} WHERE tenant_id = @tenant AND label = ? AND at = ? AND n = ?`
    for (const label of labels) sql.tenant(scope).run(remove, label, at, n)
  }

  function addSubjects({ subjects }: KindTable, { scope, n }: RowKey, row: Document): void {
    if (!subjects) return
    const add = `INSERT INTO ${subjects.table} (tenant_id, subject, n) VALUES (@tenant, ?, ?)`
    for (const subject of new Set(subjects.of(row))) sql.tenant(scope).run(add, subject, n)
  }

  function removeSubjects({ subjects }: KindTable, { scope, n }: RowKey, row: Document): void {
    if (!subjects) return
    const remove = `DELETE FROM ${subjects.table} WHERE tenant_id = @tenant AND subject = ? AND n = ?`
    for (const subject of new Set(subjects.of(row))) sql.tenant(scope).run(remove, subject, n)
  }

  return {
    add(table: KindTable, key: RowKey, row: Document): void {
      addLabels(table, key, row)
      addLabelUses(table, key, row)
      addSubjects(table, key, row)
      if (table.search) indexer.add(table.search.table, key.n, table.search.text(row))
    },
    replace(table: KindTable, key: RowKey, rows: { before: Document; after: Document }): void {
      const { before, after } = rows
      const { labels, labelUses, subjects, search } = table
      if (
        labels &&
        !isSame([labels.sortedAt(before), labels.of(before)], [labels.sortedAt(after), labels.of(after)])
      ) {
        removeLabels(table, key, before)
        addLabels(table, key, after)
      }
      if (labelUses && !isSame(labelUses.of(before), labelUses.of(after))) {
        removeLabelUses(table, key, before)
        addLabelUses(table, key, after)
      }
      if (subjects && !isSame(subjects.of(before), subjects.of(after))) {
        removeSubjects(table, key, before)
        addSubjects(table, key, after)
      }
      const text = search?.text(after)
      if (search && text !== undefined && text !== search.text(before))
        indexer.replace(search.table, key.n, text)
    },
    remove(table: KindTable, key: RowKey, row: Document): void {
      removeLabels(table, key, row)
      removeLabelUses(table, key, row)
      removeSubjects(table, key, row)
      if (table.search) indexer.remove(table.search.table, key.n)
    },
  }
}
