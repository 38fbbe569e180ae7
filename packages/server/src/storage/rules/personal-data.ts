import type { TransferKind, TransferRecords } from '../../ports/storage-transfer.ts'
import type { ErasedKind, OwnedKind } from './erased.ts'

/*
 * Where personal data lives: every field of every kind of row that is kept. The compiler asks for a new kind and for a
 * new field; a test writes a mark into every field that tells something of a customer, erases them, and looks
 * for the marks in the database's own files. Exports show what this map says.
 */

/**
 * What a field tells, and of whom.
 * - `customer`, `user`, `both`: something of a person. It goes into the person's export, and with their erasure.
 * - `id`: who a row is about or who did something, as an id that tells nothing by itself. It may outlive the person.
 * - `secret`: a hash, a key, something sealed. In no export.
 * - `inner`: how the service works with the row. In no export, and nothing of a person.
 * - `plain`: anything else that tells nothing of a person by itself. In an export as part of its row.
 */
type FieldMeaning = 'customer' | 'user' | 'both' | 'id' | 'secret' | 'inner' | 'plain'

type FieldsOf<K extends TransferKind> = { readonly [F in keyof TransferRecords[K]]-?: FieldMeaning }

/**
 * What an erasure does with rows of a kind.
 * - `goes`: the row is removed with its subject, or with its owner (`owners` in `erased.ts`).
 * - `redacted`: only ids stay of it.
 * - `stays`: nothing in it is personal data of a customer, or the reason says why it stays.
 */
type Erasure<K extends TransferKind> = K extends ErasedKind | OwnedKind
  ? 'goes'
  : 'goes' | 'redacted' | 'stays'

interface Entry<K extends TransferKind> {
  readonly erasure: Erasure<K>
  /** Of a field that is kept though it may tell of a person. */
  readonly why?: string
  readonly fields: FieldsOf<K>
}

const row = { _id: 'id', tenantId: 'inner', createdAt: 'plain', updatedAt: 'plain' } as const

