import { defineKindOf } from './define-kind.ts'
import { json, moment, nullableReference, number, optional, tenantRow, text, word } from './fields.ts'
import type { ImportLinkRecord } from './import-links.ts'

/** How a link to the row was before the run. */
export interface LinkBefore {
  _id: string
  /** Null: the run made the link, to a row that existed. */
  before:
    | (Pick<
        ImportLinkRecord,
        'payloadHash' | 'externalModifiedAt' | 'importedValues' | 'deletedAt' | 'lastRunId'
      > & {
        /** Absent in rows of earlier versions, which changed no module. */
        module?: string
      })
    | null
  /** Whether nobody had changed the row since that last run. */
  isUnchangedSince: boolean
}

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
  /** The version before the run; absent in rows of earlier versions, like `links`. */
  versionBefore?: number
  links?: readonly LinkBefore[]
  createdAt: string
  expiresAt: string
}

/** A row for tests. */
const sampleLink: LinkBefore = {
  _id: 'a digest',
  before: {
    payloadHash: 'a digest of the record',
    externalModifiedAt: '2026-01-01T00:00:00.000Z',
    importedValues: { 'profile.firstName': 'Ada' },
    deletedAt: null,
    lastRunId: 'imp_1',
  },
  isUnchangedSince: true,
}

export const importUndo = defineKindOf<ImportUndoRecord>()('importUndo', {
  idPrefix: null,
  fields: {
    ...tenantRow,
    _id: text('secret'),
    runId: text('id'),
    entityKind: word('plain'),
    entityId: text('id'),
    customerId: nullableReference('customers'),
    conversationId: nullableReference('conversations'),
    before: json('customer', { jobTitle: 'Analyst' }),
    rowVersion: number('internal'),
    versionBefore: optional(number('internal')),
    links: optional(json('customer', [sampleLink])),
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
