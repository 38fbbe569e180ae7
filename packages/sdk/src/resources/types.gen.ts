// Generated from the contract by scripts/generate.ts. Do not edit.

export interface AcceptInvite {
  /** At most 512 characters. */
  token: string
  /** 10 to 128 characters. */
  password: string
}

export interface ApiKey {
  _id: string
  tenantId: string
  name: string
  environment: 'production' | 'staging' | (string & {})
  permissions: ('read:conversations' | 'write:conversations' | 'read:customers' | 'write:customers' | 'webhook:manage' | 'read:analytics' | (string & {}))[]
  keyPrefix: string
  keyHint: string
  isActive: boolean
  /** ISO 8601. */
  expiresAt: string | null
  rotationPolicy: {
    enabled: boolean
    intervalDays: number | null
    notifyDaysBefore: number | null
  } | null
  rateLimit: {
    requests: number
    window: string
  } | null
  ipWhitelist: string[]
  createdBy: string
  /** ISO 8601. */
  lastUsedAt: string | null
  /** ISO 8601. */
  revokedAt: string | null
  replacedBy: string | null
  /** ISO 8601. */
  rotationDueAt: string | null
  rotationDueSoon: boolean
  rotationOverdue: boolean
  /** ISO 8601. */
  createdAt: string
  /** ISO 8601. */
  updatedAt: string
}

export interface ApiKeyUsage {
  month: string
  totalRequests: number
  requestsByEndpoint: Record<string, number>
  requestsByMethod: Record<string, number>
}

/** Filters and paging of `apiKeys.list`. */
export interface ApiKeysListQuery {
  environment?: 'production' | 'staging' | undefined
  isActive?: boolean | undefined
  /** From 1 to 2147483647. Default: `1`. */
  page?: number | undefined
  /** From 1 to 100. Default: `20`. */
  limit?: number | undefined
  /** At most 512 characters. */
  cursor?: string | undefined
}

/** Filters and paging of `apiKeys.usage`. */
export interface ApiKeysUsageQuery {
  month?: string | undefined
}

export interface Attachment {
  _id: string
  filename: string
  contentType: string
  size: number
  url: string
}

export interface AuditEntry {
  _id: string
  tenantId: string
  /** ISO 8601. */
  at: string
  actor: {
    type: 'user' | 'apiKey' | 'system' | (string & {})
    _id: string | null
  }
  action: string
  target: {
    type: string
    _id: string
  }
  reason: string | null
  changed: string[]
  requestId: string | null
}

export interface ChangePassword {
  /** At most 128 characters. */
  currentPassword: string
  /** 10 to 128 characters. */
  newPassword: string
}

export interface Conversation {
  _id: string
  tenantId: string
  subject: string
  status: 'open' | 'closed' | 'pending' | 'snoozed' | (string & {})
  priority: 'low' | 'medium' | 'high' | 'urgent' | (string & {})
  channel: 'email' | 'chat' | 'phone' | 'whatsapp' | 'instagram' | 'twitter' | 'facebook' | 'sms' | (string & {})
  source: 'widget' | 'phone' | 'api' | 'email' | (string & {})
  customerId: string | null
  assignedTo: string | null
  inboxId: string
  labels: string[]
  /** ISO 8601. */
  snoozedUntil: string | null
  wakeOnReply: boolean
  /** ISO 8601. */
  lastMessageAt: string | null
  messageCount: number
  /** ISO 8601. */
  firstResponseAt: string | null
  /** ISO 8601. */
  closedAt: string | null
  readAt: {
    /** ISO 8601. */
    customer: string | null
    /** ISO 8601. */
    agent: string | null
  }
  rating: {
    score: number
    comment: string | null
    /** ISO 8601. */
    at: string
  } | null
  externalIds: string[]
  /** ISO 8601. */
  createdAt: string
  /** ISO 8601. */
  updatedAt: string
}

