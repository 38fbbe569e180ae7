import type { ImportSettingsBody, Integration, MailProvider } from '@crmkit/core'
import { defineKindOf } from './define-kind.ts'
import {
  because,
  json,
  moment,
  nullableReference,
  nullableText,
  optional,
  reference,
  sealed,
  tenantRow,
  text,
  times,
  word,
} from './fields.ts'

/** A person's sign-in at an external CRM or at the provider of a mailbox, from its start to its confirmation. */
export interface SourceSignIn {
  _id: string
  tenantId: string
  userId: string
  provider: Exclude<Integration['provider'], 'file' | 'package'> | MailProvider
  /** SHA-256 (hex) of the state, unique on this server. */
  stateHash: string
  redirectUri: string
  /** Inbox of the mailbox; absent for an external CRM. */
  inboxId?: string | null
  /** A shared mailbox; null: the person's own. */
  mailbox?: string | null
  /** Name of the new integration; null: the default. */
  name: string | null
  importSettings: NonNullable<ImportSettingsBody> | null
  /** AES-256-GCM of the code, bound to tenant and id; null until the person has granted access. */
  sealedCode: string | null
  /** Origin of the token endpoint that takes the code; null like the code. */
  accountsServer: string | null
  expiresAt: string
  createdAt: string
  updatedAt: string
}

export const sourceSignIns = defineKindOf<SourceSignIn>()('sourceSignIns', {
  idPrefix: 'ssi',
  fields: {
    ...tenantRow,
    userId: reference('users'),
    provider: word('plain'),
    stateHash: text('secret'),
    redirectUri: because('an address of this service', text('internal')),
    inboxId: optional(nullableReference('inboxes')),
    mailbox: because('the address of a team', optional(nullableText('plain'))),
    name: because('it says the purpose of the integration', nullableText('plain')),
    importSettings: because('switches of an organization', json('plain', { importDeals: false })),
    sealedCode: sealed(nullableText('secret')),
    accountsServer: because('an address of a server', nullableText('internal')),
    expiresAt: moment('plain'),
    ...times,
  },
  list: {
    filters: { userId: { matches: 'userId', index: 'user' } },
    orders: { '-createdAt': { by: 'createdAt', isDescending: true } },
    needsOneOf: ['userId'],
  },
  acrossTenants: { signInStates: { columns: ['stateHash'], isUnique: true } },
  erasure: { rows: 'kept' },
  quota: { unlimited: 'a person starts few in an hour, and each ends after ten minutes' },
  retention: { endsAt: 'expiresAt' },
})