export const personalData: { readonly [K in TransferKind]: Entry<K> } = {
  tenants: { erasure: 'stays', fields: { ...row, _id: 'plain', name: 'plain', isSuspended: 'plain' } },
  identities: {
    erasure: 'stays',
    fields: {
      ...{ _id: 'id', createdAt: 'plain', updatedAt: 'plain', email: 'user' },
      ...{ passwordHash: 'secret', passwordGeneration: 'inner', passwordChangedBy: 'inner' },
    },
  },
  users: {
    erasure: 'stays',
    fields: {
      ...{ ...row, email: 'user', firstName: 'user', lastName: 'user', emailNormalized: 'user' },
      ...{ role: 'plain', isActive: 'plain', availability: 'user', processingRestricted: 'user' },
      ...{ identityId: 'id', invite: 'secret', sessionGeneration: 'inner' },
    },
  },
  sessions: {
    erasure: 'stays',
    fields: {
      ...{ ...row, userId: 'id', identityId: 'id', refreshHash: 'secret' },
      ...{ passwordGeneration: 'inner', userGeneration: 'inner', rotatedAt: 'user' },
      ...{ endedAt: 'user', expiresAt: 'plain' },
    },
  },
  apiKeys: {
    erasure: 'stays',
    fields: {
      ...{ ...row, name: 'plain', environment: 'plain', permissions: 'plain', isActive: 'plain' },
      ...{ keyPrefix: 'plain', keyHint: 'plain', keyHash: 'secret', expiresAt: 'plain' },
      ...{ rotationPolicy: 'plain', rateLimit: 'plain', ipWhitelist: 'plain', createdBy: 'id' },
      ...{ lastUsedAt: 'plain', revokedAt: 'plain', replacedBy: 'id' },
    },
  },
  inboxes: {
    erasure: 'stays',
    fields: {
      ...{ ...row, name: 'plain', channel: 'plain', isActive: 'plain', isDefault: 'plain' },
      ...{ members: 'id', autoAssign: 'plain', widget: 'plain', sealed: 'secret' },
    },
  },
  customers: {
    erasure: 'goes',
    fields: {
      ...{ ...row, profile: 'customer', jobTitle: 'customer', tier: 'customer', status: 'customer' },
      ...{ tags: 'customer', customFields: 'customer', mergedFrom: 'id' },
    },
  },
  conversations: {
    erasure: 'goes',
    fields: {
      ...{ ...row, subject: 'customer', status: 'plain', priority: 'plain', channel: 'plain' },
      ...{ source: 'plain', customerId: 'id', assignedTo: 'id', inboxId: 'id', labels: 'customer' },
      ...{ snoozedUntil: 'plain', wakeOnReply: 'plain', lastMessageAt: 'plain', messageCount: 'plain' },
      ...{ firstResponseAt: 'plain', closedAt: 'plain', readAt: 'customer', rating: 'customer' },
      externalIds: 'customer',
    },
  },
  messages: {
    erasure: 'goes',
    fields: {
      ...{ ...row, conversationId: 'id', type: 'plain', direction: 'plain', sender: 'both' },
      ...{ content: 'both', contentType: 'plain', attachments: 'both', status: 'plain' },
      ...{ clientMessageId: 'customer', externalId: 'customer' },
    },
  },
  attachments: {
    // The row and the bytes as soon as the bytes can be removed; until then nothing is in the row.
    erasure: 'goes',
    fields: {
      ...{ ...row, state: 'inner', filename: 'both', contentType: 'plain', size: 'plain' },
      ...{ sha256: 'secret', messageId: 'id', erasedAt: 'inner' },
    },
  },
  webhooks: {
    erasure: 'stays',
    fields: {
      ...{ ...row, name: 'plain', url: 'plain', events: 'plain', isActive: 'plain', headers: 'secret' },
      ...{ retryPolicy: 'plain', sealed: 'secret', previousSecretExpiresAt: 'inner' },
      ...{ disabledReason: 'plain', activeSince: 'inner', eventsChangedAt: 'inner', urlChangedAt: 'inner' },
    },
  },
  webhookCounts: {
    erasure: 'stays',
    fields: {
      ...{ _id: 'id', tenantId: 'inner', webhookId: 'id', consecutiveFailures: 'plain' },
      ...{ failingSince: 'plain', lastSuccessAt: 'plain', lastFailureAt: 'plain' },
    },
  },
  removedWebhooks: { erasure: 'stays', fields: { _id: 'id', tenantId: 'inner' } },
  eventSequence: { erasure: 'stays', fields: { _id: 'inner', given: 'inner' } },
  events: {
    erasure: 'redacted',
    fields: {
      ...{ _id: 'id', tenantId: 'inner', type: 'plain', timestamp: 'plain', subjects: 'id' },
      ...{ body: 'both', position: 'inner' },
    },
  },
  attempts: {
    erasure: 'stays',
    why: 'They say how a receiver answered, in words of our own; what was sent is in the event.',
    fields: {
      ...{ _id: 'id', tenantId: 'inner', webhookId: 'id', event: 'plain', status: 'plain' },
      ...{ statusCode: 'plain', attempt: 'plain', deliveredAt: 'plain', responseTime: 'plain' },
      ...{ error: 'plain', errorCode: 'plain', eventId: 'id', deliveryId: 'id', nextAttemptAt: 'plain' },
      ...{ timings: 'plain', remoteAddress: 'plain', createdAt: 'plain' },
    },
  },
  auditLog: {
    erasure: 'stays',
    why: 'It tells who did what, by ids, and the reason that they gave for it.',
    fields: {
      ...{ _id: 'id', tenantId: 'inner', at: 'plain', actor: 'id', action: 'plain', target: 'id' },
      ...{ reason: 'plain', changed: 'plain', requestId: 'plain' },
    },
  },
  idempotency: {
    erasure: 'goes',
    fields: {
      ...{ _id: 'secret', tenantId: 'inner', bodyHash: 'secret', status: 'inner', reply: 'both' },
      ...{ resourceId: 'id', subjects: 'id', createdAt: 'inner', expiresAt: 'inner' },
    },
  },
  usage: {
    erasure: 'stays',
    fields: {
      ...{ _id: 'inner', tenantId: 'inner', month: 'plain', apiKeyId: 'id', method: 'plain' },
      ...{ path: 'plain', requests: 'plain', expiresAt: 'inner' },
    },
  },
  erasedLinks: {
    erasure: 'stays',
    why: 'A digest, to know again what must not be imported once more.',
    fields: { _id: 'secret', tenantId: 'inner', erasedAt: 'plain' },
  },
  tasks: {
    erasure: 'goes',
    fields: {
      ...{ _id: 'inner', tenantId: 'inner', type: 'inner', subjectId: 'id', targetId: 'id' },
      requestedAt: 'inner',
    },
  },
}

const notExported: ReadonlySet<FieldMeaning> = new Set<FieldMeaning>(['secret', 'inner'])

/** A row as its subject's export shows it: without what is secret and what only the service works with. */
export function exportedRow<K extends TransferKind>(
  kind: K,
  record: Partial<TransferRecords[K]>,
): Record<string, unknown> {
  const fields: Partial<Record<string, FieldMeaning>> = personalData[kind].fields
  // Only what is declared: a field that a later version wrote is not known to be harmless.
  return Object.fromEntries(
    Object.entries(record).filter(([field]) => {
      const meaning = fields[field]
      return meaning !== undefined && !notExported.has(meaning)
    }),
  )
}