/** Filters and paging of `conversations.list`. */
export interface ConversationsListQuery {
  status?: 'open' | 'closed' | 'pending' | 'snoozed' | readonly ('open' | 'closed' | 'pending' | 'snoozed')[] | undefined
  priority?: 'low' | 'medium' | 'high' | 'urgent' | undefined
  channel?: 'email' | 'chat' | 'phone' | 'whatsapp' | 'instagram' | 'twitter' | 'facebook' | 'sms' | undefined
  /** At most 128 characters. */
  assignedTo?: string | undefined
  /** At most 128 characters. */
  inboxId?: string | undefined
  /** At most 128 characters. */
  customerId?: string | undefined
  /** At most 64 characters. */
  label?: string | undefined
  /** At most 200 characters. */
  search?: string | undefined
  /** ISO 8601. */
  updatedSince?: string | undefined
  /** Default: `-updatedAt`. */
  sort?: 'createdAt' | '-createdAt' | 'updatedAt' | '-updatedAt' | 'priority' | undefined
  /** From 1 to 2147483647. Default: `1`. */
  page?: number | undefined
  /** From 1 to 100. Default: `50`. */
  limit?: number | undefined
  /** At most 512 characters. */
  cursor?: string | undefined
}

export interface CreateApiKey {
  /** At most 100 characters. */
  name: string
  /** At most 50 items. */
  permissions: readonly ('read:conversations' | 'write:conversations' | 'read:customers' | 'write:customers' | 'webhook:manage' | 'read:analytics')[]
  environment?: 'production' | 'staging' | null | undefined
  /** ISO 8601. */
  expiresAt?: string | null | undefined
  rotationPolicy?: {
    enabled: boolean
    /** From 1 to 365. */
    intervalDays: number
    /** From 0 to 90. */
    notifyDaysBefore: number
  } | null | undefined
  rateLimit?: {
    /** From 1 to 1000000. */
    requests: number
    window: string
  } | null | undefined
  /** At most 100 items. */
  ipWhitelist?: readonly string[] | null | undefined
}

export interface CreateConversation {
  /** At most 300 characters. */
  subject: string
  inboxId: string
  customerId?: string | null | undefined
  channel?: 'email' | 'chat' | 'phone' | 'whatsapp' | 'instagram' | 'twitter' | 'facebook' | 'sms' | null | undefined
  priority?: 'low' | 'medium' | 'high' | 'urgent' | null | undefined
  /** At most 50 items. */
  labels?: readonly string[] | null | undefined
  assignedTo?: string | null | undefined
  message?: CreateMessage | null | undefined
}

export interface CreateCustomer {
  /** At most 100 characters. */
  firstName?: string | null | undefined
  /** At most 100 characters. */
  lastName?: string | null | undefined
  /** At most 254 characters. */
  email?: string | null | undefined
  /** At most 40 characters. */
  phone?: string | null | undefined
  /** At most 200 characters. */
  company?: string | null | undefined
  /** At most 200 characters. */
  jobTitle?: string | null | undefined
  tier?: 'bronze' | 'silver' | 'gold' | 'platinum' | null | undefined
  /** At most 50 items. */
  tags?: readonly string[] | null | undefined
  customFields?: Record<string, JsonValue> | null | undefined
}

export interface CreateInbox {
  /** At most 100 characters. */
  name: string
  channel?: 'email' | 'chat' | 'phone' | 'whatsapp' | 'instagram' | 'twitter' | 'facebook' | 'sms' | null | undefined
  isActive?: boolean | null | undefined
  isDefault?: boolean | null | undefined
  /** At most 200 items. */
  members?: readonly string[] | null | undefined
  autoAssign?: {
    enabled?: boolean | null | undefined
    strategy?: 'round_robin' | null | undefined
    /** From 1 to 10000. */
    maxOpen?: number | null | undefined
  } | null | undefined
  widget?: {
    enabled?: boolean | null | undefined
    /** At most 50 items. */
    allowedOrigins?: readonly string[] | null | undefined
    /** At most 500 characters. */
    greeting?: string | null | undefined
    color?: string | null | undefined
    identityRequired?: boolean | null | undefined
  } | null | undefined
}

export interface CreateMessage {
  /** At most 65536 characters. */
  content: string
  type?: 'reply' | 'note' | null | undefined
  contentType?: 'text' | 'markdown' | 'html' | null | undefined
  direction?: 'inbound' | 'outbound' | null | undefined
  /** At most 10 items. */
  attachments?: readonly string[] | null | undefined
  /** At most 128 characters. */
  clientMessageId?: string | null | undefined
}

