import { defineKind } from './define-kind.ts'
import type { RowOf } from './fields.ts'
import { reference, tenantRow, text, times } from './fields.ts'

const fields = {
  ...tenantRow,
  /** `widgetPersonId`: two first sign-ins at once cannot both make the person. */
  _id: text('secret'),
  inboxId: reference('inboxes'),
  /** The tenant's own id of the person. */
  sub: text('customer'),
  /** The conversations of the person carry it. */
  visitorId: text('id'),
  customerId: reference('customers'),
  ...times,
}

/** Gives a person whom the tenant's own server signs in to one customer. */
export type WidgetPerson = RowOf<typeof fields>

export const widgetPersons = defineKind('widgetPersons', {
  idPrefix: null,
  fields,
  owners: { customers: 'customerId' },
  list: {
    filters: { customerId: { matches: 'customerId', index: 'customer' } },
    orders: { createdAt: { by: 'createdAt', isDescending: false } },
    needsOneOf: ['customerId'],
  },
  erasure: { rows: 'deleted' },
  quota: { unlimited: 'each is a person of a customer, signed by the tenant, and customers are limited' },
  retention: 'permanent',
})
