import { defineKind } from './define-kind.ts'
import { moment, number, tenantRow, text, times } from './fields.ts'

/** Recipients of mail of a tenant in one period, such as the relay's on one day: its id names both. */
export const outboundCounts = defineKind('outboundCounts', {
  idPrefix: null,
  fields: {
    ...tenantRow,
    _id: text('id'),
    recipients: number('internal'),
    endsAt: moment('internal'),
    ...times,
  },
  erasure: { rows: 'kept' },
  quota: {
    unlimited: 'a tenant has two a day, and one for each minute in which an inbox sends by its own server',
  },
  retention: { endsAt: 'endsAt' },
})
