import type { Mention } from '@crmkit/core'
import { computed, defineKindOf } from './define-kind.ts'
import { moment, nullableMoment, nullableReference, number, reference, tenantRow } from './fields.ts'

/** A mention as it is stored. */
export interface MentionRecord extends Omit<Mention, 'note'> {
  /** `seq` of the conversation at the note: who has read up to it has read the mention. */
  seq: number
}

/** Returns the text by which the unread mentions of a user in one conversation are found. */
export function unreadMentionsIn(of: Pick<Mention, 'userId' | 'conversationId'>): string {
  return `${of.userId}.${of.conversationId}`
}

/** A note that mentions a user. */
export const mentions = defineKindOf<MentionRecord>()('mentions', {
  idPrefix: 'men',
  fields: {
    ...tenantRow,
    conversationId: reference('conversations'),
    messageId: reference('messages'),
    userId: reference('users'),
    by: nullableReference('users'),
    at: moment('plain'),
    readAt: nullableMoment('user'),
    seq: number('internal'),
  },
  computed: {
    unreadOf: computed.nullableText(({ readAt, userId }: MentionRecord) => (readAt === null ? userId : null)),
    readOf: computed.nullableText(({ readAt, userId }: MentionRecord) => (readAt === null ? null : userId)),
    unreadIn: computed.nullableText((row: MentionRecord) =>
      row.readAt === null ? unreadMentionsIn(row) : null,
    ),
  },
  owners: { conversations: 'conversationId' },
  list: {
    filters: {
      userId: { matches: 'userId', index: 'user' },
      unreadOf: { matches: 'unreadOf', index: 'unread', onlySet: true },
      readOf: { matches: 'readOf', index: 'read', onlySet: true },
      unreadIn: { matches: 'unreadIn', index: 'unread_in', onlySet: true },
      by: { matches: 'by', index: 'author', onlySet: true },
    },
    orders: { '-at': { by: 'at', isDescending: true } },
    needsOneOf: ['userId', 'unreadOf', 'readOf', 'unreadIn', 'by'],
  },
  lookups: { conversation: { columns: ['conversationId'] } },
  erasure: { rows: 'deleted' },
  quota: { rows: 10_000_000 },
  retention: 'permanent',
})
