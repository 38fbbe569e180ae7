import type {
  Conversation,
  Customer,
  DeliveryCounts,
  DeliveryErrorCode,
  DeliveryLog,
  DisabledReason,
  DomainEvent,
  Inbox,
  Message,
  StoredApiKey,
  Tenant,
  User,
  WebhookSettings,
} from '@crmkit/core'

declare const tenantBrand: unique symbol
/** Proof that a tenant id came from authentication, a registration or a stored row; never from a request. */
export type TenantId = string & { readonly [tenantBrand]: true }

/**
 * What is stored of each kind. Records are the contract's resources plus what only the service may see;
 * `response.parse` drops the rest before anything leaves the house.
 */
export interface Records {
  tenants: Tenant
  /** One e-mail with one password on this server; crosses tenants. */
  identities: Identity
  users: UserRecord
  sessions: Session
  apiKeys: ApiKeyRecord
  inboxes: InboxRecord
  customers: CustomerRecord
  conversations: Conversation
  messages: Message
  attachments: AttachmentRecord
  webhooks: WebhookRecord
  auditLog: AuditEntry
  idempotency: IdempotencyRecord
  usage: UsageRecord
  tasks: TaskRecord
  erasedLinks: ErasedLinkRecord
}
export type Kind = keyof Records

/** Kinds that a handler of a tenant may write. The others belong to authentication, the usage counters and erasures. */
export type TenantKind = Exclude<Kind, 'identities' | 'tenants' | 'usage' | 'erasedLinks'>

/** A row as it is read: `version` rises by one with every `update` and guards the next one. */
export type Stored<T> = T & { readonly version: number }

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

export interface UserRecord extends User {
  /** Empty until the invitation is accepted. */
  identityId: string
  /** The invitation that can be accepted, by the SHA-256 (hex) of its token; none once it was. */
  invite?: { tokenHash: string; expiresAt: string } | null
  /** `normalizeEmail`, unique in the tenant. */
  emailNormalized: string
  /** Rises when the user is deactivated. A session of an earlier one has ended, also when they are active again. */
  sessionGeneration: number
}

export interface Session {
  _id: string
  tenantId: string
  userId: string
  identityId: string
  /** The identity's when the session began. */
  passwordGeneration: number
  /** The user's `sessionGeneration` when the session began. */
  userGeneration: number
  /** SHA-256 (hex) of the refresh token that is current. */
  refreshHash: string
  /** When the current token replaced the one before. */
  rotatedAt: string
  endedAt: string | null
  expiresAt: string
  createdAt: string
  updatedAt: string
}

export interface ApiKeyRecord extends StoredApiKey {
  /** SHA-256 (hex) of the key, unique on this server. */
  keyHash: string
}

export interface InboxRecord extends Inbox {
  /** AES-256-GCM of the widget's identity secrets, bound to tenant and inbox id; absent before the first. */
  sealed?: string
}

/** `headers` stays empty in the stored row: the values are in `sealed`, encrypted. */
export interface WebhookRecord extends WebhookSettings {
  /** AES-256-GCM of `{secret, previous?, headers}`, bound to tenant and webhook id. */
  sealed: string
  /** Until when `sealed` holds a valid `previous`; absent before the first rotation. */
  previousSecretExpiresAt?: string | null
  /** Why it is not active; absent in rows of earlier versions. */
  disabledReason?: DisabledReason | null
  /** When it was activated last, and when its `events` were changed last; absent: when it was created. */
  activeSince?: string
  eventsChangedAt?: string
  /** What happened before was sent elsewhere. */
  urlChangedAt?: string
}

/** What is counted of a webhook's attempts, beside its row: so it makes no change of the webhook lose a race. */
export interface WebhookCounts extends DeliveryCounts {
  webhookId: string
}

export interface CustomerRecord extends Customer {
  /** Customers that were merged into this one; absent when none was. */
  mergedFrom?: string[]
}

/** A file. Its bytes are in the attachment store, and never there without this row. */
export interface AttachmentRecord {
  _id: string
  tenantId: string
  /** `uploading`: the bytes may be there in part, and nobody reads them. */
  state: 'uploading' | 'stored'
  filename: string
  /** What it is served as. */
  contentType: string
  size: number
  /** Hex, of the bytes; empty while they arrive. */
  sha256: string
  /** The one message that carries it; null: none yet. */
  messageId: string | null
  /** Nobody sees it any more; the row goes as soon as the bytes are gone. */
  erasedAt: string | null
  createdAt: string
  updatedAt: string
}

