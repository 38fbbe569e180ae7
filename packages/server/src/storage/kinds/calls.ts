import type { StoredCall } from '@crmkit/core'
import { phoneTail } from '../sort-keys.ts'
import { computed, defineKindOf } from './define-kind.ts'
import {
  because,
  json,
  nullableMoment,
  nullableNumber,
  nullableReference,
  nullableText,
  tenantRow,
  times,
  word,
} from './fields.ts'

export const calls = defineKindOf<StoredCall>()('calls', {
  idPrefix: 'cal',
  fields: {
    ...tenantRow,
    kind: word('plain'),
    externalIds: json('customer', ['crm_1']),
    callSid: nullableText('id'),
    conversationId: nullableReference('conversations'),
    customerId: nullableReference('customers'),
    agentId: nullableReference('users'),
    direction: word('plain'),
    from: nullableText('customer'),
    to: nullableText('customer'),
    status: word('plain'),
    failureReason: because('a word of the provider, such as busy', nullableText('plain')),
    startedAt: nullableMoment('plain'),
    answeredAt: nullableMoment('plain'),
    endedAt: nullableMoment('plain'),
    durationSeconds: nullableNumber('plain'),
    recording: json('customer', {
      available: true,
      url: 'https://example.com/recording',
      durationSeconds: 7,
    }),
    metadata: json('customer', { notes: 'Asked for an invoice', tags: ['billing'], rating: 5 }),
    ...times,
  },
  computed: {
    fromTail: computed.nullableText(({ from }: StoredCall) => phoneTail(from)),
    toTail: computed.nullableText(({ to }: StoredCall) => phoneTail(to)),
  },
  owners: { customers: 'customerId' },
  released: { conversations: 'conversationId' },
  // Two reports about a new call at once make one call: the second one finds the first one's.
  unique: { callSid: ['callSid'] },
  list: {
    filters: {
      status: { matches: 'status', index: 'status' },
      customerId: { matches: 'customerId', index: 'customer' },
      conversationId: { matches: 'conversationId', index: 'conversation' },
      agentId: { matches: 'agentId', index: 'agent' },
      callSid: { matches: 'callSid', index: 'provider' },
      // Whole numbers are compared after they are found by their ends, however they are written.
      fromTail: { matches: 'fromTail', index: 'from', onlySet: true },
      toTail: { matches: 'toTail', index: 'to', onlySet: true },
    },
    orders: {
      '-createdAt': { by: 'createdAt', isDescending: true, index: 'created' },
      createdAt: { by: 'createdAt', isDescending: false, index: 'created' },
    },
  },
  externalIds: ({ externalIds }) => externalIds,
  erasure: { rows: 'deleted' },
  retention: 'permanent',
  quota: { rows: 10_000_000 },
})
