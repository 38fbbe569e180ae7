import type { CrmEvent, EventType } from '../resources/events.gen.ts'
import { eventFacts } from './event-data.ts'
import { nextId, type Overrides, withOverrides } from './overrides.ts'
import { sampleEventData } from './sample-events.gen.ts'

export type EventOf<Type extends EventType> = Extract<CrmEvent, { event: Type }>

/**
 * An event as the service sends it, with fresh ids.
 *
 * ```ts
 * makeEvent('customer.created', { data: { profile: { email: 'grace@example.com' } } })
 * ```
 */
export function makeEvent<Type extends EventType>(
  type: Type,
  overrides?: Overrides<EventOf<Type>>,
): EventOf<Type> {
  const sample = {
    id: nextId('evt'),
    event: type,
    timestamp: '2026-01-01T00:00:00.000Z',
    data: withOverrides<object>(sampleEventData[type](), eventFacts[type]?.()),
    ...(type.endsWith('.updated') && { changes: {} }),
  }
  return withOverrides(sample as unknown as EventOf<Type>, overrides)
}