export interface CreateWebhook {
  /** At most 100 characters. */
  name: string
  /** At most 2048 characters. */
  url: string
  /** At most 100 items. */
  events: readonly ('conversation.created' | 'conversation.updated' | 'conversation.assigned' | 'conversation.closed' | 'customer.created' | 'customer.updated' | 'message.sent' | 'message.received' | 'user.created' | 'user.updated' | 'call.initiated' | 'call.ringing' | 'call.answered' | 'call.completed' | 'call.failed' | 'call.recording.available' | 'customer.deleted' | 'conversation.deleted')[]
  headers?: Record<string, string> | null | undefined
  retryPolicy?: {
    /** From 0 to 10. */
    maxRetries?: number | null | undefined
    backoffStrategy?: 'linear' | 'exponential' | null | undefined
  } | null | undefined
}

export interface CreatedApiKey {
  _id: string
  tenantId: string
  name: string
  environment: 'production' | 'staging' | (string & {})
  permissions: ('read:conversations' | 'write:conversations' | 'read:customers' | 'write:customers' | 'webhook:manage' | 'read:analytics' | (string & {}))[]
  keyPrefix: string
  keyHint: string
  isActive: boolean
  /** ISO 8601. */
  expiresAt: string | null
  rotationPolicy: {
    enabled: boolean
    intervalDays: number | null
    notifyDaysBefore: number | null
  } | null
  rateLimit: {
    requests: number
    window: string
  } | null
  ipWhitelist: string[]
  createdBy: string
  /** ISO 8601. */
  lastUsedAt: string | null
  /** ISO 8601. */
  revokedAt: string | null
  replacedBy: string | null
  /** ISO 8601. */
  rotationDueAt: string | null
  rotationDueSoon: boolean
  rotationOverdue: boolean
  /** ISO 8601. */
  createdAt: string
  /** ISO 8601. */
  updatedAt: string
  key: string
}

export interface CreatedWebhook {
  _id: string
  tenantId: string
  name: string
  url: string
  events: ('conversation.created' | 'conversation.updated' | 'conversation.assigned' | 'conversation.closed' | 'customer.created' | 'customer.updated' | 'message.sent' | 'message.received' | 'user.created' | 'user.updated' | 'call.initiated' | 'call.ringing' | 'call.answered' | 'call.completed' | 'call.failed' | 'call.recording.available' | 'customer.deleted' | 'conversation.deleted' | (string & {}))[]
  isActive: boolean
  headers: Record<string, string>
  retryPolicy: {
    maxRetries: number
    backoffStrategy: 'linear' | 'exponential' | (string & {})
  }
  health: {
    state: 'healthy' | 'failing' | 'disabled' | (string & {})
    consecutiveFailures: number
    /** ISO 8601. */
    lastSuccessAt: string | null
    /** ISO 8601. */
    lastFailureAt: string | null
    disabledReason: 'gone' | 'failing' | 'manual' | (string & {}) | null
  }
  /** ISO 8601. */
  previousSecretExpiresAt: string | null
  /** ISO 8601. */
  createdAt: string
  /** ISO 8601. */
  updatedAt: string
  secret: string
}

export interface Customer {
  _id: string
  tenantId: string
  profile: {
    firstName: string | null
    lastName: string | null
    email: string | null
    phone: string | null
    company: string | null
  }
  jobTitle: string | null
  tier: 'bronze' | 'silver' | 'gold' | 'platinum' | (string & {})
  status: 'active' | 'inactive' | 'archived' | (string & {})
  tags: string[]
  customFields: Record<string, JsonValue>
  /** ISO 8601. */
  createdAt: string
  /** ISO 8601. */
  updatedAt: string
}

export interface CustomerName {
  _id: string
  profile: {
    firstName: string | null
    lastName: string | null
  }
}

/** Filters and paging of `customers.export`. */
export interface CustomersExportQuery {
  /** Default: `json`. */
  format?: 'json' | 'csv' | undefined
}

