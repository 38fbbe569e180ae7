import type { SuppressedAddress } from '@crmkit/core'
import { defineKindOf } from './define-kind.ts'
import { because, nullableReference, nullableText, tenantRow, text, times } from './fields.ts'

export const suppressedAddresses = defineKindOf<SuppressedAddress>()('suppressedAddresses', {
  idPrefix: 'sup',
  fields: {
    ...tenantRow,
    address: text('customer'),
    status: because('a status of the answering mail server', text('plain')),
    text: nullableText('customer'),
    messageId: nullableReference('messages'),
    customerId: nullableReference('customers'),
    ...times,
  },
  owners: { customers: 'customerId' },
  // One hard bounce is enough: reports of several mails suppress an address once.
  unique: { address: ['address'] },
  list: {
    filters: {
      address: { matches: 'address', index: 'mailbox' },
      customerId: { matches: 'customerId', index: 'customer', onlySet: true },
    },
    orders: { '-createdAt': { by: 'createdAt', isDescending: true, index: 'created' } },
  },
  erasure: { rows: 'deleted' },
  quota: { unlimited: 'only a report about a mail of the tenant adds one, for a recipient of that mail' },
  retention: 'permanent',
})
