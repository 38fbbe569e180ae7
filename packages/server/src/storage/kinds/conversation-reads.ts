import { defineKind } from './define-kind.ts'
import { number, type RowOf, reference, tenantRow, text, times } from './fields.ts'

const fields = {
  ...tenantRow,
  /** `conversationReadId`: two first reads at once cannot both make the row. */
  _id: text('id'),
  conversationId: reference('conversations'),
  userId: reference('users'),
  /**
   * The `seq` of the conversation up to which the user has read. Below 0 where messages from before `seq` was counted are
   * unread.
   */
  readSeq: number('user'),
  ...times,
}

/** How far a user has read a conversation. */
export type ConversationRead = RowOf<typeof fields>

/** Returns the id of the row of a user and a conversation. */
export function conversationReadId(of: { userId: string; conversationId: string }): string {
  return `${of.userId}.${of.conversationId}`
}

export const conversationReads = defineKind('conversationReads', {
  idPrefix: null,
  fields,
  owners: { conversations: 'conversationId' },
  list: {
    filters: { userId: { matches: 'userId', index: 'user' } },
    orders: { createdAt: { by: 'createdAt', isDescending: false } },
    needsOneOf: ['userId'],
  },
  lookups: { conversation: { columns: ['conversationId'] } },
  erasure: { rows: 'deleted' },
  quota: { unlimited: 'each is a conversation and a user, and both are limited' },
  retention: 'permanent',
})