/** Filters and paging of `customers.list`. */
export interface CustomersListQuery {
  /** At most 200 characters. */
  search?: string | undefined
  tier?: 'bronze' | 'silver' | 'gold' | 'platinum' | undefined
  status?: 'active' | 'inactive' | 'archived' | undefined
  /** At most 64 characters. */
  tags?: string | readonly string[] | undefined
  /** ISO 8601. */
  updatedSince?: string | undefined
  /** Default: `-createdAt`. */
  sort?: 'createdAt' | '-createdAt' | 'updatedAt' | '-updatedAt' | 'lastName' | undefined
  /** From 1 to 2147483647. Default: `1`. */
  page?: number | undefined
  /** From 1 to 100. Default: `20`. */
  limit?: number | undefined
  /** At most 512 characters. */
  cursor?: string | undefined
}

export interface DeleteConversation {
  /** At most 1000 characters. */
  reason?: string | null | undefined
}

export interface DeliveryLog {
  _id: string
  webhookId: string
  event: string
  status: 'pending' | 'success' | 'failed' | (string & {})
  statusCode: number | null
  attempt: number
  /** ISO 8601. */
  deliveredAt: string | null
  responseTime: number | null
  error: string | null
  errorCode: 'DNS' | 'CONNECT' | 'TLS' | 'TIMEOUT' | 'STATUS' | 'REDIRECT' | 'BLOCKED' | 'BODY' | 'ERASED' | (string & {}) | null
  eventId: string
  deliveryId: string
  /** ISO 8601. */
  nextAttemptAt: string | null
  timings: {
    dns: number | null
    connect: number | null
    tls: number | null
    firstByte: number | null
    total: number
  } | null
  remoteAddress: string | null
  /** ISO 8601. */
  createdAt: string
}

/** Filters and paging of `events.list`. */
export interface EventsListQuery {
  /** A position that the log has given out: what is shown begins behind it. Or `earliest`, the oldest event that is kept, or `latest`, the end of the log. At most 512 characters. */
  after?: string | undefined
  types?: 'conversation.created' | 'conversation.updated' | 'conversation.assigned' | 'conversation.closed' | 'customer.created' | 'customer.updated' | 'message.sent' | 'message.received' | 'user.created' | 'user.updated' | 'call.initiated' | 'call.ringing' | 'call.answered' | 'call.completed' | 'call.failed' | 'call.recording.available' | 'customer.deleted' | 'conversation.deleted' | readonly ('conversation.created' | 'conversation.updated' | 'conversation.assigned' | 'conversation.closed' | 'customer.created' | 'customer.updated' | 'message.sent' | 'message.received' | 'user.created' | 'user.updated' | 'call.initiated' | 'call.ringing' | 'call.answered' | 'call.completed' | 'call.failed' | 'call.recording.available' | 'customer.deleted' | 'conversation.deleted')[] | undefined
  /** From 1 to 100. Default: `20`. */
  limit?: number | undefined
}

/** Filters and paging of `events.stream`. */
export interface EventsStreamQuery {
  /** A position that the log has given out: what is shown begins behind it. Or `earliest`, the oldest event that is kept, or `latest`, the end of the log. At most 512 characters. */
  after?: string | undefined
  types?: 'conversation.created' | 'conversation.updated' | 'conversation.assigned' | 'conversation.closed' | 'customer.created' | 'customer.updated' | 'message.sent' | 'message.received' | 'user.created' | 'user.updated' | 'call.initiated' | 'call.ringing' | 'call.answered' | 'call.completed' | 'call.failed' | 'call.recording.available' | 'customer.deleted' | 'conversation.deleted' | readonly ('conversation.created' | 'conversation.updated' | 'conversation.assigned' | 'conversation.closed' | 'customer.created' | 'customer.updated' | 'message.sent' | 'message.received' | 'user.created' | 'user.updated' | 'call.initiated' | 'call.ringing' | 'call.answered' | 'call.completed' | 'call.failed' | 'call.recording.available' | 'customer.deleted' | 'conversation.deleted')[] | undefined
}

export interface Health {
  status: 'ok'
  version: string
  uptimeSeconds: number
  checks: {
    storage: 'ok' | 'failing' | (string & {})
    jobs: 'ok' | 'failing' | (string & {})
  }
}

