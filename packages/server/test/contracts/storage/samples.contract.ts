import type { DomainEvent, EventType } from '@crmkit/core'
import { newRun } from '../../../src/imports/run/new-run.ts'
import type { TenantStore } from '../../../src/ports/storage.ts'
import type { RequestMetricsIncrement, UsageIncrement } from '../../../src/ports/system-store.ts'
import type { AttemptRecord } from '../../../src/storage/kinds/attempts.ts'
import { storedKinds } from '../../../src/storage/kinds/derive.ts'
import { type Kind, kinds, type Records, type TenantKind } from '../../../src/storage/kinds/registry.ts'
import type { AttemptResult, ClaimedAttempt, TenantId } from '../../../src/storage/records.ts'
import { usageRow } from '../../../src/storage/rules/usage.ts'
import { deriveRow } from './derived-row.contract.ts'
import { at, ids, nextNumber } from './sample-values.contract.ts'

export { at } from './sample-values.contract.ts'

type Make = { [K in Kind]: (tenantId: TenantId, fields?: Partial<Records[K]>) => Records[K] }

const times = () => {
  const now = at(nextNumber())
  return { createdAt: now, updatedAt: now }
}

/**
 * Rows that say more than their declaration does. A kind without a row here gets one that is derived from its
 * declaration.
 */