/** The rest of a change that is too much for one commit; goes when it is done. */
export interface TaskRecord {
  _id: string
  tenantId: string
  /**
   * `releaseUser`: of a user who was deleted. `moveConversations`: of a customer who was merged into the target.
   * `emptyInbox`: of what came into an inbox while it was deleted.
   * `eraseCustomer`, `eraseConversation`: as long as the row is there, no read shows what belongs to the subject.
   */
  type: 'releaseUser' | 'moveConversations' | 'emptyInbox' | 'eraseCustomer' | 'eraseConversation'
  subjectId: string
  targetId: string | null
  requestedAt: string
}

/** That a row which came from elsewhere was erased here: enough to know it again, so that no sync brings it back. */
export interface ErasedLinkRecord {
  /** `erasedLinkId` of the id that it has elsewhere. */
  _id: string
  tenantId: string
  erasedAt: string
}

export interface AuditEntry {
  _id: string
  tenantId: string
  at: string
  actor: { type: 'user' | 'apiKey' | 'system'; _id: string | null }
  action: string
  target: { type: string; _id: string }
  reason: string | null
  /** Paths of the fields that changed; absent in rows of earlier versions. */
  changed?: readonly string[]
  requestId: string | null
}

export interface IdempotencyRecord {
  /** Hash over credential, path and key; unique in the tenant. */
  _id: string
  tenantId: string
  /** Hash over the parsed body: the same key with another body is refused. */
  bodyHash: string
  status: number
  /** JSON of the reply; null when it held a one-time secret. */
  reply: string | null
  /** Id of what the request made, when the reply itself is not kept. */
  resourceId: string | null
  /** Ids of what the reply tells about, so that an erasure finds it. */
  subjects: string[]
  createdAt: string
  expiresAt: string
}

/** How often one method and path was asked for in one month. */
export interface UsageRecord {
  /** Of all that it counts by, so that every count has one row. */
  _id: string
  tenantId: string
  /** `YYYY-MM`, UTC. */
  month: string
  /** Empty: all requests of the tenant, whichever the credential. */
  apiKeyId: string
  method: string
  /** A path template, such as `/api/v1/customers/{id}`. */
  path: string
  requests: number
  expiresAt: string
}

export interface EventRecord extends DomainEvent {
  tenantId: string
}

export interface LoggedEvent extends EventRecord {
  /** Where a reader goes on behind it; see `event-position.ts`. */
  position: string
}

/**
 * One attempt to deliver one event to one webhook: planned (`pending`), or done. The first is written by
 * the commit of the event itself. `deliveryId` is shared by all attempts of one event at one webhook.
 */
export interface AttemptRecord extends DeliveryLog {
  tenantId: string
}

/**
 * Where pending attempts wait: those of one webhook that are first at their event, or those that repeat one.
 * Two lanes for each webhook, so that a receiver's new events do not wait behind what it refused.
 */
export interface DeliveryLane {
  tenantId: TenantId
  webhookId: string
  isRetry: boolean
}

export interface PlannedLane extends DeliveryLane {
  url: string
  /** When the lane's earliest attempt is due, or its lease ends; may be the past of one that is under way. */
  nextAt: string
}

export interface ClaimedLane {
  claims: ClaimedAttempt[]
  /** As in `PlannedLane`, of what was not claimed; may be early, never late. Null when nothing is pending. */
  nextAt: string | null
}

/** A pending attempt, leased to the caller, with all that is needed to make it. */
export interface ClaimedAttempt {
  tenantId: TenantId
  attempt: AttemptRecord
  webhook: WebhookRecord
  event: EventRecord
  lockToken: string
}

/** What became of a claimed attempt. Written only while `lockToken` still holds the row. */
export interface AttemptResult {
  tenantId: TenantId
  webhookId: string
  attemptId: string
  lockToken: string
  status: 'success' | 'failed'
  statusCode: number | null
  deliveredAt: string
  responseTime: number
  error: string | null
  errorCode: DeliveryErrorCode | null
  timings: DeliveryLog['timings']
  remoteAddress: string | null
  /** The attempt that follows a failure, as a new pending row; null when there is none. */
  next: { _id: string; nextAttemptAt: string } | null
}

/** The record alone, for what goes out or into another row. */
export function withoutVersion<T>({ version: _version, ...record }: Stored<T>): Omit<Stored<T>, 'version'> {
  return record
}
