import { type EventType, type Problem, validationFailure } from '@crmkit/core'
import type { TenantReads } from '../ports/storage.ts'
import { InvalidCursor } from '../storage/errors.ts'
import type { LoggedEvent } from '../storage/records.ts'

interface LogStart {
  after: string | undefined
  types: readonly EventType[]
  limit: number
}

/** Reads the log. Throws VALIDATION_ERROR for the field of `source` when the position is not one of this log. */
export async function readLog(
  store: TenantReads,
  from: LogStart,
  source: Pick<Problem, 'field' | 'in'>,
): Promise<LoggedEvent[]> {
  try {
    return await store.events.read(from)
  } catch (error) {
    if (!(error instanceof InvalidCursor)) throw error
    throw validationFailure([{ ...source, message: 'is not a position of this log', rule: 'cursor' }])
  }
}
