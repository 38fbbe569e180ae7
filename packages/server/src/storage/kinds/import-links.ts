import { computed, defineKindOf } from './define-kind.ts'
import {
  because,
  json,
  nullableMoment,
  nullableReference,
  nullableText,
  number,
  optional,
  tenantRow,
  text,
  times,
  word,
} from './fields.ts'

export type LinkedKind =
  | 'customers'
  | 'conversations'
  | 'messages'
  | 'calls'
  | 'inboxes'
  | 'suppressedAddresses'

/** Ties a record of a source to the row that it became or joined. */
export interface ImportLinkRecord {
  /** `externalLinkId` of the external id. */
  _id: string
  tenantId: string
  /** `{provider}:{accountId}:{module}:{id}`. */
  externalId: string
  module: string
  entityKind: LinkedKind
  entityId: string
  /** Owners, for erasures. */
  customerId: string | null
  conversationId: string | null
  /** Digest of the record as it was imported last. */
  payloadHash: string
  externalModifiedAt: string | null
  /** The values that the source had at the last import, by the path of the field here. */
  importedValues: Record<string, unknown>
  deletedAt: string | null
  /** Of a conversation: the message that its description became; absent without one, and in rows of earlier versions. */
  descriptionId?: string
  /** The run that made the row; null for a row that existed. */
  madeBy: string | null
  /** The run that wrote the row last, and the version that it got. */
  lastRunId: string
  rowVersion: number
  createdAt: string
  updatedAt: string
}

export const importLinks = defineKindOf<ImportLinkRecord>()('importLinks', {
  idPrefix: null,
  fields: {
    ...tenantRow,
    _id: text('secret'),
    externalId: text('customer'),
    module: because('a name of a module of the source', text('plain')),
    entityKind: word('plain'),
    entityId: text('id'),
    customerId: nullableReference('customers'),
    conversationId: nullableReference('conversations'),
    payloadHash: text('secret'),
    externalModifiedAt: nullableMoment('plain'),
    importedValues: json('customer', { 'profile.firstName': 'Ada' }),
    deletedAt: nullableMoment('plain'),
    descriptionId: optional(text('id')),
    madeBy: nullableText('id'),
    lastRunId: text('id'),
    rowVersion: number('internal'),
    ...times,
  },
  owners: { customers: 'customerId', conversations: 'conversationId' },
  computed: {
    /** The rows that a run made, by their kind: an undo removes them. */
    madeRows: computed.nullableText(({ madeBy, entityKind }: ImportLinkRecord) =>
      madeBy === null ? null : `${madeBy} ${entityKind}`,
    ),
  },
  list: {
    filters: {
      madeRows: { matches: 'madeRows', index: 'made', onlySet: true },
      customerId: { matches: 'customerId', index: 'customer', onlySet: true },
    },
    orders: { createdAt: { by: 'createdAt', isDescending: false } },
    needsOneOf: ['madeRows', 'customerId'],
  },
  lookups: {
    conversation: { columns: ['conversationId'], onlySet: true },
  },
  erasure: { rows: 'deleted' },
  quota: { unlimited: 'each ties a row that is limited by its own quota' },
  retention: 'permanent',
})
