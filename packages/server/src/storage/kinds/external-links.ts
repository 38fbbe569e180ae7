import { defineKindOf } from './define-kind.ts'
import { moment, reference, tenantRow, text } from './fields.ts'

/** Gives an id of another system to one customer: its own id is derived, so two commits at once cannot both make it. */
export interface ExternalLinkRecord {
  /** `externalLinkId` of the id in the other system. */
  _id: string
  tenantId: string
  customerId: string
  createdAt: string
}

export const externalLinks = defineKindOf<ExternalLinkRecord>()('externalLinks', {
  idPrefix: null,
  fields: {
    ...tenantRow,
    _id: text('secret'),
    customerId: reference('customers'),
    createdAt: moment('plain'),
  },
  owners: { customers: 'customerId' },
  lookups: { customer: { columns: ['customerId'] } },
  erasure: { rows: 'deleted' },
  quota: { unlimited: 'each is an external id of a customer, and customers are limited' },
  retention: 'permanent',
})
