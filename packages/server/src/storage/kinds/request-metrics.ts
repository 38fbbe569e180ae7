import { defineKindOf } from './define-kind.ts'
import { because, json, moment, number, tenantRow, text } from './fields.ts'

/** The outcomes and the response times of the requests of a tenant in one month. */
export interface RequestMetricsRecord {
  /** The month, so that each month has one row: `YYYY-MM`, UTC. */
  _id: string
  tenantId: string
  /** Requests that have ended, streams that have begun. */
  requests: number
  /** Of these, how many had a 2xx response. */
  successful: number
  /** Of these, how many had a 4xx or 5xx response. */
  failed: number
  /** Of these, how many were timed: streams and downloads are not. */
  timed: number
  /** The sum of the response times. */
  totalMs: number
  /** See `response-times.ts`. */
  buckets: Readonly<Record<string, number>>
  expiresAt: string
}

export const requestMetrics = defineKindOf<RequestMetricsRecord>()('requestMetrics', {
  idPrefix: null,
  writtenBy: 'system',
  fields: {
    ...tenantRow,
    _id: text('plain'),
    requests: number('plain'),
    successful: number('plain'),
    failed: number('plain'),
    timed: number('plain'),
    totalMs: number('plain'),
    buckets: because('counts of requests', json('plain', { 200: 3 })),
    expiresAt: moment('internal'),
  },
  erasure: { rows: 'kept' },
  retention: { endsAt: 'expiresAt' },
})
