import {
  type ConflictedRow,
  InvalidCursor,
  StorageUnavailable,
  UniqueConflict,
  VersionConflict,
} from '../../../storage/errors.ts'
import type { Kind } from '../../../storage/kinds/registry.ts'

/** An error as data between threads, where error classes are lost. */
export type ErrorData =
  | { type: 'unique'; kind: Kind; key: string }
  | { type: 'version'; kind: Kind; row: ConflictedRow | undefined }
  | { type: 'unavailable'; message: string }
  | { type: 'cursor'; message: string }
  | { type: 'other'; message: string; stack: string | undefined }

/** Result codes that mean "unavailable at present": the disk, the file or a lock, not the statement. */
const unavailableCodes =
  /^SQLITE_(FULL|IOERR|BUSY|LOCKED|READONLY|CANTOPEN|CORRUPT|NOTADB|NOMEM|PROTOCOL|AUTH|PERM)/

function sqliteCode(error: unknown): string | undefined {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  return typeof code === 'string' && code.startsWith('SQLITE_') ? code : undefined
}

export function isUniqueViolation(error: unknown): error is Error {
  const code = sqliteCode(error)
  return code === 'SQLITE_CONSTRAINT_UNIQUE' || code === 'SQLITE_CONSTRAINT_PRIMARYKEY'
}

/** Returns the last column of "UNIQUE constraint failed: users.tenant_id, users.email_normalized", which names the rule. */
export function violatedColumn(error: Error): string {
  return error.message.slice(error.message.lastIndexOf('.') + 1)
}

export function isUnavailable(error: unknown): boolean {
  if (error instanceof StorageUnavailable) return true
  const isClosed = error instanceof TypeError && error.message.includes('database connection is not open')
  return isClosed || unavailableCodes.test(sqliteCode(error) ?? '')
}

export function toErrorData(error: unknown): ErrorData {
  if (error instanceof UniqueConflict) return { type: 'unique', kind: error.kind, key: error.key }
  if (error instanceof VersionConflict) return { type: 'version', kind: error.kind, row: error.row }
  if (error instanceof InvalidCursor) return { type: 'cursor', message: error.message }
  const { message, stack } = error instanceof Error ? error : new Error(String(error))
  if (isUnavailable(error)) return { type: 'unavailable', message }
  return { type: 'other', message, stack }
}

export function fromErrorData(data: ErrorData): Error {
  switch (data.type) {
    case 'unique':
      return new UniqueConflict(data.kind, data.key)
    case 'version':
      return new VersionConflict(data.kind, data.row)
    case 'unavailable':
      return new StorageUnavailable(data.message)
    case 'cursor':
      return new InvalidCursor(data.message)
    case 'other':
      return Object.assign(new Error(data.message), data.stack === undefined ? {} : { stack: data.stack })
  }
}