export interface Inbox {
  _id: string
  tenantId: string
  name: string
  channel: 'email' | 'chat' | 'phone' | 'whatsapp' | 'instagram' | 'twitter' | 'facebook' | 'sms' | (string & {})
  isActive: boolean
  isDefault: boolean
  members: string[]
  autoAssign: {
    enabled: boolean
    strategy: 'round_robin'
    maxOpen: number | null
  }
  widget: {
    enabled: boolean
    publicKey: string | null
    allowedOrigins: string[]
    greeting: string | null
    color: string | null
    identityRequired: boolean
    identitySecretPrefix: string | null
    /** ISO 8601. */
    previousIdentitySecretExpiresAt: string | null
  }
  /** ISO 8601. */
  createdAt: string
  /** ISO 8601. */
  updatedAt: string
}

export interface InboxWithWidgetSecret {
  _id: string
  tenantId: string
  name: string
  channel: 'email' | 'chat' | 'phone' | 'whatsapp' | 'instagram' | 'twitter' | 'facebook' | 'sms' | (string & {})
  isActive: boolean
  isDefault: boolean
  members: string[]
  autoAssign: {
    enabled: boolean
    strategy: 'round_robin'
    maxOpen: number | null
  }
  widget: {
    enabled: boolean
    publicKey: string | null
    allowedOrigins: string[]
    greeting: string | null
    color: string | null
    identityRequired: boolean
    identitySecretPrefix: string | null
    /** ISO 8601. */
    previousIdentitySecretExpiresAt: string | null
  }
  /** ISO 8601. */
  createdAt: string
  /** ISO 8601. */
  updatedAt: string
  secret: string
}

/** Filters and paging of `inboxes.list`. */
export interface InboxesListQuery {
  /** From 1 to 2147483647. Default: `1`. */
  page?: number | undefined
  /** From 1 to 100. Default: `20`. */
  limit?: number | undefined
  /** At most 512 characters. */
  cursor?: string | undefined
}

export interface InviteUser {
  /** At most 254 characters. */
  email: string
  role: 'viewer' | 'agent' | 'admin' | 'owner'
  /** At most 100 characters. */
  firstName?: string | null | undefined
  /** At most 100 characters. */
  lastName?: string | null | undefined
}

export interface InvitedUser {
  _id: string
  tenantId: string
  email: string
  firstName: string | null
  lastName: string | null
  role: 'viewer' | 'agent' | 'admin' | 'owner' | (string & {})
  isActive: boolean
  availability: 'online' | 'away' | 'offline' | (string & {})
  processingRestricted: boolean
  /** ISO 8601. */
  createdAt: string
  /** ISO 8601. */
  updatedAt: string
  inviteToken: string
  /** ISO 8601. */
  inviteExpiresAt: string
}

/** Any JSON. */
export type JsonValue = string | number | boolean | null | JsonValue[] | { [key: string]: JsonValue }

export interface Labels {
  /** At most 50 items. */
  labels: readonly string[]
}

/** What webhooks get. Once its subject was erased, `data` is `{_id, erased: true}` and `changes` is gone. */
export interface LoggedEvent {
  id: string
  event: 'conversation.created' | 'conversation.updated' | 'conversation.assigned' | 'conversation.closed' | 'customer.created' | 'customer.updated' | 'message.sent' | 'message.received' | 'user.created' | 'user.updated' | 'call.initiated' | 'call.ringing' | 'call.answered' | 'call.completed' | 'call.failed' | 'call.recording.available' | 'customer.deleted' | 'conversation.deleted' | (string & {})
  /** ISO 8601. */
  timestamp: string
  data: Record<string, JsonValue>
  changes?: Record<string, {
    from: JsonValue
    to: JsonValue
  }>
}

export interface Login {
  /** At most 254 characters. */
  email: string
  /** At most 128 characters. */
  password: string
  /** At most 128 characters. */
  tenantId?: string | null | undefined
}

export interface MakeWidgetSecret {
  /** From 0 to 604800. */
  overlapSeconds?: number | null | undefined
}

export interface Me {
  user: User
  tenant: {
    _id: string
    name: string
  }
  memberships: {
    userId: string
    role: 'viewer' | 'agent' | 'admin' | 'owner' | (string & {})
    tenant: {
      _id: string
      name: string
    }
  }[]
}

export interface MergeCustomers {
  sourceId: string
}

