import { defineKindOf } from './define-kind.ts'
import { nullableText, number, text, times } from './fields.ts'

export interface Identity {
  _id: string
  /** `normalizeEmail` of the e-mail, unique on this server. */
  email: string
  passwordHash: string
  /** Rises with every change of the password. A session of an earlier one has ended, except the one that changed it. */
  passwordGeneration: number
  passwordChangedBy: string | null
  createdAt: string
  updatedAt: string
}

export const identities = defineKindOf<Identity>()('identities', {
  idPrefix: 'idn',
  owner: 'server',
  writtenBy: 'system',
  reach: 'server',
  fields: {
    _id: text('id'),
    email: text('user'),
    passwordHash: text('secret'),
    passwordGeneration: number('internal'),
    passwordChangedBy: nullableText('internal'),
    ...times,
  },
  unique: { email: ['email'] },
  erasure: { rows: 'kept' },
  retention: 'permanent',
})
