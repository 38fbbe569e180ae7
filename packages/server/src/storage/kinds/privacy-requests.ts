import type { PrivacyRequest } from '@crmkit/core'
import { dueOrder, openDeletionOf } from '../sort-keys.ts'
import { computed, defineKindOf } from './define-kind.ts'
import { moment, nullableMoment, nullableText, reference, tenantRow, times, word } from './fields.ts'

export const privacyRequests = defineKindOf<PrivacyRequest>()('privacyRequests', {
  idPrefix: 'prq',
  fields: {
    ...tenantRow,
    userId: reference('users'),
    type: word('plain'),
    status: word('plain'),
    reason: nullableText('user'),
    details: nullableText('user'),
    field: nullableText('user'),
    currentValue: nullableText('user'),
    requestedValue: nullableText('user'),
    notes: nullableText('user'),
    rejectionReason: nullableText('user'),
    dueAt: moment('plain'),
    processedAt: nullableMoment('plain'),
    completedAt: nullableMoment('plain'),
    ...times,
  },
  computed: {
    dueOrder: computed.text(dueOrder),
    openDeletion: computed.nullableText(openDeletionOf),
  },
  unique: { openDeletion: ['openDeletion'] },
  list: {
    filters: {
      status: { matches: 'status', index: 'status' },
      type: { matches: 'type', index: 'type' },
      userId: { matches: 'userId', index: 'user' },
    },
    orders: {
      due: { by: 'dueOrder', isDescending: false, index: 'due' },
      '-createdAt': { by: 'createdAt', isDescending: true, index: 'created' },
    },
  },
  // The deletion of a user keeps a request as a proof, without its words and under a pseudonym.
  erasure: { rows: 'kept', why: 'It proves that the tenant has answered, and holds no words of the person.' },
  quota: { rows: 100_000 },
  retention: 'permanent',
})
