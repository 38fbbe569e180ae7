import type { Activity } from '@crmkit/core'
import { computed, defineKindOf } from './define-kind.ts'
import { json, moment, reference, tenantRow, word } from './fields.ts'

/** The user that an assignment names on one of its sides. */
function assigneeOf({ changes }: Activity, side: 'from' | 'to'): string | null {
  const id = changes['assignedTo']?.[side]
  return typeof id === 'string' ? id : null
}

/** A change of a conversation in its timeline. Of users it is found by the three computed ids, so that their erasure finds it. */
export const activities = defineKindOf<Activity>()('activities', {
  idPrefix: 'act',
  fields: {
    ...tenantRow,
    conversationId: reference('conversations'),
    at: moment('plain'),
    actor: json('user', { type: 'user', _id: 'usr_1', name: 'Ada' }),
    action: word('plain'),
    // Subjects, and ids of customers and of users.
    changes: json('customer', { assignedTo: { from: 'usr_1', to: 'usr_2' } }),
  },
  computed: {
    actorUserId: computed.nullableText(({ actor }: Activity) => (actor.type === 'user' ? actor._id : null)),
    fromUserId: computed.nullableText((row: Activity) => assigneeOf(row, 'from')),
    toUserId: computed.nullableText((row: Activity) => assigneeOf(row, 'to')),
  },
  owners: { conversations: 'conversationId' },
  list: {
    filters: {
      conversationId: { matches: 'conversationId', index: 'conversation' },
      /** A conversation and those that were merged into it. */
      conversationIds: { oneOf: 'conversationId', index: 'conversation' },
      userId: { matches: 'actorUserId', index: 'actor', onlySet: true },
      fromUserId: { matches: 'fromUserId', index: 'fromUser', onlySet: true },
      toUserId: { matches: 'toUserId', index: 'toUser', onlySet: true },
    },
    orders: {
      '-at': { by: 'at', isDescending: true },
      at: { by: 'at', isDescending: false },
    },
    needsOneOf: ['conversationId', 'conversationIds', 'userId', 'fromUserId', 'toUserId'],
  },
  erasure: { rows: 'deleted' },
  quota: { rows: 50_000_000 },
  retention: 'permanent',
})
