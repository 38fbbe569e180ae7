import { defineKindOf } from './define-kind.ts'
import { because, moment, number, tenantRow, text } from './fields.ts'

/** How often one method and path was asked for in one month. */
export interface UsageRecord {
  /** A key over all fields that it counts by, so that every count has one row. */
  _id: string
  tenantId: string
  /** `YYYY-MM`, UTC. */
  month: string
  /** Empty: all requests of the tenant, whichever the credential. */
  apiKeyId: string
  method: string
  /** A path template, such as `/api/v1/customers/{id}`. */
  path: string
  requests: number
  expiresAt: string
}

export const usage = defineKindOf<UsageRecord>()('usage', {
  idPrefix: null,
  writtenBy: 'system',
  fields: {
    ...tenantRow,
    _id: text('internal'),
    month: because('a month', text('plain')),
    apiKeyId: text('id'),
    method: because('a method of HTTP', text('plain')),
    path: because('the path of an operation as it is declared', text('plain')),
    requests: number('plain'),
    expiresAt: moment('internal'),
  },
  lookups: { month: { columns: ['month', 'apiKeyId'] } },
  erasure: { rows: 'kept' },
  retention: { endsAt: 'expiresAt' },
})
