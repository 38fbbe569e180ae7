import type { Sql } from '../connection/sql.ts'
import { indexedText } from './search-query.ts'

type RowNumber = number | bigint

interface SearchWrite {
  table: string
  rowNumber: bigint
  /** Null when the row goes. */
  text: string | null
  isNew: boolean
}

/**
 * Full-text writes of a transaction, held back until its end: FTS5 writes a segment at every SAVEPOINT, and
 * one for each commit of a group would be merged again and again.
 */
export interface SearchIndexer {
  add(table: string, rowNumber: RowNumber, text: string): void
  replace(table: string, rowNumber: RowNumber, text: string): void
  remove(table: string, rowNumber: RowNumber): void
  /** The writes since the last `keep` are dropped, with the savepoint that made them. */
  forget(): void
  keep(): void
  /** Writes what was kept. */
  flush(): void
  /** Drops what was kept, with the transaction that made it. */
  drop(): void
}

export function createSearchIndexer(sql: Sql): SearchIndexer {
  let kept: SearchWrite[] = []
  let current: SearchWrite[] = []

  function push(table: string, rowNumber: RowNumber, write: Pick<SearchWrite, 'text' | 'isNew'>): void {
    // Row numbers are bound as 64-bit integers: FTS5 takes no floating-point row number.
    current.push({ table, rowNumber: BigInt(rowNumber), ...write })
  }

  return {
    add: (table, rowNumber, text) => push(table, rowNumber, { text, isNew: true }),
    replace: (table, rowNumber, text) => push(table, rowNumber, { text, isNew: false }),
    remove: (table, rowNumber) => push(table, rowNumber, { text: null, isNew: false }),
    forget() {
      current = []
    },
    keep() {
      kept.push(...current)
      current = []
    },
    drop() {
      kept = []
    },
    flush() {
      const writes = kept
      kept = []
      for (const { table, rowNumber, text, isNew } of writes) {
        if (!isNew) sql.across.run(`DELETE FROM ${table} WHERE rowid = ?`, rowNumber)
        if (text !== null) {
          sql.across.run(`INSERT INTO ${table} (rowid, text) VALUES (?, ?)`, rowNumber, indexedText(text))
        }
      }
    },
  }
}
