import { type EventType, eventTypes, Failure, visibleEventTypes } from '@crmkit/core'
import type { TenantReads } from '../../ports/storage.ts'
import { firstEventPosition } from '../../storage/event-position.ts'
import type { Caller } from '../caller.ts'

/** Returns the types that the caller asks for and may see. Throws PERMISSION_DENIED when there is none. */
export function typesFor(
  { permissions }: Pick<Caller, 'permissions'>,
  asked: readonly EventType[] = eventTypes,
): EventType[] {
  const visible = visibleEventTypes(permissions)
  const types = visible.filter((type) => asked.includes(type))
  if (types.length === 0 && asked.length > 0) {
    throw new Failure('PERMISSION_DENIED', 'This credential may not read the events that it asks for', {
      extra: { required: 'read:conversations and read:customers', granted: permissions },
    })
  }
  return types
}

/** Returns the position after which a reader begins; resolves `earliest` and `latest`. */
export async function startOf(store: TenantReads, after: string): Promise<string> {
  if (after === 'earliest') return firstEventPosition
  if (after === 'latest') return (await store.events.newestPosition()) ?? firstEventPosition
  return after
}
