import { computed, defineKindOf } from './define-kind.ts'
import { because, flag, json, nullableText, number, optional, text, times } from './fields.ts'

/** One e-mail with one password. An e-mail can have several identities, each with memberships of its own. */
export interface Identity {
  _id: string
  /** `normalizeEmail` of the e-mail. */
  email: string
  /** All identities of an e-mail share one salt, so that one hash is compared with all of them. */
  passwordHash: string
  /** Rises with every change of the password. A session of an earlier one has ended, except the one that changed it. */
  passwordGeneration: number
  passwordChangedBy: string | null
  /** Whether it was made beside another identity of the e-mail. Absent in rows of earlier versions, which are not. */
  isSeparate?: boolean
  /** Only on the oldest identity of the e-mail; absent before the first request for a new password. */
  passwordReset?: PasswordReset | null
  createdAt: string
  updatedAt: string
}

/** The latest request for a new password of an e-mail. */
export interface PasswordReset {
  /** SHA-256 (hex) of the token; null once it was used. */
  tokenHash: string | null
  expiresAt: string
  /** The identities whose password it sets. */
  identityIds: string[]
  /**
   * The password generation of each of them at the request: a password that was changed since is not set by the link.
   * Absent in rows of earlier versions.
   */
  generations?: number[]
  /** The times of the mails within the last hour. */
  sentAt: string[]
}

/** How many identities of an e-mail a sign-in tries that names no tenant. */
export const identitiesPerEmail = 4

export const identities = defineKindOf<Identity>()('identities', {
  idPrefix: 'idn',
  owner: 'server',
  writtenBy: 'system',
  scope: 'server',
  fields: {
    _id: text('id'),
    email: text('user'),
    passwordHash: text('secret'),
    passwordGeneration: number('internal'),
    passwordChangedBy: because('an id of a session', nullableText('internal')),
    isSeparate: optional(flag('internal')),
    passwordReset: optional(json('secret')),
    ...times,
  },
  computed: {
    /** Of two acceptances for a new e-mail the second one conflicts, and runs again. */
    firstOfEmail: computed.nullableText(({ email, isSeparate }: Identity) => (isSeparate ? null : email)),
  },
  unique: { firstOfEmail: ['firstOfEmail'] },
  lookups: { email: { columns: ['email', 'createdAt'] } },
  erasure: { rows: 'kept' },
  retention: 'permanent',
})
