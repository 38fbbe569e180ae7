import type { Changes } from '../shared/changes.ts'
import type { EventType } from './event-types.ts'

/** The JSON body of a delivery. */
export interface EventBody {
  id: string
  event: string
  /** When the event happened, ISO 8601; the time of the attempt is in the headers. */
  timestamp: string
  data: unknown
  changes?: Changes
}

/** An event as it is committed with the change that caused it. */
export interface DomainEvent {
  _id: string
  type: EventType
  timestamp: string
  /** Ids of all resources in the event, so that an erasure finds it. */
  subjects: string[]
  /** The JSON of the event's body. These bytes are stored and sent at every attempt. */
  body: string
}

interface EventParts {
  id: string
  type: EventType
  now: string
  subjects: readonly (string | null)[]
  data: unknown
  changes?: Changes
}

export function makeEvent({ id, type, now, subjects, data, changes }: EventParts): DomainEvent {
  const body: EventBody = { id, event: type, timestamp: now, data, ...(changes && { changes }) }
  const known = [...subjects, ...formerCustomers(changes)].filter((subject) => subject !== null)
  return { _id: id, type, timestamp: now, subjects: [...new Set(known)], body: JSON.stringify(body) }
}

/** Words of a customer stand in the event that gives a conversation to another one: it is about both. */
function formerCustomers(changes: Changes = {}): string[] {
  const { from, to } = changes['customerId'] ?? {}
  return [from, to].filter((id) => typeof id === 'string')
}
