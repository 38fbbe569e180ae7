import { type Permission, permissions } from '../contract/permissions.ts'
import { type EventType, eventTypes } from './event-types.ts'

/** The permissions to read the content of an event of this type. */
function permissionsFor(type: EventType): readonly Permission[] {
  const area = type.slice(0, type.indexOf('.'))
  if (area === 'customer') return ['read:customers']
  if (area === 'user' || area === 'mail' || area === 'integration') return ['webhook:manage']
  return ['read:conversations', 'read:customers']
}

/** The permissions to read the content of all events of these types. */
export function permissionsForEvents(types: readonly EventType[]): Permission[] {
  const needed = new Set(types.flatMap(permissionsFor))
  return permissions.filter((permission) => needed.has(permission))
}

/** The types of events that a credential with these permissions sees. */
export function visibleEventTypes(granted: readonly Permission[]): EventType[] {
  return eventTypes.filter((type) => permissionsFor(type).every((permission) => granted.includes(permission)))
}

/** Each of these permissions shows at least one type; a caller without them sees nothing. */
export const eventPermissions = ['read:customers', 'webhook:manage'] as const satisfies Permission[]
