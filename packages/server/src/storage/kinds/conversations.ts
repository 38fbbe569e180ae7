import type { Conversation, LastMessage } from '@crmkit/core'
import { conversationStatuses, foldLabel } from '@crmkit/core/vocabulary'
import { plainSearchText } from '../search-text.ts'
import {
  changedAt,
  lastActivity,
  priorityRank,
  snoozeDueAt,
  waitingKey,
  waitingKeySplit,
} from '../sort-keys.ts'
import { computed, defineKindOf } from './define-kind.ts'
import {
  because,
  flag,
  json,
  moment,
  nullableMoment,
  nullableReference,
  nullableText,
  nullableWord,
  number,
  optional,
  orElse,
  reference,
  tenantRow,
  text,
  times,
  word,
} from './fields.ts'

export interface BeforeMerge {
  status: Conversation['status']
  snoozedUntil: string | null
  wakeOnReply: boolean
  closedAt: string | null
  /** Labels that the target did not have. */
  addedLabels: string[]
}

/**
 * Stored in place of `closed` in a conversation that was merged into another one: no list of the API asks for this range of the
 * indexes, while the lists of erasures, exports and merges of customers read all ranges. No reply shows it.
 */
export const mergedStatus = 'merged' as Conversation['status']

export interface ConversationRecord extends Conversation {
  /** The visitor of the chat widget that sees it; absent for every other conversation. */
  visitorId?: string | null
  /** `email`: the visitor's last message came by e-mail, so the next reply leaves by it. */
  visitorDoor?: 'email' | null
  /** The id of `lastMessage`, which databases compare. */
  lastMessageId?: string | null
  /** When machine mail opened it again, in the last hour. */
  reopenedByMachineAt?: string[]
  /** Of a merged conversation: what an unmerge gives back, and the labels that the target got by it. */
  beforeMerge?: BeforeMerge | null
  /** When an import wrote the row, whose `updatedAt` is then the time of the source; absent for rows made here. */
  importedAt?: string
  /** The `seq` that an import gave the conversation; absent: 0. A greater `seq` means that somebody wrote here since. */
  importedSeq?: number
}

const sampleMessage: LastMessage = {
  _id: 'msg_1',
  type: 'reply',
  direction: 'inbound',
  senderType: 'customer',
  at: '2026-01-01T00:00:00.000Z',
  preview: 'Where is my order?',
  files: 0,
}

const activityIndexes = { assigneeActivity: 'assignedTo', inboxActivity: 'inboxId' } as const

export const conversations = defineKindOf<ConversationRecord>()('conversations', {
  idPrefix: 'con',
  fields: {
    ...tenantRow,
    subject: text('customer'),
    status: word('plain'),
    priority: word('plain'),
    channel: word('plain'),
    source: word('plain'),
    customerId: nullableReference('customers'),
    assignedTo: nullableReference('users'),
    inboxId: reference('inboxes'),
    labels: orElse(() => [], json('customer')),
    snoozedUntil: nullableMoment('plain'),
    wakeOnReply: flag('plain'),
    lastMessageAt: nullableMoment('plain'),
    lastMessageId: optional(nullableText('id')),
    lastMessage: orElse(() => null, json('both', sampleMessage)),
    lastCustomerMessageAt: nullableMoment('plain'),
    waitingSince: nullableMoment('plain'),
    messageCount: number('plain'),
    seq: orElse(() => 0, number('plain')),
    firstResponseAt: nullableMoment('plain'),
    closedAt: nullableMoment('plain'),
    readAt: json('customer'),
    rating: json('customer'),
    externalIds: orElse(() => [], json('customer')),
    page: nullableText('customer'),
    visitorId: optional(nullableText('id')),
    visitorDoor: optional(nullableWord('plain')),
    customFields: orElse(() => ({}), json('customer')),
    participants: orElse(
      () => [],
      json('customer', [
        { address: 'ada@example.com', name: 'Ada', addedAt: '2026-01-01T00:00:00.000Z', verified: true },
      ]),
    ),
    previousConversationId: nullableReference('conversations'),
    mergedInto: nullableReference('conversations'),
    mergedFrom: orElse(() => [], because('ids of conversations', json('id'))),
    beforeMerge: optional(because('a state and labels of the moment of the merge', json('customer'))),
    reopenedByMachineAt: optional(because('moments', json('internal'))),
    importedAt: optional(moment('plain')),
    importedSeq: optional(number('internal')),
    ...times,
  },
  computed: {
    priorityRank: computed.number(({ priority }: ConversationRecord) => priorityRank(priority)),
    dueAt: computed.nullableText(snoozeDueAt),
    changedAt: computed.text(changedAt),
    activity: computed.text(lastActivity),
    waiting: computed.number(waitingKey),
  },
  owners: { customers: 'customerId' },
  list: {
    filters: {
      search: { searches: true },
      status: { oneOf: 'status' },
      priority: { matches: 'priority' },
      channel: { matches: 'channel' },
      assignedTo: { matches: 'assignedTo', none: 'none', index: 'assignee' },
      inboxId: { matches: 'inboxId', index: 'inbox' },
      customerId: { matches: 'customerId', index: 'customer' },
      visitorId: { matches: 'visitorId', index: 'visitor', onlySet: true },
      label: { labels: 'one', index: 'label' },
      updatedSince: { since: 'changedAt' },
      createdSince: { since: 'createdAt' },
      createdUntil: { until: 'createdAt' },
      waiting: { splits: 'waiting', at: waitingKeySplit },
    },
    orders: {
      '-updatedAt': { by: 'updatedAt', isDescending: true },
      updatedAt: { by: 'updatedAt', isDescending: false },
      '-createdAt': { by: 'createdAt', isDescending: true, index: 'created' },
      createdAt: { by: 'createdAt', isDescending: false, index: 'created' },
      priority: { by: 'priorityRank', isDescending: true, index: 'urgency' },
      '-lastMessageAt': { by: 'activity', isDescending: true, dividedWith: activityIndexes },
      lastMessageAt: { by: 'activity', isDescending: false, dividedWith: activityIndexes },
      waiting: {
        by: 'waiting',
        isDescending: false,
        dividedWith: { assigneeWaiting: 'assignedTo', inboxWaiting: 'inboxId' },
      },
    },
    ranges: { by: 'status', values: [...conversationStatuses, mergedStatus] },
  },
  lookups: { changed: { columns: ['changedAt'] } },
  acrossTenants: { dueSnoozes: { columns: ['dueAt'] } },
  labels: ({ labels }) => labels.map(foldLabel),
  labelUses: { labels: 'labels', at: 'createdAt', by: 'assignedTo' },
  // Its search asks the messages too, so each adapter has code of its own for it.
  searchText: ({ subject }) => plainSearchText(subject),
  externalIds: ({ externalIds }) => externalIds,
  erasure: { rows: 'deleted', task: 'eraseConversation' },
  quota: { rows: 10_000_000 },
  retention: 'permanent',
})
