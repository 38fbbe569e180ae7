/**
 * Every event type. The first sixteen are from specification 6.1; the `*.deleted` types are additions,
 * so that a mirror can follow deletions, `message.updated` follows a message to its recipients, `note.created` reports
 * the notes of the team, `mention.created` each user whom one mentions, `mail.parked` a mail that needs a person,
 * the two of merges a merge of conversations, and the last four a door that does not work, or works again.
 */
export const eventTypes = [
  'conversation.created',
  'conversation.updated',
  'conversation.assigned',
  'conversation.closed',
  'customer.created',
  'customer.updated',
  'message.sent',
  'message.received',
  'user.created',
  'user.updated',
  'call.initiated',
  'call.ringing',
  'call.answered',
  'call.completed',
  'call.failed',
  'call.recording.available',
  'mention.created',
  'conversation.merged',
  'conversation.unmerged',
  'customer.deleted',
  'conversation.deleted',
  'user.deleted',
  'message.updated',
  'message.deleted',
  'note.created',
  'mail.parked',
  'inbox.failing',
  'inbox.recovered',
  'integration.failing',
  'integration.recovered',
] as const
export type EventType = (typeof eventTypes)[number]
