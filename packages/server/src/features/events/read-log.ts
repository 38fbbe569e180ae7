import {
  type EventType,
  eventTypes,
  Failure,
  type Problem,
  validationFailure,
  visibleEventTypes,
} from '@crmkit/core'
import type { Actor } from '../../handler.ts'
import { firstEventPosition } from '../../ports/event-position.ts'
import type { LoggedEvent } from '../../ports/records.ts'
import { InvalidCursor, type TenantStore } from '../../ports/storage.ts'

/** The types that the caller asks for and may see. Throws PERMISSION_DENIED when there is none. */
export function typesFor({ permissions }: Actor, asked: readonly EventType[] = eventTypes): EventType[] {
  const visible = visibleEventTypes(permissions)
  const types = visible.filter((type) => asked.includes(type))
  if (types.length === 0 && asked.length > 0) {
    throw new Failure('PERMISSION_DENIED', 'This credential may not read the events that it asks for', {
      extra: { required: 'read:conversations and read:customers', granted: permissions },
    })
  }
  return types
}

/** The position behind which a reader begins, `earliest` and `latest` resolved. */
export async function startOf(store: TenantStore, after: string): Promise<string> {
  if (after === 'earliest') return firstEventPosition
  if (after === 'latest') return (await store.events.newestPosition()) ?? firstEventPosition
  return after
}

/** As the storage's own `read`; a position that it did not give out is told as a problem of the request. */
export async function readLog(
  store: TenantStore,
  from: { after: string; types: readonly EventType[]; limit: number },
  source: Pick<Problem, 'field' | 'in'>,
): Promise<LoggedEvent[]> {
  try {
    return await store.events.read(from)
  } catch (error) {
    if (!(error instanceof InvalidCursor)) throw error
    throw validationFailure([{ ...source, message: 'is not a position of this log', rule: 'cursor' }])
  }
}
