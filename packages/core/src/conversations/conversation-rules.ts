import { type Problem, validationFailure } from '../contract/failure.ts'
import type { Customer } from '../customers/customer.ts'
import { type DomainEvent, makeEvent } from '../events/event.ts'
import type { EventType } from '../events/event-types.ts'
import { shownWaitingSince } from '../messages/row-facts.ts'
import { type Changes, changesBetween } from '../shared/changes.ts'
import type { NewResource } from '../shared/common-fields.ts'
import { updatedField } from '../shared/updated-field.ts'
import {
  type Conversation,
  type CreateConversationBody,
  type LastMessage,
  storedConversation,
  type UpdateConversationBody,
  unreadMax,
} from './conversation.ts'

export function newConversation(
  body: CreateConversationBody,
  { id, tenantId, now }: NewResource,
): Conversation {
  return {
    _id: id,
    tenantId,
    subject: body.subject,
    status: 'open',
    priority: body.priority ?? 'medium',
    channel: body.channel ?? 'email',
    source: 'api',
    customerId: body.customerId ?? null,
    assignedTo: body.assignedTo ?? null,
    inboxId: body.inboxId,
    labels: body.labels ?? [],
    snoozedUntil: null,
    wakeOnReply: true,
    lastMessageAt: null,
    lastMessage: null,
    lastCustomerMessageAt: null,
    waitingSince: null,
    messageCount: 0,
    seq: 0,
    firstResponseAt: null,
    closedAt: null,
    readAt: { customer: null, agent: null },
    rating: null,
    externalIds: [],
    page: null,
    customFields: {},
    participants: [],
    previousConversationId: null,
    mergedInto: null,
    mergedFrom: [],
    createdAt: now,
    updatedAt: now,
  }
}

/**
 * The conversation after a PUT. Any status may follow any other; `snoozed` keeps its wake-up time and
 * every other status clears it. Throws VALIDATION_ERROR when a snooze field does not fit the status.
 */
export function updatedConversation(before: Conversation, body: UpdateConversationBody, now: string) {
  const status = updatedField(body.status, before.status) ?? 'open'
  assertSnooze(status, body, now)
  const isSnoozed = status === 'snoozed'
  const conversation: Conversation = {
    ...before,
    subject: updatedField(body.subject, before.subject),
    status,
    priority: updatedField(body.priority, before.priority) ?? 'medium',
    channel: updatedField(body.channel, before.channel) ?? 'email',
    assignedTo: updatedField(body.assignedTo, before.assignedTo),
    customerId: updatedField(body.customerId, before.customerId),
    inboxId: updatedField(body.inboxId, before.inboxId),
    labels: updatedField(body.labels, before.labels) ?? [],
    snoozedUntil: isSnoozed ? updatedField(body.snoozedUntil, before.snoozedUntil) : null,
    wakeOnReply: isSnoozed ? (updatedField(body.wakeOnReply, before.wakeOnReply) ?? true) : true,
    closedAt: closedAtAfter(before, status, now),
    updatedAt: now,
  }
  return withChanges(before, conversation)
}

function withChanges(
  before: Conversation,
  conversation: Conversation,
): { conversation: Conversation; changes: Changes } {
  return { conversation, changes: changesBetween(before, conversation) }
}

function closedAtAfter(before: Conversation, status: Conversation['status'], now: string): string | null {
  if (status !== 'closed') return null
  return before.status === 'closed' ? before.closedAt : now
}

function assertSnooze(status: Conversation['status'], body: UpdateConversationBody, now: string): void {
  const problems = snoozeProblems(status, body, now)
  if (problems.length > 0) throw validationFailure(problems)
}

/**
 * Throws VALIDATION_ERROR when the snooze fields do not fit the status in the body. A body without a status is checked
 * by `updatedConversation`, with the status of the conversation.
 */
export function assertNamedSnooze(body: UpdateConversationBody, now: string): void {
  if (body.status !== undefined) assertSnooze(body.status ?? 'open', body, now)
}

function snoozeProblems(
  status: Conversation['status'],
  body: UpdateConversationBody,
  now: string,
): Problem[] {
  if (status === 'snoozed') {
    const isPast = body.snoozedUntil && body.snoozedUntil <= now
    if (!isPast) return []
    return [{ field: 'snoozedUntil', message: 'must be in the future', rule: 'future', in: 'body' }]
  }
  const given = (['snoozedUntil', 'wakeOnReply'] as const).filter((field) => (body[field] ?? null) !== null)
  return given.map((field) => ({ field, message: 'needs the status snoozed', rule: 'status', in: 'body' }))
}

/** Whether an inbound message opens the conversation again. */
export function isReopenedByInbound(conversation: Conversation): boolean {
  if (conversation.status === 'snoozed') return conversation.wakeOnReply
  return conversation.status === 'closed' || conversation.status === 'pending'
}

