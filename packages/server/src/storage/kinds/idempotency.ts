import { defineKindOf } from './define-kind.ts'
import { json, moment, nullableText, number, tenantRow, text } from './fields.ts'

export interface IdempotencyRecord {
  /** Hash over credential, path and key; unique in the tenant. */
  _id: string
  tenantId: string
  /** Hash over the parsed body: the same key with another body is refused. */
  bodyHash: string
  status: number
  /** JSON of the reply; null when it held a one-time secret. */
  reply: string | null
  /** Id of what the request made, when the reply itself is not kept. */
  resourceId: string | null
  /** Ids of the rows that the reply is about, so that an erasure finds it. */
  subjects: string[]
  createdAt: string
  expiresAt: string
}

export const idempotency = defineKindOf<IdempotencyRecord>()('idempotency', {
  idPrefix: null,
  fields: {
    ...tenantRow,
    _id: text('secret'),
    bodyHash: text('secret'),
    status: number('internal'),
    reply: nullableText('both'),
    resourceId: nullableText('id'),
    subjects: json('id'),
    createdAt: moment('internal'),
    expiresAt: moment('internal'),
  },
  subjects: ({ subjects }) => subjects,
  erasure: { rows: 'deleted' },
  quota: { unlimited: 'they are removed after a day' },
  retention: { endsAt: 'expiresAt' },
})