export interface Message {
  _id: string
  tenantId: string
  conversationId: string
  type: 'reply' | 'note' | 'activity' | (string & {})
  direction: 'inbound' | 'outbound' | 'internal' | (string & {})
  sender: {
    type: 'user' | 'customer' | 'system' | 'api' | (string & {})
    _id: string | null
    name: string | null
  }
  content: string
  contentType: 'text' | 'markdown' | 'html' | (string & {})
  attachments: Attachment[]
  status: 'queued' | 'sent' | 'delivered' | 'read' | 'failed' | (string & {})
  clientMessageId: string | null
  externalId: string | null
  /** ISO 8601. */
  createdAt: string
  /** ISO 8601. */
  updatedAt: string
}

/** Filters and paging of `messages.list`. */
export interface MessagesListQuery {
  /** Default: `asc`. */
  order?: 'asc' | 'desc' | undefined
  /** From 1 to 2147483647. Default: `1`. */
  page?: number | undefined
  /** From 1 to 100. Default: `50`. */
  limit?: number | undefined
  /** At most 512 characters. */
  cursor?: string | undefined
}

export interface Pagination {
  total: number
  page: number
  limit: number
  totalPages: number
  totalIsEstimate: boolean
  nextCursor: string | null
}

export interface PopulatedConversation {
  _id: string
  tenantId: string
  subject: string
  status: 'open' | 'closed' | 'pending' | 'snoozed' | (string & {})
  priority: 'low' | 'medium' | 'high' | 'urgent' | (string & {})
  channel: 'email' | 'chat' | 'phone' | 'whatsapp' | 'instagram' | 'twitter' | 'facebook' | 'sms' | (string & {})
  source: 'widget' | 'phone' | 'api' | 'email' | (string & {})
  customerId: Customer | CustomerName | null
  assignedTo: UserSummary | null
  inboxId: string
  labels: string[]
  /** ISO 8601. */
  snoozedUntil: string | null
  wakeOnReply: boolean
  /** ISO 8601. */
  lastMessageAt: string | null
  messageCount: number
  /** ISO 8601. */
  firstResponseAt: string | null
  /** ISO 8601. */
  closedAt: string | null
  readAt: {
    /** ISO 8601. */
    customer: string | null
    /** ISO 8601. */
    agent: string | null
  }
  rating: {
    score: number
    comment: string | null
    /** ISO 8601. */
    at: string
  } | null
  externalIds: string[]
  /** ISO 8601. */
  createdAt: string
  /** ISO 8601. */
  updatedAt: string
}

export interface RecoverDeliveries {
  /** ISO 8601. */
  since: string
  /** ISO 8601. */
  until?: string | null | undefined
  dryRun?: boolean | null | undefined
  /** At most 200 characters. */
  cursor?: string | null | undefined
}

export interface RecoveredDeliveries {
  matched: number
  created: number
  nextCursor: string | null
}

export interface Refresh {
  /** At most 512 characters. */
  refreshToken: string
}

export interface Register {
  /** At most 100 characters. */
  tenantName: string
  /** At most 254 characters. */
  email: string
  /** 10 to 128 characters. */
  password: string
  /** At most 100 characters. */
  firstName?: string | null | undefined
  /** At most 100 characters. */
  lastName?: string | null | undefined
}

export interface RotateApiKey {
  /** From 0 to 604800. */
  overlapSeconds?: number | null | undefined
}

export interface RotateWebhookSecret {
  /** From 0 to 604800. */
  overlapSeconds?: number | null | undefined
}

export interface Session {
  accessToken: string
  refreshToken: string
  tokenType: 'Bearer'
  expiresIn: 900
  user: User
  tenant: {
    _id: string
    name: string
  }
}

export interface Tenant {
  _id: string
  name: string
  isSuspended: boolean
  /** ISO 8601. */
  createdAt: string
  /** ISO 8601. */
  updatedAt: string
}

/** Filters and paging of `tenant.auditLog`. */
export interface TenantAuditLogQuery {
  /** From 1 to 2147483647. Default: `1`. */
  page?: number | undefined
  /** From 1 to 100. Default: `20`. */
  limit?: number | undefined
  /** At most 512 characters. */
  cursor?: string | undefined
}

