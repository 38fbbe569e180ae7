import { sessionOverAt } from '../sort-keys.ts'
import { computed, defineKindOf } from './define-kind.ts'
import { moment, nullableMoment, number, optional, reference, tenantRow, text, times } from './fields.ts'

export interface Session {
  _id: string
  tenantId: string
  userId: string
  identityId: string
  /** The identity's when the session began. */
  passwordGeneration: number
  /** The user's `sessionGeneration` when the session began. */
  userGeneration: number
  /** SHA-256 (hex) of the refresh token that is current. */
  refreshHash: string
  /** When the current token replaced the one before. */
  rotatedAt: string
  endedAt: string | null
  expiresAt: string
  /** Since when the person does not work with it; null or absent while they do. */
  idleSince?: string | null
  createdAt: string
  updatedAt: string
}

export const sessions = defineKindOf<Session>()('sessions', {
  idPrefix: 'ses',
  scope: 'server',
  fields: {
    ...tenantRow,
    userId: reference('users'),
    identityId: reference('identities'),
    passwordGeneration: number('internal'),
    userGeneration: number('internal'),
    refreshHash: text('secret'),
    rotatedAt: moment('user'),
    endedAt: nullableMoment('user'),
    expiresAt: moment('plain'),
    idleSince: optional(nullableMoment('user')),
    ...times,
  },
  computed: { overAt: computed.text(sessionOverAt) },
  list: {
    filters: { userId: { matches: 'userId', index: 'user' } },
    orders: { '-createdAt': { by: 'createdAt', isDescending: true } },
    needsOneOf: ['userId'],
  },
  erasure: { rows: 'kept' },
  quota: { unlimited: 'sign-ins go on for a tenant at its limits, and sessions end by themselves' },
  retention: { endsAt: 'overAt' },
})