const ownSamples: Partial<Make> = {
  tenants: (tenantId, fields) => ({
    _id: tenantId,
    name: 'Ünïcode & Söhne 株式会社',
    isSuspended: false,
    limits: { customers: 7, apiCalls: -1 },
    ...times(),
    ...fields,
  }),
  identities: (_tenantId, fields) => ({
    _id: ids.next('idn'),
    email: `person${nextNumber()}@example.com`,
    passwordHash: '$argon2id$v=19$m=19456',
    passwordGeneration: 2,
    passwordChangedBy: 'ses_1',
    ...times(),
    ...fields,
  }),
  users: (tenantId, fields) => ({
    _id: ids.next('usr'),
    tenantId,
    ...newEmail(),
    identityId: ids.next('idn'),
    sessionGeneration: 1,
    firstName: 'Zoë',
    lastName: null,
    role: 'agent',
    isActive: true,
    availability: 'online',
    processingRestricted: false,
    ...times(),
    ...fields,
  }),
  sessions: (tenantId, fields) => ({
    _id: ids.next('ses'),
    tenantId,
    userId: 'usr_1',
    identityId: 'idn_1',
    passwordGeneration: 2,
    userGeneration: 1,
    refreshHash: `hash${nextNumber()}`,
    rotatedAt: at(1),
    endedAt: null,
    expiresAt: at(1_000_000),
    ...times(),
    ...fields,
  }),
  apiKeys: (tenantId, fields) => ({
    _id: ids.next('key'),
    tenantId,
    name: 'Key',
    displayName: 'Acme’s bot',
    environment: 'production',
    permissions: ['read:customers', 'webhook:manage'],
    keyPrefix: 'sk_live_',
    keyHint: 'ab12',
    keyHash: `sha${nextNumber()}`,
    isActive: true,
    expiresAt: at(99),
    rotationPolicy: { enabled: true, intervalDays: 90, notifyDaysBefore: 7 },
    rateLimit: { requests: 100, window: '1 minute' },
    ipWhitelist: ['10.0.0.0/8', '::1'],
    createdBy: 'usr_1',
    lastUsedAt: null,
    revokedAt: null,
    replacedBy: null,
    ...times(),
    ...fields,
  }),
  inboxes: (tenantId, fields) => ({
    _id: ids.next('inb'),
    tenantId,
    name: 'Inbox',
    channel: 'email',
    isActive: true,
    isDefault: false,
    members: ['usr_1', 'usr_2'],
    autoAssign: { enabled: true, strategy: 'round_robin', maxOpen: 3 },
    widget: {
      enabled: true,
      publicKey: `wpk_${nextNumber()}`,
      allowedOrigins: ['https://shop.example'],
      greeting: 'Hi “there”',
      color: '#ff0000',
      identityRequired: false,
      askEmail: false,
      replyByMail: { enabled: false, inboxId: null },
      identitySecretPrefix: 'wis_abcd',
      previousIdentitySecretExpiresAt: at(7),
      lastSeen: null,
    },
    sealed: 'v1.key.sealed',
    ...times(),
    ...fields,
  }),
  customers: (tenantId, fields) => ({
    _id: ids.next('cus'),
    tenantId,
    profile: {
      firstName: 'Ada',
      lastName: 'Lovelace',
      email: 'ada@example.com',
      phone: '+44 20 7946 0958',
      company: 'Engines',
    },
    jobTitle: 'Analyst',
    tier: 'gold',
    status: 'active',
    tags: ['VIP', 'beta tester'],
    externalIds: ['shop:4711'],
    customFields: {
      plan: 'pro',
      'a.b.c': { $set: [1, null, 'x'] },
      $where: 'this',
      '': '',
      'emoji 🧮': -0.5,
    },
    ...times(),
    ...fields,
  }),
  conversations: (tenantId, fields) => ({
    _id: ids.next('con'),
    tenantId,
    subject: 'Where is my order?',
    status: 'open',
    priority: 'medium',
    channel: 'email',
    source: 'api',
    customerId: null,
    assignedTo: null,
    inboxId: 'inb_1',
    labels: ['Billing'],
    snoozedUntil: null,
    wakeOnReply: true,
    lastMessageAt: at(5),
    lastMessageId: 'msg_1',
    lastMessage: {
      _id: 'msg_1',
      type: 'reply',
      direction: 'inbound',
      senderType: 'customer',
      at: at(5),
      preview: 'Where is my order?',
      files: 0,
    },
    lastCustomerMessageAt: at(5),
    waitingSince: at(4),
    messageCount: 2,
    seq: 3,
    firstResponseAt: null,
    closedAt: null,
    readAt: { customer: null, agent: at(6) },
    rating: { score: 5, comment: 'süper', at: at(7) },
    externalIds: ['zoho:1'],
    page: 'https://shop.example.com/pricing',
    visitorId: 'vis_1',
    customFields: { zoho: { Amount: 12.5, 'a.b': null } },
    participants: [{ address: 'zoë@example.com', name: null, addedAt: at(3), verified: null }],
    previousConversationId: 'con_1',
    mergedInto: 'con_1',
    mergedFrom: ['con_2'],
    ...times(),
    ...fields,
  }),
  messages: (tenantId, fields) => ({
    _id: ids.next('msg'),
    tenantId,
    conversationId: 'con_1',
    type: 'reply',
    direction: 'outbound',
    sender: { type: 'user', _id: 'usr_1', name: 'Zoë' },
    content: 'Line one\n\tline two with \u2028 and 😀',
    contentType: 'text',
    attachments: [{ _id: 'att_1', filename: 'ä.pdf', contentType: 'application/pdf', size: 12, url: '/a' }],
    status: 'sent',
    clientMessageId: null,
    externalId: null,
    ...times(),
    ...fields,
  }),
  attachments: (tenantId, fields) => ({
    _id: ids.next('att'),
    tenantId,
    state: 'stored',
    filename: 'Rechnung – März.pdf',
    contentType: 'application/pdf',
    size: 1234,
    sha256: 'c0ffee',
    messageId: null,
    erasedAt: null,
    ...times(),
    ...fields,
  }),
  webhooks: (tenantId, fields) => ({
    _id: ids.next('whk'),
    tenantId,
    name: 'Receiver',
    url: 'https://receiver.example/hook?a=1&b=2',
    events: ['customer.created', 'customer.deleted', 'conversation.created'],
    isActive: true,
    headers: {},
    retryPolicy: { maxRetries: 3, backoffStrategy: 'exponential' },
    sealed: 'v1.c2VjcmV0',
    ...times(),
    ...fields,
  }),
  auditLog: (tenantId, fields) => ({
    _id: ids.next('aud'),
    tenantId,
    at: at(nextNumber()),
    actor: { type: 'user', _id: 'usr_1' },
    action: 'apiKey.revoked',
    target: { type: 'apiKey', _id: 'key_1' },
    reason: 'lost laptop',
    changed: ['isActive'],
    count: 3,
    requestId: 'req_1',
    ...fields,
  }),
  idempotency: (tenantId, fields) => ({
    _id: `idem${nextNumber()}`,
    tenantId,
    bodyHash: 'f00',
    status: 201,
    reply: '{"success":true}',
    resourceId: null,
    subjects: ['cus_1'],
    createdAt: at(1),
    expiresAt: at(1_000_000),
    ...fields,
  }),
  importRuns: (tenantId, fields) => ({
    ...newRun({
      id: ids.next('imp'),
      tenantId,
      now: at(nextNumber()),
      integrationId: 'int_1',
      trigger: 'manual',
      selection: importSettings,
    }),
    status: 'completed' as const,
    errors: ['Contacts 7: INVALID_RECORD has no name'],
    ...fields,
  }),
  tasks: (tenantId, fields) => ({
    _id: ids.next('tsk'),
    tenantId,
    type: 'moveConversations',
    subjectId: 'cus_1',
    targetId: 'cus_2',
    requestedAt: at(nextNumber()),
    ...fields,
  }),
  erasedLinks: (tenantId, fields) => ({ _id: `link${nextNumber()}`, tenantId, erasedAt: at(1), ...fields }),
  usage: (tenantId, fields) => ({
    ...usageRow(sampleUsage(tenantId)),
    ...fields,
  }),
}