/** The conversation after a due snooze or an inbound message opened it. */
export function reopenedConversation(before: Conversation, now: string) {
  const conversation: Conversation = {
    ...before,
    status: 'open',
    snoozedUntil: null,
    wakeOnReply: true,
    closedAt: null,
    updatedAt: now,
  }
  return withChanges(before, conversation)
}

const shownFields = Object.keys(storedConversation.shape) as (keyof Conversation)[]

/** Returns the status that replies and events show: the store has another word for a conversation that was merged. */
export function shownStatus({ status, mergedInto }: Pick<Conversation, 'status' | 'mergedInto'>) {
  return (mergedInto ?? null) === null ? status : 'closed'
}

/** Returns the fields of the resource alone: a stored row holds more, and one of an earlier version less. */
function shownConversation(row: Conversation): Conversation {
  const shown = Object.fromEntries(shownFields.map((field) => [field, row[field] ?? null])) as Conversation
  return {
    ...shown,
    status: shownStatus(row),
    seq: row.seq ?? 0,
    participants: row.participants ?? [],
    mergedFrom: row.mergedFrom ?? [],
    waitingSince: shownWaitingSince(row),
  }
}

/** No event about the conversation repeats what was written in it: an erasure would not find it there. */
function withoutPreview(last: LastMessage | null): Omit<LastMessage, 'preview'> | null {
  if (last === null) return null
  const { preview: _preview, ...rest } = last
  return rest
}

interface ConversationEventParts {
  conversation: Conversation
  /** The conversation's customer, for `data.customerId`; null when it has none. */
  customer: Customer | null
  /** The id of a conversation whose labels this one has, or had until now, by a merge. */
  mergedWith?: string
  nextEventId: () => string
  now: string
}

function conversationEvent(type: EventType, parts: ConversationEventParts, changes?: Changes): DomainEvent {
  const { conversation, customer, mergedWith = null, now } = parts
  const { _id, customerId, assignedTo, mergedFrom = [] } = conversation
  return makeEvent({
    id: parts.nextEventId(),
    type,
    now,
    // Its labels are those of the merged conversations too, which may be deleted after an unmerge.
    subjects: [_id, customerId, assignedTo, mergedWith, ...mergedFrom],
    data: {
      ...shownConversation(conversation),
      lastMessage: withoutPreview(conversation.lastMessage ?? null),
      customerId: customer,
    },
    ...(changes && { changes }),
  })
}

/** `.created`, then `.assigned` for a conversation with an assignee. */
export function conversationCreatedEvents(parts: ConversationEventParts): DomainEvent[] {
  const events = [conversationEvent('conversation.created', parts)]
  if (parts.conversation.assignedTo !== null) events.push(conversationEvent('conversation.assigned', parts))
  return events
}

/** `.updated`, then `.assigned` when the assignee changed (to null too), then `.closed` when it became closed. */
export function conversationChangedEvents(parts: ConversationEventParts, changes: Changes): DomainEvent[] {
  if (Object.keys(changes).length === 0) return []
  const events = [conversationEvent('conversation.updated', parts, changes)]
  if ('assignedTo' in changes) events.push(conversationEvent('conversation.assigned', parts))
  if (changes['status']?.to === 'closed') events.push(conversationEvent('conversation.closed', parts))
  return events
}

/** The event of the target of a merge, or of an unmerge. */
export function conversationMergeEvent(
  type: 'conversation.merged' | 'conversation.unmerged',
  parts: ConversationEventParts,
  changes: Changes,
): DomainEvent {
  return conversationEvent(type, parts, changes)
}

interface Reading {
  /** `seq` up to which the user has read; undefined when the user never has. */
  readSeq: number | undefined
  userCreatedAt: string
}

/**
 * Returns the `seq` up to which a user counts as having read. A user who never has read it finds a conversation of the time
 * before them read, until somebody writes.
 */
export function readSeqOf(
  conversation: Pick<Conversation, 'lastMessageAt' | 'seq'> & { importedSeq?: number },
  { readSeq, userCreatedAt }: Reading,
): number {
  const { lastMessageAt, seq = 0, importedSeq = 0 } = conversation
  if (readSeq !== undefined) return Math.max(readSeq, importedSeq)
  // Imported messages are unread for nobody.
  if (importedSeq > 0) return importedSeq
  return lastMessageAt !== null && lastMessageAt > userCreatedAt ? 0 : seq
}

/** Returns how many messages and notes there are after `readSeq`, counted up to `unreadMax`. */
export function unreadCount({ seq = 0 }: Conversation, readSeq: number): number {
  return Math.min(Math.max(seq - readSeq, 0), unreadMax)
}
