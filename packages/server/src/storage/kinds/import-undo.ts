import { defineKindOf } from './define-kind.ts'
import { json, moment, nullableReference, number, tenantRow, text } from './fields.ts'

/** The values that a run replaced in one row, for its undo. */
export interface ImportUndoRecord {
  /** `{runId} {entityKind} {entityId}`, digested. */
  _id: string
  tenantId: string
  runId: string
  entityKind: 'customers' | 'conversations' | 'messages' | 'calls'
  entityId: string
  customerId: string | null
  conversationId: string | null
  /** The fields as they were before the run, at the top level of the row. */
  before: Record<string, unknown>
  /** The version that the run's last write gave the row. */
  rowVersion: number
  createdAt: string
  expiresAt: string
}

export const importUndo = defineKindOf<ImportUndoRecord>()('importUndo', {
  idPrefix: null,
  fields: {
    ...tenantRow,
    _id: text('secret'),
    runId: text('id'),
    entityKind: text('plain'),
    entityId: text('id'),
    customerId: nullableReference('customers'),
    conversationId: nullableReference('conversations'),
    before: json('customer', { jobTitle: 'Analyst' }),
    rowVersion: number('internal'),
    createdAt: moment('plain'),
    expiresAt: moment('internal'),
  },
  owners: { customers: 'customerId', conversations: 'conversationId' },
  lookups: {
    customer: { columns: ['customerId'], onlySet: true },
    conversation: { columns: ['conversationId'], onlySet: true },
  },
  list: {
    filters: { runId: { matches: 'runId', index: 'run' } },
    orders: { createdAt: { by: 'createdAt', isDescending: false } },
    needsOneOf: ['runId'],
  },
  erasure: { rows: 'deleted' },
  quota: { unlimited: 'each is about a row that is limited by its own quota, and is removed after 30 days' },
  retention: { endsAt: 'expiresAt' },
})
