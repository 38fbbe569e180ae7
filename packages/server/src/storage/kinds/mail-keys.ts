import { defineKind } from './define-kind.ts'
import { sealed, tenantRow, text, times } from './fields.ts'

/** The id of the one row of a tenant. */
export const mailKeyId = 'mail'

/** The key of a tenant's signed addresses and Message-IDs: random, and sealed like every secret. */
export const mailKeys = defineKind('mailKeys', {
  idPrefix: null,
  fields: { ...tenantRow, sealed: sealed(text('secret')), ...times },
  erasure: { rows: 'kept' },
  quota: { unlimited: 'a tenant has one' },
  retention: 'permanent',
})