export interface TestedDelivery {
  _id: string
  webhookId: string
  event: string
  status: 'pending' | 'success' | 'failed' | (string & {})
  statusCode: number | null
  attempt: number
  /** ISO 8601. */
  deliveredAt: string | null
  responseTime: number | null
  error: string | null
  errorCode: 'DNS' | 'CONNECT' | 'TLS' | 'TIMEOUT' | 'STATUS' | 'REDIRECT' | 'BLOCKED' | 'BODY' | 'ERASED' | (string & {}) | null
  eventId: string
  deliveryId: string
  /** ISO 8601. */
  nextAttemptAt: string | null
  timings: {
    dns: number | null
    connect: number | null
    tls: number | null
    firstByte: number | null
    total: number
  } | null
  remoteAddress: string | null
  /** ISO 8601. */
  createdAt: string
  request: {
    method: 'POST'
    url: string
    headers: Record<string, string>
  }
}

export interface UpdateApiKey {
  /** At most 100 characters. */
  name?: string | undefined
  /** At most 50 items. */
  permissions?: readonly ('read:conversations' | 'write:conversations' | 'read:customers' | 'write:customers' | 'webhook:manage' | 'read:analytics')[] | undefined
  isActive?: boolean | undefined
  /** ISO 8601. */
  expiresAt?: string | null | undefined
  rotationPolicy?: {
    enabled: boolean
    /** From 1 to 365. */
    intervalDays: number
    /** From 0 to 90. */
    notifyDaysBefore: number
  } | null | undefined
  rateLimit?: {
    /** From 1 to 1000000. */
    requests: number
    window: string
  } | null | undefined
  /** At most 100 items. */
  ipWhitelist?: readonly string[] | null | undefined
}

export interface UpdateConversation {
  /** At most 300 characters. */
  subject?: string | undefined
  status?: 'open' | 'closed' | 'pending' | 'snoozed' | null | undefined
  priority?: 'low' | 'medium' | 'high' | 'urgent' | null | undefined
  assignedTo?: string | null | undefined
  /** At most 50 items. */
  labels?: readonly string[] | null | undefined
  inboxId?: string | undefined
  customerId?: string | null | undefined
  channel?: 'email' | 'chat' | 'phone' | 'whatsapp' | 'instagram' | 'twitter' | 'facebook' | 'sms' | null | undefined
  /** ISO 8601. */
  snoozedUntil?: string | null | undefined
  wakeOnReply?: boolean | null | undefined
}

export interface UpdateCustomer {
  /** At most 100 characters. */
  firstName?: string | null | undefined
  /** At most 100 characters. */
  lastName?: string | null | undefined
  /** At most 254 characters. */
  email?: string | null | undefined
  /** At most 40 characters. */
  phone?: string | null | undefined
  /** At most 200 characters. */
  company?: string | null | undefined
  /** At most 200 characters. */
  jobTitle?: string | null | undefined
  tier?: 'bronze' | 'silver' | 'gold' | 'platinum' | null | undefined
  /** At most 50 items. */
  tags?: readonly string[] | null | undefined
  customFields?: Record<string, JsonValue> | null | undefined
  status?: 'active' | 'inactive' | 'archived' | null | undefined
}

export interface UpdateInbox {
  /** At most 100 characters. */
  name?: string | undefined
  channel?: 'email' | 'chat' | 'phone' | 'whatsapp' | 'instagram' | 'twitter' | 'facebook' | 'sms' | null | undefined
  isActive?: boolean | null | undefined
  isDefault?: boolean | null | undefined
  /** At most 200 items. */
  members?: readonly string[] | null | undefined
  autoAssign?: {
    enabled?: boolean | null | undefined
    strategy?: 'round_robin' | null | undefined
    /** From 1 to 10000. */
    maxOpen?: number | null | undefined
  } | null | undefined
  widget?: {
    enabled?: boolean | null | undefined
    /** At most 50 items. */
    allowedOrigins?: readonly string[] | null | undefined
    /** At most 500 characters. */
    greeting?: string | null | undefined
    color?: string | null | undefined
    identityRequired?: boolean | null | undefined
  } | null | undefined
}

export interface UpdateMe {
  /** At most 100 characters. */
  firstName?: string | null | undefined
  /** At most 100 characters. */
  lastName?: string | null | undefined
  availability?: 'online' | 'away' | 'offline' | null | undefined
}

