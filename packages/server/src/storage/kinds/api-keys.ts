import type { StoredApiKey } from '@crmkit/core'
import { defineKindOf } from './define-kind.ts'
import {
  because,
  flag,
  json,
  nullableMoment,
  nullableReference,
  nullableText,
  reference,
  tenantRow,
  text,
  times,
  word,
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
    displayName: because('a name that its team lets customers read', nullableText('plain')),
    environment: word('plain'),
    permissions: because('words of our own list of permissions', json('plain')),
    isActive: flag('plain'),
    keyPrefix: because('the first letters of a key, the same for all keys', text('plain')),
    keyHint: because('a few letters of a key', text('plain')),
    keyHash: text('secret'),
    expiresAt: nullableMoment('plain'),
    rotationPolicy: because('numbers that the service counts with', json('plain')),
    rateLimit: because('numbers that the service counts with', json('plain')),
    ipWhitelist: because('addresses of servers of an organization', json('plain')),
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
