/** What is kept where. Collections of kinds bear the kind's name. */
export interface CollectionRule {
  /**
   * `tenant`: every index starts with the tenant, so the collection can be sharded by it.
   * `server`: is asked without knowing the tenant, by credentials or for due work; small, never sharded.
   */
  reach: 'tenant' | 'server'
  indexes: Record<string, IndexRule>
}

/** A unique index is named after the key of the `UniqueConflict` that it raises. */
export interface IndexRule {
  fields: readonly string[]
  isUnique?: true
  /** Only documents that match are in the index. */
  only?: Record<string, unknown>
}

function ofTenant(...fields: string[]): IndexRule {
  return { fields: ['tenantId', ...fields] }
}

/** A filter and the order of the list it belongs to. */
function byCreated(...fields: string[]): IndexRule {
  return ofTenant(...fields, 'row.createdAt', 'id')
}

/** Without a status in the filter a list asks for all four, so each index serves two filters in order. */
function byUpdated(...fields: string[]): IndexRule {
  return ofTenant(...fields, 'row.status', 'row.updatedAt', 'id')
}

const clientMessageId: IndexRule = {
  ...ofTenant('row.conversationId', 'row.clientMessageId'),
  isUnique: true,
  only: { 'row.clientMessageId': { $gte: '' } },
}

export const collections = {
  users: {
    reach: 'tenant',
    indexes: {
      emailNormalized: { ...ofTenant('row.emailNormalized'), isUnique: true },
      created: byCreated(),
      role: ofTenant('row.role', 'row.isActive'),
    },
  },
  apiKeys: {
    reach: 'tenant',
    indexes: {
      created: byCreated(),
      environment: byCreated('row.environment'),
      activity: byCreated('row.isActive'),
    },
  },
  inboxes: { reach: 'tenant', indexes: { created: byCreated() } },
  customers: {
    reach: 'tenant',
    indexes: {
      created: byCreated(),
      updated: ofTenant('row.updatedAt', 'id'),
      tier: byCreated('row.tier'),
      status: byCreated('row.status'),
      lastName: ofTenant('keys.lastName', 'id'),
      tag: byCreated('labels'),
      search: ofTenant('grams'),
    },
  },
  conversations: {
    reach: 'tenant',
    indexes: {
      created: byCreated(),
      status: byUpdated(),
      priority: byUpdated('row.priority'),
      channel: byUpdated('row.channel'),
      assignee: byUpdated('row.assignedTo'),
      inbox: byUpdated('row.inboxId'),
      customer: byUpdated('row.customerId'),
      label: byUpdated('labels'),
      urgency: ofTenant('keys.priorityRank', 'id'),
      search: ofTenant('grams'),
    },
  },
  messages: {
    reach: 'tenant',
    indexes: {
      created: byCreated('row.conversationId'),
      clientMessageId,
      author: { ...byCreated('keys.customerId'), only: { 'keys.customerId': { $gte: '' } } },
      search: ofTenant('grams'),
    },
  },
  attachments: {
    reach: 'tenant',
    indexes: { message: { ...ofTenant('row.messageId'), only: { 'row.messageId': { $gte: '' } } } },
  },
  webhooks: { reach: 'tenant', indexes: { created: byCreated(), activity: byCreated('row.isActive') } },
  auditLog: { reach: 'tenant', indexes: { time: ofTenant('row.at', 'id') } },
  idempotency: {
    reach: 'tenant',
    indexes: { end: ofTenant('row.expiresAt'), subject: ofTenant('subjects') },
  },
  events: {
    reach: 'tenant',
    indexes: {
      time: ofTenant('row.timestamp'),
      subject: ofTenant('subjects'),
      log: { ...ofTenant('row.type', 'keys.position'), only: { 'keys.position': { $gte: 0 } } },
      sequence: { ...ofTenant('id'), only: { 'keys.isNew': 1 } },
    },
  },
  attempts: {
    reach: 'tenant',
    indexes: {
      webhook: byCreated('row.webhookId', 'row.status'),
      event: ofTenant('row.eventId'),
      created: ofTenant('row.createdAt'),
    },
  },
  usage: {
    reach: 'tenant',
    indexes: { month: ofTenant('row.month', 'row.apiKeyId'), end: ofTenant('row.expiresAt') },
  },
  webhookCounts: { reach: 'tenant', indexes: {} },
  erasedLinks: { reach: 'tenant', indexes: {} },
  tenants: { reach: 'server', indexes: {} },
  identities: { reach: 'server', indexes: { email: { fields: ['row.email'], isUnique: true } } },
  sessions: { reach: 'server', indexes: { id: { fields: ['id'] }, end: { fields: ['keys.overAt'] } } },
  /** One for each user, API key, snoozed conversation and attachment to be removed: how it is found without its tenant. */
  memberships: {
    reach: 'server',
    indexes: { identity: { fields: ['keys.identityId', 'keys.createdAt', 'id'] } },
  },
  keyHashes: { reach: 'server', indexes: { keyHash: { fields: ['keys.keyHash'], isUnique: true } } },
  dueSnoozes: { reach: 'server', indexes: { due: { fields: ['keys.dueAt', '_id'] } } },
  dueAttachments: { reach: 'server', indexes: { due: { fields: ['keys.dueAt', '_id'] } } },
  /** One for each pending attempt; `lane` is where it waits, `claim` who leased it last. */
  dueAttempts: {
    reach: 'server',
    indexes: {
      lane: { fields: ['keys.lane', 'keys.dueAt', '_id'] },
      claim: { fields: ['keys.claim'], only: { 'keys.claim': { $gte: '' } } },
    },
  },
  /** What commits have begun and nobody has finished yet; `erases` is what nobody may see meanwhile. */
  tasks: {
    reach: 'server',
    indexes: {
      oldest: { fields: ['id', 'tenantId'] },
      erasure: { ...ofTenant('keys.erases'), only: { 'keys.erases': { $gte: '' } } },
    },
  },
  /** Webhooks whose attempts are still to be removed. */
  removedWebhooks: { reach: 'server', indexes: {} },
  /** One for each name, under the empty tenant id. */
  leases: { reach: 'server', indexes: {} },
  /** How far the events have positions; see `event-sequencer.ts`. */
  eventSequence: { reach: 'server', indexes: {} },
  /** The schema's version and the heartbeat. */
  serverState: { reach: 'server', indexes: {} },
} as const satisfies Record<string, CollectionRule>

export type CollectionName = keyof typeof collections