export interface UpdateMessage {
  status?: 'delivered' | 'read' | 'failed' | undefined
}

export interface UpdateUser {
  /** At most 100 characters. */
  firstName?: string | null | undefined
  /** At most 100 characters. */
  lastName?: string | null | undefined
  availability?: 'online' | 'away' | 'offline' | null | undefined
  role?: 'viewer' | 'agent' | 'admin' | 'owner' | undefined
  isActive?: boolean | undefined
}

export interface UpdateWebhook {
  /** At most 100 characters. */
  name?: string | undefined
  /** At most 2048 characters. */
  url?: string | undefined
  /** At most 100 items. */
  events?: readonly ('conversation.created' | 'conversation.updated' | 'conversation.assigned' | 'conversation.closed' | 'customer.created' | 'customer.updated' | 'message.sent' | 'message.received' | 'user.created' | 'user.updated' | 'call.initiated' | 'call.ringing' | 'call.answered' | 'call.completed' | 'call.failed' | 'call.recording.available' | 'customer.deleted' | 'conversation.deleted')[] | undefined
  isActive?: boolean | null | undefined
  headers?: Record<string, string> | null | undefined
  retryPolicy?: {
    /** From 0 to 10. */
    maxRetries?: number | null | undefined
    backoffStrategy?: 'linear' | 'exponential' | null | undefined
  } | null | undefined
}

export interface User {
  _id: string
  tenantId: string
  email: string
  firstName: string | null
  lastName: string | null
  role: 'viewer' | 'agent' | 'admin' | 'owner' | (string & {})
  isActive: boolean
  availability: 'online' | 'away' | 'offline' | (string & {})
  processingRestricted: boolean
  /** ISO 8601. */
  createdAt: string
  /** ISO 8601. */
  updatedAt: string
}

export interface UserSummary {
  _id: string
  email: string
  firstName: string | null
  lastName: string | null
}

/** Filters and paging of `users.list`. */
export interface UsersListQuery {
  /** From 1 to 2147483647. Default: `1`. */
  page?: number | undefined
  /** From 1 to 100. Default: `20`. */
  limit?: number | undefined
  /** At most 512 characters. */
  cursor?: string | undefined
}

export interface Webhook {
  _id: string
  tenantId: string
  name: string
  url: string
  events: ('conversation.created' | 'conversation.updated' | 'conversation.assigned' | 'conversation.closed' | 'customer.created' | 'customer.updated' | 'message.sent' | 'message.received' | 'user.created' | 'user.updated' | 'call.initiated' | 'call.ringing' | 'call.answered' | 'call.completed' | 'call.failed' | 'call.recording.available' | 'customer.deleted' | 'conversation.deleted' | (string & {}))[]
  isActive: boolean
  headers: Record<string, string>
  retryPolicy: {
    maxRetries: number
    backoffStrategy: 'linear' | 'exponential' | (string & {})
  }
  health: {
    state: 'healthy' | 'failing' | 'disabled' | (string & {})
    consecutiveFailures: number
    /** ISO 8601. */
    lastSuccessAt: string | null
    /** ISO 8601. */
    lastFailureAt: string | null
    disabledReason: 'gone' | 'failing' | 'manual' | (string & {}) | null
  }
  /** ISO 8601. */
  previousSecretExpiresAt: string | null
  /** ISO 8601. */
  createdAt: string
  /** ISO 8601. */
  updatedAt: string
}

/** Filters and paging of `webhooks.list`. */
export interface WebhooksListQuery {
  isActive?: boolean | undefined
  /** From 1 to 2147483647. Default: `1`. */
  page?: number | undefined
  /** From 1 to 100. Default: `20`. */
  limit?: number | undefined
  /** At most 512 characters. */
  cursor?: string | undefined
}

/** Filters and paging of `webhooks.logs`. */
export interface WebhooksLogsQuery {
  status?: 'pending' | 'success' | 'failed' | undefined
  /** From 1 to 2147483647. Default: `1`. */
  page?: number | undefined
  /** From 1 to 100. Default: `20`. */
  limit?: number | undefined
  /** At most 512 characters. */
  cursor?: string | undefined
}
