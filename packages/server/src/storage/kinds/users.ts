import type { AvailabilityMode, StoredAvailability, User } from '@crmkit/core'
import { defineKindOf } from './define-kind.ts'
import {
  because,
  flag,
  json,
  nullableMoment,
  nullableText,
  number,
  optional,
  reference,
  sealed,
  tenantRow,
  text,
  times,
} from './fields.ts'

export interface UserRecord
  extends Omit<User, 'availabilityMode' | 'availabilitySince' | 'availabilityUntil' | 'inviteExpiresAt'>,
    StoredAvailability {
  /** The mode in rows from before `availabilityMode`; it says nothing beside one. */
  availability: User['availability']
  /** Empty until the invitation is accepted. */
  identityId: string
  /** The invitation that can be accepted, by the SHA-256 (hex) of its token; none once it was. */
  invite?: { tokenHash: string; expiresAt: string; mailedAt?: string[]; invitedBy?: string } | null
  /** `normalizeEmail`, unique in the tenant. */
  emailNormalized: string
  /** Rises when the user is deactivated. A session of an earlier one has ended, also when they are active again. */
  sessionGeneration: number
  /** Digests in JSON, sealed: a guess of an address could be compared with an open one. Absent until the first. */
  imageSenders?: string
}

export const users = defineKindOf<UserRecord>()('users', {
  idPrefix: 'usr',
  fields: {
    ...tenantRow,
    email: text('user'),
    emailNormalized: text('user'),
    firstName: nullableText('user'),
    lastName: nullableText('user'),
    role: because('it says what the user may do', text('plain')),
    isActive: flag('plain'),
    availability: text('user'),
    availabilityMode: optional(nullableText<AvailabilityMode>('user')),
    availabilitySetAt: optional(nullableMoment('user')),
    availabilityUntil: optional(nullableMoment('user')),
    streamSeenAt: optional(nullableMoment('user')),
    idleSince: optional(nullableMoment('user')),
    onlineSince: optional(nullableMoment('user')),
    processingRestricted: flag('user'),
    identityId: reference('identities'),
    invite: optional(json('secret')),
    sessionGeneration: number('internal'),
    imageSenders: optional(sealed(text('secret'))),
    ...times,
  },
  unique: { emailNormalized: ['emailNormalized'] },
  list: { orders: { '-createdAt': { by: 'createdAt', isDescending: true, index: 'created' } } },
  lookups: { role: { columns: ['role', 'isActive'] } },
  acrossTenants: { memberships: { columns: ['identityId', 'createdAt'] } },
  // A pseudonym takes the place of the user in rows that stay.
  erasure: { rows: 'deleted', task: 'eraseUser' },
  quota: { rows: 10_000 },
  retention: 'permanent',
})
