import { z } from 'zod'
import { message } from '../messages/message.ts'
import { ownId, tenantId } from '../shared/common-fields.ts'
import { jsonValue } from '../shared/custom-fields.ts'
import { timestamp } from '../shared/text.ts'

export const activityActions = [
  'created',
  'assigned',
  'status_changed',
  'priority_changed',
  'labels_changed',
  'inbox_changed',
  'subject_changed',
  'customer_changed',
  'merged',
  'unmerged',
] as const
export type ActivityAction = (typeof activityActions)[number]

export const activity = z
  .object({
    _id: ownId('activity'),
    tenantId,
    conversationId: z.string().describe('Id of the conversation.'),
    at: timestamp.describe('Time of the change.'),
    actor: z
      .object({
        type: z
          .enum(['user', 'customer', 'system', 'api'])
          .describe('Kind of the actor; `api` is a key, `system` the service or an import.'),
        _id: z.string().nullable().describe('Id of the user, customer or key; null when unknown.'),
        name: z
          .string()
          .nullable()
          .describe('Name at the time of the change; null for a customer, and when it was erased.'),
      })
      .describe('The one who made the change.'),
    action: z.enum(activityActions).describe('Kind of the change.'),
    changes: z
      .record(
        z.string(),
        z.object({
          from: jsonValue.describe('Value before the change.'),
          to: jsonValue.describe('Value after the change.'),
        }),
      )
      .describe('Each changed field by its name. Of a new conversation: its assignee, if it has one.'),
  })
  .meta({ id: 'Activity', description: 'A change of a conversation, as its timeline shows it.' })
export type Activity = z.infer<typeof activity>
export type ActivityActor = Activity['actor']

export const timelineKinds = ['message', 'activity'] as const

export const timelineEntry = z
  .object({
    _id: z.string().describe('Id of the message or the activity.'),
    kind: z.enum(timelineKinds).describe('Kind of the entry.'),
    at: timestamp.describe('Time of the entry, by which the timeline is ordered.'),
    message: message.nullable().describe('The message; null for an activity.'),
    activity: activity.nullable().describe('The activity; null for a message.'),
  })
  .meta({ id: 'TimelineEntry', description: 'A message or a change of a conversation.' })
export type TimelineEntry = z.infer<typeof timelineEntry>
