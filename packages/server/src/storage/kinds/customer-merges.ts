import type { CustomerAddressRecord } from './customer-addresses.ts'
import type { CustomerRecord } from './customers.ts'
import { computed, defineKindOf } from './define-kind.ts'
import {
  flag,
  json,
  moment,
  nullableText,
  optional,
  reference,
  tenantRow,
  text,
  times,
  word,
} from './fields.ts'

/** A row that a merge moved from the source to the target. */
export interface MovedRow {
  kind:
    | 'widgetPersons'
    | 'widgetSessions'
    | 'importLinks'
    | 'externalLinks'
    | 'customerMerges'
    | 'conversations'
    | 'calls'
    | 'customerNotes'
    | 'views'
  id: string
}

/** The fields of a target that a merge fills. */
export type MergedFields = Pick<
  CustomerRecord,
  | 'profile'
  | 'jobTitle'
  | 'tags'
  | 'customFields'
  | 'externalIds'
  | 'formerExternalIds'
  | 'emailSince'
  | 'typedEmail'
  | 'lastContactAt'
> &
  Partial<Pick<CustomerRecord, 'tier'>>

export type KeptAddress = Pick<CustomerAddressRecord, 'address' | 'since' | 'until' | 'source' | 'madeBy'>

/** Both customers as they were, so that the merge can be taken back. */
export interface KeptCustomers {
  source: CustomerRecord
  /** The target before the merge, and as the merge left it. */
  before: MergedFields
  after: MergedFields
  /**
   * The addresses and phone numbers beside those of the profile, of the source, and of the target before and after. `own` and
   * `ownPhone` are those of the target's profile before, `sourcePhone` is that of the source's.
   */
  addresses: {
    own: string | null
    ownPhone: string | null
    sourcePhone: string | null
    source: readonly KeptAddress[]
    before: readonly KeptAddress[]
    after: readonly KeptAddress[]
  }
}

/** The user or key who merged two customers. */
export interface Merger {
  type: 'user' | 'apiKey'
  _id: string
}

/** A merge of two customers: one row for the merge itself, and one for each page of rows that it moved. */
export interface CustomerMergeRecord {
  _id: string
  tenantId: string
  /** The customer who holds what was merged: the target, or the one into whom the target was merged since. */
  customerId: string
  sourceId: string
  targetId: string
  /** The row of the merge itself; of that row its own id. */
  mergeId: string
  /** The task that moves the rows. */
  taskId: string
  /** `page`: only rows that were moved. `returning`: a task moves them back. `returned`: the merge was taken back. */
  state: 'merged' | 'returning' | 'returned' | 'page'
  /** Null in a page, and once the merge was taken back. */
  kept: KeptCustomers | null
  moved: readonly MovedRow[]
  /** Absent: an earlier version merged, or the run of an import. */
  mergedBy?: Merger
  /** The run that merged them because they are one at its source; null once its undo has left the merge as it is. */
  runId?: string | null
  /** Whether that run had made the source, and nobody had changed it since. */
  isOfRun?: boolean
  createdAt: string
  updatedAt: string
  expiresAt: string
}

/** Values for tests. */
const sampleFields: MergedFields = {
  profile: { firstName: 'Ada', lastName: null, email: null, phone: null, company: null },
  jobTitle: 'Analyst',
  tags: ['vip'],
  customFields: {},
  externalIds: [],
}
const sampleKept: KeptCustomers = {
  source: {
    _id: 'cus_1',
    tenantId: 'ten_1',
    ...sampleFields,
    tier: 'bronze',
    status: 'active',
    createdAt: '2026-01-01T00:00:00.000Z',
    updatedAt: '2026-01-01T00:00:00.000Z',
  },
  before: sampleFields,
  after: sampleFields,
  addresses: {
    own: 'ada@example.com',
    ownPhone: '+4930123456',
    sourcePhone: null,
    source: [],
    before: [],
    after: [],
  },
}

export const customerMerges = defineKindOf<CustomerMergeRecord>()('customerMerges', {
  idPrefix: 'mrg',
  fields: {
    ...tenantRow,
    customerId: reference('customers'),
    sourceId: text('id'),
    targetId: text('id'),
    mergeId: text('id'),
    taskId: text('id'),
    state: word('plain'),
    kept: json('customer', sampleKept),
    moved: json('id', [{ kind: 'calls', id: 'cal_1' }]),
    mergedBy: optional(json<Merger>('id', { type: 'user', _id: 'usr_1' })),
    runId: optional(nullableText('id')),
    isOfRun: optional(flag('internal')),
    ...times,
    expiresAt: moment('internal'),
  },
  computed: {
    mergedSource: computed.nullableText(({ state, sourceId }: CustomerMergeRecord) =>
      state === 'page' ? null : sourceId,
    ),
    pageOf: computed.nullableText(({ state, mergeId }: CustomerMergeRecord) =>
      state === 'page' ? mergeId : null,
    ),
    undoneWith: computed.nullableText(({ state, runId = null }: CustomerMergeRecord) =>
      state === 'merged' || state === 'returning' ? runId : null,
    ),
  },
  // An erasure of the person who has both deletes it, and takes what it keeps of either one along.
  owners: { customers: 'customerId' },
  list: {
    filters: {
      customerId: { matches: 'customerId', index: 'customer' },
      mergedSource: { matches: 'mergedSource', index: 'source', onlySet: true },
      pageOf: { matches: 'pageOf', index: 'page', onlySet: true },
      undoneWith: { matches: 'undoneWith', index: 'run', onlySet: true },
    },
    orders: {
      createdAt: { by: 'createdAt', isDescending: false },
      '-createdAt': { by: 'createdAt', isDescending: true },
    },
    needsOneOf: ['customerId', 'mergedSource', 'pageOf', 'undoneWith'],
  },
  erasure: { rows: 'deleted' },
  quota: { unlimited: 'each merges a customer, and customers are limited; it is removed after 31 days' },
  retention: { endsAt: 'expiresAt' },
})
