import { defineKind } from './define-kind.ts'
import { type RowOf, reference, tenantRow, text, times } from './fields.ts'

const fields = {
  ...tenantRow,
  /** `addressUseId`: two mails at once cannot both make the row. */
  _id: text('secret'),
  conversationId: reference('conversations'),
  address: text('customer'),
  ...times,
}

/** Says that mails of a conversation name an address, so that its erasure finds them. */
export type AddressUse = RowOf<typeof fields>

export const addressUses = defineKind('addressUses', {
  idPrefix: null,
  fields,
  owners: { conversations: 'conversationId' },
  list: {
    filters: { address: { matches: 'address', index: 'mailbox' } },
    orders: { createdAt: { by: 'createdAt', isDescending: false } },
    needsOneOf: ['address'],
  },
  lookups: { conversation: { columns: ['conversationId'] } },
  erasure: { rows: 'deleted' },
  quota: { unlimited: 'each is an address of a mail, whose message is limited' },
  retention: 'permanent',
})