const importSettings = {
  importContacts: true,
  importDeals: true,
  importTickets: false,
  importNotes: true,
  importActivities: true,
  preserveIds: false,
}

function newEmail(): { email: string; emailNormalized: string } {
  const number = nextNumber()
  return { email: `User${number}@example.com`, emailNormalized: `user${number}@example.com` }
}

const derived = storedKinds.map((kind) => [
  kind,
  (tenantId: TenantId, fields?: object) => ({ ...deriveRow(kinds[kind], tenantId), ...fields }),
])

/** Returns a complete row of a kind; `fields` replace its own. */
export const sample: Make = { ...(Object.fromEntries(derived) as Make), ...ownSamples }

export function sampleUsage(tenantId: TenantId, fields: Partial<UsageIncrement> = {}): UsageIncrement {
  const path = '/api/v1/customers/{id}'
  return { tenantId, month: '2026-03', apiKeyId: 'key_1', method: 'GET', path, requests: 3, ...fields }
}

export function sampleMetrics(
  tenantId: TenantId,
  fields: Partial<RequestMetricsIncrement> = {},
): RequestMetricsIncrement {
  return {
    tenantId,
    month: '2026-03',
    requests: 4,
    successful: 2,
    failed: 1,
    timed: 3,
    totalMs: 10.5,
    buckets: { 210: 2, 340: 1 },
    ...fields,
  }
}

export interface EventFields {
  type?: EventType
  timestamp?: string
  /** The subject of the event: its data's `_id` and its first subject. */
  about?: string
  subjects?: string[]
}

export function sampleEvent(fields: EventFields = {}): DomainEvent {
  const { type = 'customer.created', timestamp = at(nextNumber()), about = 'cus_1' } = fields
  const _id = ids.next('evt')
  const data = { _id: about, secret: 'personal data' }
  return {
    _id,
    type,
    timestamp,
    subjects: fields.subjects ?? [about],
    body: JSON.stringify({ id: _id, event: type, timestamp, data }),
  }
}

export function sampleAttempt(tenantId: TenantId, fields: Partial<AttemptRecord> = {}): AttemptRecord {
  const now = at(nextNumber())
  return {
    _id: ids.next('log'),
    tenantId,
    webhookId: 'whk_1',
    event: 'webhook.test',
    status: 'failed',
    statusCode: 500,
    attempt: 1,
    deliveredAt: now,
    responseTime: 12.5,
    error: 'the receiver answered 500',
    errorCode: 'STATUS',
    eventId: ids.next('evt'),
    deliveryId: ids.next('dlv'),
    nextAttemptAt: null,
    timings: { dns: 1.5, connect: 2, tls: null, firstByte: 10, total: 12.5 },
    remoteAddress: '192.0.2.1',
    createdAt: now,
    ...fields,
  }
}

export function insertOf<K extends Kind>(kind: K, row: Records[K]) {
  return { op: 'insert', kind, row } as const
}

/** Stores rows of one kind in one commit, and returns them. */
export async function add<K extends TenantKind>(
  store: TenantStore,
  kind: K,
  rowsToAdd: Partial<Records[K]>[],
): Promise<Records[K][]> {
  const made = rowsToAdd.map((fields) => sample[kind](store.tenantId, fields as never) as Records[K])
  const writes = made.map((row) => ({ op: 'insert', kind, row }) as never)
  await store.commit({ writes, events: [] })
  return made
}

/** A success, unless `fields` say otherwise. */
export function resultOf(
  { tenantId, attempt, lockToken }: ClaimedAttempt,
  fields: Partial<AttemptResult> = {},
): AttemptResult {
  return {
    tenantId,
    webhookId: attempt.webhookId,
    attemptId: attempt._id,
    lockToken,
    status: 'success',
    statusCode: 204,
    deliveredAt: at(2_000_000),
    responseTime: 17.25,
    error: null,
    errorCode: null,
    timings: { dns: 1, connect: 2, tls: 3, firstByte: 4, total: 17.25 },
    remoteAddress: '192.0.2.7',
    next: null,
    ...fields,
  }
}
