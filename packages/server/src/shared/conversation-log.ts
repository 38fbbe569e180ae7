import {
  type ActivityActor,
  activitiesOfChanges,
  activityOfCreation,
  type Changes,
  type Conversation,
  type Customer,
  conversationChangedEvents,
  conversationCreatedEvents,
  type IdFactory,
  type NewActivity,
} from '@crmkit/core'
import type { Change, Write } from '../ports/change.ts'

interface LogContext {
  ids: IdFactory
  now: string
}

interface Logged {
  conversation: Conversation
  /** The conversation's customer, for the events; null when it has none. */
  customer: Customer | null
  /** The other conversation of a merge, for the events. */
  mergedWith?: string
  by: ActivityActor
}

type OfConversation = Pick<Conversation, '_id' | 'tenantId'>

/** The service itself. */
export const bySystem: ActivityActor = { type: 'system', _id: null, name: null }

/** A customer in a timeline, without a name: that of the customer may be erased, and is shown from the customer. */
export function byCustomer(_id: string | null): ActivityActor {
  return { type: 'customer', _id, name: null }
}

/** Returns the events and the activity of a new conversation. Only this file makes them, so that neither is without the other. */
export function createdLog({ ids, now }: LogContext, { conversation, customer, by }: Logged): Change {
  const nextEventId = () => ids.next('evt')
  return {
    events: conversationCreatedEvents({ conversation, customer, nextEventId, now }),
    writes: [activityWrite({ ids, now }, { conversation, by, activity: activityOfCreation(conversation) })],
  }
}

/** Returns the events and the activities of changes of a conversation. */
export function changedLog(ctx: LogContext, { changes, ...logged }: Logged & { changes: Changes }): Change {
  const { by, ...of } = logged
  const nextEventId = () => ctx.ids.next('evt')
  return {
    events: conversationChangedEvents({ ...of, nextEventId, now: ctx.now }, changes),
    writes: activityWrites(ctx, { conversation: of.conversation, changes, by }),
  }
}

/** Returns the activities alone, for a change that has no event: nobody has worked on the conversation. */
export function activityWrites(
  ctx: LogContext,
  { changes, ...of }: { conversation: OfConversation; changes: Changes; by: ActivityActor },
): Write[] {
  return activitiesOfChanges(changes).map((activity) => activityWrite(ctx, { ...of, activity }))
}

/** Returns the activities of writes that give conversations to another customer, as merges of customers do. */
export function activitiesOfMove(
  ctx: LogContext & { tenantId: string },
  writes: readonly Write[],
  { from, by = bySystem }: { from: string; by?: ActivityActor },
): Write[] {
  return writes.flatMap((write) => {
    if (write.op !== 'update' || write.kind !== 'conversations' || write.set.customerId === undefined)
      return []
    const conversation = { _id: write.id, tenantId: ctx.tenantId }
    const changes = { customerId: { from, to: write.set.customerId } }
    return activityWrites(ctx, { conversation, changes, by })
  })
}

/** Returns the activity of a merge of conversations, or of its unmerge. */
export function mergeActivity(
  ctx: LogContext,
  { conversation, by, action, changes }: Omit<Logged, 'customer'> & NewActivity,
): Write {
  return activityWrite(ctx, { conversation, by, activity: { action, changes } })
}

function activityWrite(
  { ids, now: at }: LogContext,
  {
    conversation,
    by: actor,
    activity,
  }: { conversation: OfConversation; by: ActivityActor; activity: NewActivity },
): Write {
  const { _id: conversationId, tenantId } = conversation
  const row = { _id: ids.next('act'), tenantId, conversationId, at, actor, ...activity }
  return { op: 'insert', kind: 'activities', row }
}
