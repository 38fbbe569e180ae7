import { defineKindOf } from './define-kind.ts'
import { because, moment, number, reference, tenantRow, text } from './fields.ts'

/** A file of a package, whose bytes are those of an attachment. */
export interface PackageFileRecord {
  /** Digest of the integration, of the time of its package, and of the path. */
  _id: string
  tenantId: string
  integrationId: string
  path: string
  attachmentId: string
  size: number
  /** Hex. */
  sha256: string
  createdAt: string
  /** The bytes are removed then, unless a message has them. */
  expiresAt: string
}

export const packageFiles = defineKindOf<PackageFileRecord>()('packageFiles', {
  idPrefix: null,
  fields: {
    ...tenantRow,
    _id: text('secret'),
    integrationId: reference('integrations'),
    path: because('a kind and a number, or a digest', text('plain')),
    attachmentId: text('id'),
    size: number('plain'),
    sha256: text('secret'),
    createdAt: moment('plain'),
    expiresAt: moment('internal'),
  },
  list: {
    filters: { integrationId: { matches: 'integrationId', index: 'integration' } },
    orders: { createdAt: { by: 'createdAt', isDescending: false } },
    needsOneOf: ['integrationId'],
  },
  erasure: {
    rows: 'kept',
    why: 'Paths and digests; the bytes of a package are removed 7 days after the last run.',
  },
  quota: { unlimited: 'each has an attachment, whose number and bytes are limited' },
  retention: { endsAt: 'expiresAt' },
})
