import type { StoredCustomerNote } from '@crmkit/core'
import { computed, defineKindOf } from './define-kind.ts'
import { json, reference, tenantRow, text, times, word } from './fields.ts'

/** A note of the team about a customer. */
export const customerNotes = defineKindOf<StoredCustomerNote>()('customerNotes', {
  idPrefix: 'cno',
  fields: {
    ...tenantRow,
    customerId: reference('customers'),
    content: text('both'),
    contentType: word('plain'),
    author: json('both', { type: 'user', _id: 'usr_1', name: 'Ada' }),
    ...times,
  },
  computed: {
    authorUserId: computed.nullableText(({ author }: StoredCustomerNote) =>
      author.type === 'user' ? author._id : null,
    ),
  },
  owners: { customers: 'customerId' },
  list: {
    filters: {
      customerId: { matches: 'customerId', index: 'customer' },
      userId: { matches: 'authorUserId', index: 'author', onlySet: true },
    },
    orders: {
      '-createdAt': { by: 'createdAt', isDescending: true },
      createdAt: { by: 'createdAt', isDescending: false },
    },
    needsOneOf: ['customerId', 'userId'],
  },
  erasure: { rows: 'deleted' },
  quota: { rows: 10_000_000 },
  retention: 'permanent',
})
