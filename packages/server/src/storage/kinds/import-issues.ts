import type { ImportIssue } from '@crmkit/core'
import { defineKindOf } from './define-kind.ts'
import {
  because,
  json,
  moment,
  nullableReference,
  nullableText,
  number,
  optional,
  tenantRow,
  text,
  word,
} from './fields.ts'

/** Rows of earlier versions have no `column`, `value`, `count` and `details`. */
type Added = 'column' | 'value' | 'count' | 'details'

export interface ImportIssueRecord extends Omit<ImportIssue, Added>, Partial<Pick<ImportIssue, Added>> {
  tenantId: string
  /** The customer whom it is about, as far as there is one. */
  customerId: string | null
  expiresAt: string
}

export const importIssues = defineKindOf<ImportIssueRecord>()('importIssues', {
  idPrefix: 'imi',
  fields: {
    ...tenantRow,
    runId: text('id'),
    severity: word('plain'),
    module: because('a name of a module of the source', text('plain')),
    externalId: nullableText('customer'),
    row: because('the number of a row', json('plain', 7)),
    code: because('a code of the service', text('plain')),
    message: because('a sentence of the service without a value of the row', text('plain')),
    column: optional(because('the head of a column of a whole export', nullableText('plain'))),
    value: optional(nullableText('customer')),
    count: optional(number('plain')),
    details: optional(json('id', { candidates: ['cus_1'] })),
    customerId: nullableReference('customers'),
    createdAt: moment('plain'),
    expiresAt: moment('internal'),
  },
  owners: { customers: 'customerId' },
  lookups: { customer: { columns: ['customerId'], onlySet: true } },
  list: {
    filters: {
      runId: { matches: 'runId', index: 'run' },
      severity: { matches: 'severity', index: 'severity' },
      code: { matches: 'code', index: 'code' },
    },
    orders: { createdAt: { by: 'createdAt', isDescending: false } },
    needsOneOf: ['runId'],
  },
  erasure: { rows: 'deleted' },
  quota: { unlimited: 'a run stores at most 10,000, and they are removed after 90 days' },
  retention: { endsAt: 'expiresAt' },
})
