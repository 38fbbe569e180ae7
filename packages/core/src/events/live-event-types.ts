/**
 * The types of live events: signs for people who work at this moment. They are stored nowhere, have no id, and are sent
 * to streams with `live=true` alone.
 */
export const liveEventTypes = [
  'counts.changed',
  'presence.changed',
  'typing',
  'draft.updated',
  'draft.deleted',
  'conversation.read',
  'availability.changed',
  'customer.notes',
] as const
export type LiveEventType = (typeof liveEventTypes)[number]
