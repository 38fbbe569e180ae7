import type { Customer } from '@crmkit/core'
import { foldLabel, normalizeEmail } from '@crmkit/core/vocabulary'
import { companyLabel } from '../company-label.ts'
import { externalIdLabel } from '../external-ids.ts'
import { customerSearchText } from '../search-text.ts'
import { changedAt, lastNameKey, phoneTail } from '../sort-keys.ts'
import { computed, defineKindOf } from './define-kind.ts'
import {
  flag,
  json,
  moment,
  nullableMoment,
  nullableText,
  optional,
  orElse,
  tenantRow,
  text,
  times,
} from './fields.ts'

export interface CustomerRecord extends Omit<Customer, 'blockedAt' | 'lastContactAt'> {
  /** Rows of earlier versions do not have it. */
  blockedAt?: string | null
  /** Absent: an earlier version wrote the row, and the upgrade has not come to it. */
  lastContactAt?: string | null
  /** External ids that an undone import had given: an erasure leaves tombstones for them too. */
  formerExternalIds?: string[]
  /** Customers that were merged into this one; absent when none was. */
  mergedFrom?: string[]
  /** The e-mail that a visitor of a chat widget typed: while it is the customer's, it finds no customer for a sign-in. */
  typedEmail?: string | null
  /** The anonymous visitor whose first message made the customer. */
  visitorId?: string
  /** When an import wrote the row, whose `updatedAt` is then the time of the source; absent for rows made here. */
  importedAt?: string
  /** When `profile.email` became the customer's; absent where they have had it from the beginning. */
  emailSince?: string
  /** Set with the first row of `customerAddresses`: without it a read of the customer needs no look at those. */
  hasMoreAddresses?: boolean
  /** The merge whose rows a task moves back at this moment, of both customers; null or absent while there is none. */
  unmerging?: string | null
  /** When a merge into another customer was taken back: the version of the row began anew. */
  returnedAt?: string
}

/** None in a row of an earlier version: it has no such label until the upgrade writes `lastContactAt`. */
function companyLabels({ profile: { company }, lastContactAt }: CustomerRecord): string[] {
  return company === null || lastContactAt === undefined ? [] : [companyLabel(company)]
}

export const customers = defineKindOf<CustomerRecord>()('customers', {
  idPrefix: 'cus',
  fields: {
    ...tenantRow,
    profile: json('customer'),
    jobTitle: nullableText('customer'),
    tier: text('customer'),
    status: text('customer'),
    tags: orElse(() => [], json('customer')),
    customFields: orElse(() => ({}), json('customer')),
    externalIds: orElse(() => [], json('customer', ['shop:4711'])),
    formerExternalIds: optional(json('customer', ['file:4711'])),
    blockedAt: optional(nullableMoment('plain')),
    lastContactAt: optional(nullableMoment('plain')),
    mergedFrom: optional(json('id')),
    typedEmail: optional(nullableText('customer')),
    visitorId: optional(text('id')),
    importedAt: optional(moment('plain')),
    emailSince: optional(moment('plain')),
    hasMoreAddresses: optional(flag('plain')),
    unmerging: optional(nullableText('id')),
    returnedAt: optional(moment('plain')),
    ...times,
  },
  computed: {
    lastNameKey: computed.text(({ profile }: CustomerRecord) => lastNameKey(profile.lastName)),
    emailNormalized: computed.nullableText(({ profile }: CustomerRecord) =>
      profile.email === null ? null : normalizeEmail(profile.email),
    ),
    phoneTail: computed.nullableText(({ profile }: CustomerRecord) => phoneTail(profile.phone)),
    changedAt: computed.text(changedAt),
    /** Before all times where they have never written. */
    lastContact: computed.text(({ lastContactAt }: CustomerRecord) => lastContactAt ?? ''),
  },
  list: {
    filters: {
      ids: { ids: true },
      search: { searches: true },
      email: { matches: 'emailNormalized', index: 'email', onlySet: true },
      tier: { matches: 'tier', alsoHolds: ['status'] },
      status: { matches: 'status', alsoHolds: ['tier'] },
      tags: { labels: 'all', index: 'tag' },
      updatedSince: { since: 'changedAt' },
      lastContactSince: { since: 'lastContact' },
      lastContactUntil: { until: 'lastContact' },
    },
    orders: {
      '-createdAt': { by: 'createdAt', isDescending: true, index: 'created' },
      createdAt: { by: 'createdAt', isDescending: false, index: 'created' },
      '-updatedAt': { by: 'updatedAt', isDescending: true, index: 'updated' },
      updatedAt: { by: 'updatedAt', isDescending: false, index: 'updated' },
      lastName: { by: 'lastNameKey', isDescending: false, index: 'lastName' },
      '-lastContactAt': { by: 'lastContact', isDescending: true, index: 'lastContact' },
      lastContactAt: { by: 'lastContact', isDescending: false, index: 'lastContact' },
    },
  },
  // An import compares whole numbers; their ends are how it finds them, however they are written.
  lookups: { phone: { columns: ['phoneTail'], onlySet: true }, changed: { columns: ['changedAt'] } },
  // External ids and the company are further labels, so that a list finds them in every order and beside every other filter.
  labels: (row) => [
    ...row.tags.map(foldLabel),
    ...row.externalIds.map(externalIdLabel),
    ...companyLabels(row),
  ],
  searchText: customerSearchText,
  externalIds: ({ externalIds = [], formerExternalIds = [] }) => [...externalIds, ...formerExternalIds],
  erasure: { rows: 'deleted', task: 'eraseCustomer' },
  quota: { rows: 5_000_000 },
  retention: 'permanent',
})
