import type { Kind } from './kinds/registry.ts'

/** A unique value is taken. `key` names the rule, e.g. `id`, `emailNormalized`, `clientMessageId`. */
export class UniqueConflict extends Error {
  override readonly name = 'UniqueConflict'
  readonly kind: Kind
  readonly key: string
  constructor(kind: Kind, key: string) {
    super(`${kind}: ${key} is taken`)
    this.kind = kind
    this.key = key
  }
}

/** The row at which a commit ended. */
export interface ConflictedRow {
  op: 'update' | 'patch' | 'remove' | 'erase'
  id: string
  /** The version that the row has; null when there is no such row, or an erasure hides it. */
  version: number | null
}

/** The row was changed or deleted since it was read. The work can be repeated on the fresh row. */
export class VersionConflict extends Error {
  override readonly name = 'VersionConflict'
  readonly kind: Kind
  /** Undefined where the version of one row does not decide, as for a condition of a patch. */
  readonly row: ConflictedRow | undefined
  constructor(kind: Kind, row?: ConflictedRow) {
    super(row ? `${kind}: the row of ${row.op} ${row.id} has changed` : `${kind}: the row has changed`)
    this.kind = kind
    this.row = row
  }
}

/**
 * The same write of a row conflicted in one run after the other, while the row was absent or stayed as it was: the
 * work writes a row that it has not read. No repetition mends that, so the HTTP status is 500.
 */
export class UnreadRow extends Error {
  override readonly name = 'UnreadRow'
  constructor(kind: Kind, { op, id, version }: ConflictedRow) {
    const state = version === null ? 'does not exist' : `stays at version ${version}`
    super(`${kind}: ${op} of ${id} conflicts each time, and the row ${state}: the work has not read it`)
  }
}

/** The database cannot be reached or cannot write at the moment (disk full, primary lost). The HTTP status is 503. */
export class StorageUnavailable extends Error {
  override readonly name: string = 'StorageUnavailable'
}

/** Another process has upgraded the database beyond what this version may serve. This process has to end. The HTTP status is 503. */
export class DatabaseUpgraded extends StorageUnavailable {
  override readonly name = 'DatabaseUpgraded'
}

/** A cursor that no list of this kind and order has returned. The HTTP status is 422, with the field `cursor`. */
export class InvalidCursor extends Error {
  override readonly name = 'InvalidCursor'
}
