import type { Sql } from '../connection/sql.ts'
import { indexedText } from './search-query.ts'

type RowNumber = number | bigint

interface SearchWrite {
  table: string
  rowNumber: bigint
  /** Null when the row is deleted. */
  text: string | null
  isNew: boolean
}

/**
 * Collects the full-text writes of a transaction until its end: FTS5 writes a segment at every SAVEPOINT, and the
 * segments of all commits of a group would have to be merged repeatedly.
 */
export interface SearchIndexer {
  add(table: string, rowNumber: RowNumber, text: string): void
  replace(table: string, rowNumber: RowNumber, text: string): void
  remove(table: string, rowNumber: RowNumber): void
  /** Drops the writes since the last `stage`, when their savepoint is rolled back. */
  forget(): void
  /** Stages the writes of a released savepoint. */
  stage(): void
  /** Writes what was staged. */
  flush(): void
  /** Drops what was staged, when its transaction is rolled back. */
  drop(): void
}

export function createSearchIndexer(sql: Sql): SearchIndexer {
  let staged: SearchWrite[] = []
  let current: SearchWrite[] = []

  function push(table: string, rowNumber: RowNumber, write: Pick<SearchWrite, 'text' | 'isNew'>): void {
    // Row numbers are bound as 64-bit integers: FTS5 accepts no floating-point row number.
    current.push({ table, rowNumber: BigInt(rowNumber), ...write })
  }

  return {
    add: (table, rowNumber, text) => push(table, rowNumber, { text, isNew: true }),
    replace: (table, rowNumber, text) => push(table, rowNumber, { text, isNew: false }),
    remove: (table, rowNumber) => push(table, rowNumber, { text: null, isNew: false }),
    forget() {
      current = []
    },
    stage() {
      staged.push(...current)
      current = []
    },
    drop() {
      staged = []
    },
    flush() {
      const writes = staged
      staged = []
      for (const { table, rowNumber, text, isNew } of writes) {
        if (!isNew) sql.across.run(`DELETE FROM ${table} WHERE rowid = ?`, rowNumber)
        if (text !== null) {
          sql.across.run(`INSERT INTO ${table} (rowid, text) VALUES (?, ?)`, rowNumber, indexedText(text))
        }
      }
    },
  }
}
