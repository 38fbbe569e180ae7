import type { Conversation } from '../conversations/conversation.ts'
import type { Changes } from '../shared/changes.ts'
import type { Activity, ActivityAction } from './activity.ts'

/** The fields of each action, in the order in which a timeline shows changes of one moment. */
const fieldsOf = {
  customer_changed: ['customerId'],
  subject_changed: ['subject'],
  inbox_changed: ['inboxId'],
  assigned: ['assignedTo'],
  status_changed: ['status', 'snoozedUntil'],
  priority_changed: ['priority'],
  labels_changed: ['labels'],
} as const satisfies Partial<Record<ActivityAction, readonly (keyof Conversation)[]>>

export type NewActivity = Pick<Activity, 'action' | 'changes'>

/** Returns what the timeline says about changes of a conversation: nothing about counts and times that change with each message. */
export function activitiesOfChanges(changes: Changes): NewActivity[] {
  return Object.entries(fieldsOf).flatMap(([action, fields]) => {
    const changed = fields.flatMap((field) => {
      const change = changes[field]
      return change ? [[field, change] as const] : []
    })
    if (changed.length === 0) return []
    return [{ action: action as ActivityAction, changes: Object.fromEntries(changed) as Activity['changes'] }]
  })
}

/** Returns what the timeline says about a new conversation. Its first values are in the conversation, but its assignee changes. */
export function activityOfCreation({ assignedTo }: Pick<Conversation, 'assignedTo'>): NewActivity {
  return {
    action: 'created',
    changes: assignedTo === null ? {} : { assignedTo: { from: null, to: assignedTo } },
  }
}
