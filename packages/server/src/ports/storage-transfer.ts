import type { TransferKind } from '../storage/kinds/registry.ts'
import type { Document } from '../storage/rules/rows.ts'

/*
 * Everything that a storage keeps and cannot work out again, row by row, in a form that all adapters share: so
 * an operator moves from one to another. What a row leads to (search, look-ups, due work) is not part of it: the
 * target makes it anew with its own writers.
 */

/** Where a row is. Rows that belong to the whole server have the empty tenant id. */
export interface RowPlace {
  tenantId: string
  id: string
}

export interface TransferRow extends RowPlace {
  /** 0 for kinds that have no versions. */
  version: number
  /** Without leases: work that was in hand is due again. */
  record: Document
}

export interface TransferSource {
  /** Names the database without user, password and options; two addresses of one database are one. */
  readonly address: string
  count(kind: TransferKind): Promise<number>
  /**
   * Rows behind `after` in the adapter's own fixed order, as many as fit into a page's rows and bytes; at least
   * one. Empty behind the last row.
   */
  readPage(kind: TransferKind, after: RowPlace | null): Promise<TransferRow[]>
  /** Those of these places at which there is no row. */
  findMissing(kind: TransferKind, places: readonly RowPlace[]): Promise<RowPlace[]>
  /** Whether a server seems to work on it. What it writes meanwhile may or may not be copied. */
  isInUse(): Promise<boolean>
  close(): Promise<void>
}

export interface TransferTarget extends TransferSource {
  /** How many pages are worth being written at once. */
  readonly putsMax: number
  /**
   * Makes the rows what they are given as, with all that is worked out of them; the same rows again change
   * nothing. All are of one page and have different places. `UniqueConflict` when another row has a unique value.
   */
  put(kind: TransferKind, rows: readonly TransferRow[]): Promise<void>
  /** Removes rows with all that was worked out of them. */
  remove(kind: TransferKind, places: readonly RowPlace[]): Promise<void>
  /** What a copy has written down about itself; undefined when none has ever begun. */
  findProgress(): Promise<CopyProgress | undefined>
  /** While the last one written says `unfinished`, no server opens the database. */
  saveProgress(progress: CopyProgress): Promise<void>
}

export interface CopyProgress {
  isFinished: boolean
  /** `address` of the source. */
  source: string
  startedAt: string
  /** From the second on, rows that are no longer in the source are removed: it was written to meanwhile. */
  pass: number
  /** The kind that is being copied, and its last row that was. Null: all rows are copied. */
  position: { kind: TransferKind; after: RowPlace | null } | null
}
