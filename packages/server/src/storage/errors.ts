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

/** The row was changed or deleted since it was read. The work can be repeated on the fresh row. */
export class VersionConflict extends Error {
  override readonly name = 'VersionConflict'
  readonly kind: Kind
  constructor(kind: Kind) {
    super(`${kind}: the row has changed`)
    this.kind = kind
  }
}

/** The database cannot be reached or cannot write at the moment (disk full, primary lost). The HTTP status is 503. */
export class StorageUnavailable extends Error {
  override readonly name = 'StorageUnavailable'
}

/** A cursor that no list of this kind and order has returned. The HTTP status is 422, with the field `cursor`. */
export class InvalidCursor extends Error {
  override readonly name = 'InvalidCursor'
}
