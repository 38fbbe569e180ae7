import { type EventType, type Problem, validationFailure } from '@crmkit/core'
import type { TenantStore } from '../ports/storage.ts'
import { InvalidCursor } from '../storage/errors.ts'
import type { LoggedEvent } from '../storage/records.ts'

/** As the storage's own `read`; a position that it did not give out is told as a problem of the request. */
export async function readLog(
  store: TenantStore,
  from: { after: string | undefined; types: readonly EventType[]; limit: number },
  source: Pick<Problem, 'field' | 'in'>,
): Promise<LoggedEvent[]> {
  try {
    return await store.events.read(from)
  } catch (error) {
    if (!(error instanceof InvalidCursor)) throw error
    throw validationFailure([{ ...source, message: 'is not a position of this log', rule: 'cursor' }])
  }
}
