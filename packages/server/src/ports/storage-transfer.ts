import type { TransferKind } from '../storage/kinds/registry.ts'
import type { Document } from '../storage/records.ts'

/*
 * The port by which an operator copies one database to another: all stored rows, in a form that all adapters share.
 * Data that is derived from rows (search indexes, look-ups, due times) is left out: the target derives it again with
 * its own writers.
 */

/** The tenant and id of a row. Rows that belong to the whole server have the empty tenant id. */
export interface RowRef {
  tenantId: string
  id: string
}

export interface TransferRow extends RowRef {
  /** 0 for kinds that have no versions. */
  version: number
  /** Without leases: attempts that were claimed are due again. */
  record: Document
}

export interface TransferSource {
  /** Names the database without user, password and options; all addresses of one database have the same name. */
  readonly address: string
  /** The id that the installation got with its first start; a backup keeps it, and a copy gets another one. */
  readonly installation: string
  count(kind: TransferKind): Promise<number>
  /**
   * Returns the rows after `after` in the adapter's own fixed order, as many as fit into the limits of a page, but at
   * least one. Empty after the last row.
   */
  readPage(kind: TransferKind, after: RowRef | null): Promise<TransferRow[]>
  /** Returns the subset of `refs` that have no row. */
  findMissing(kind: TransferKind, refs: readonly RowRef[]): Promise<RowRef[]>
  /** Returns whether a server seems to use the database. Its writes during the copy may or may not be copied. */
  isInUse(): Promise<boolean>
  close(): Promise<void>
}

export interface TransferTarget extends TransferSource {
  /** Returns those of the rows that exist, in any order. */
  readRows(kind: TransferKind, refs: readonly RowRef[]): Promise<TransferRow[]>
  /**
   * Inserts or replaces the rows, with all data that is derived from them; is idempotent. All rows are of one page
   * and have different refs. `UniqueConflict` when another row has one of their unique values.
   */
  put(kind: TransferKind, rows: readonly TransferRow[]): Promise<void>
  /** Deletes rows with all data that was derived from them. */
  remove(kind: TransferKind, refs: readonly RowRef[]): Promise<void>
  /** Returns the saved progress of a copy; undefined when none has ever begun. */
  findProgress(): Promise<CopyProgress | undefined>
  /** Saves the progress of a copy. No server opens the database while `isFinished` is false. */
  saveProgress(progress: CopyProgress): Promise<void>
}

export interface CopyProgress {
  isFinished: boolean
  /** `address` of the source. */
  source: string
  /** `installation` of the source; absent in a copy that an earlier version has made. */
  installation?: string
  startedAt: string
  /** A server has opened the copy: it holds rows of its own, which no later pass may remove. */
  isUsed?: boolean
}
