import type { StoredApiKey } from '@crmkit/core'
import { defineKindOf } from './define-kind.ts'
import {
  because,
  flag,
  json,
  nullableMoment,
  nullableReference,
  reference,
  tenantRow,
  text,
  times,
} from './fields.ts'

export interface ApiKeyRecord extends StoredApiKey {
  /** SHA-256 (hex) of the key, unique on this server. */
  keyHash: string
}

export const apiKeys = defineKindOf<ApiKeyRecord>()('apiKeys', {
  idPrefix: 'key',
  fields: {
    ...tenantRow,
    name: because('it says the purpose of the key', text('plain')),
    environment: text('plain'),
    permissions: json('plain'),
    isActive: flag('plain'),
    keyPrefix: text('plain'),
    keyHint: text('plain'),
    keyHash: text('secret'),
    expiresAt: nullableMoment('plain'),
    rotationPolicy: json('plain'),
    rateLimit: json('plain'),
    ipWhitelist: json('plain'),
    createdBy: reference('users'),
    lastUsedAt: nullableMoment('plain'),
    revokedAt: nullableMoment('plain'),
    replacedBy: nullableReference('apiKeys'),
    ...times,
  },
  list: {
    filters: {
      environment: { matches: 'environment' },
      isActive: { matches: 'isActive', index: 'activity' },
      createdBy: { matches: 'createdBy', index: 'creator' },
    },
    orders: { '-createdAt': { by: 'createdAt', isDescending: true, index: 'created' } },
  },
  acrossTenants: { keyHashes: { columns: ['keyHash'], isUnique: true } },
  erasure: { rows: 'kept' },
  quota: { rows: 10_000 },
  retention: 'permanent',
})
