// Generated from the contract by scripts/generate.ts. Do not edit.
import type {
  Activity,
  ApiKey,
  ApiKeyUsage,
  Attachment,
  AuditEntry,
  BalancedColumn,
  BalancedFile,
  Call,
  CannedReply,
  CapabilityToken,
  ChangedConversation,
  Conversation,
  ConversationCounts,
  ConversationFigures,
  ConversationIncluded,
  ConversationLook,
  ConversationMatch,
  CreatedApiKey,
  CreatedCustomer,
  CreatedWebhook,
  Customer,
  CustomerAddress,
  CustomerDetails,
  CustomerMatch,
  CustomerMerge,
  CustomerName,
  CustomerNote,
  DeletionRequest,
  DeletionRequestReply,
  DeletionStatus,
  DeliveryLog,
  Door,
  Draft,
  DraftAuthor,
  DraftBasis,
  EmailTest,
  EventsToken,
  FileSurvey,
  Health,
  ImportBalance,
  ImportColumn,
  ImportCounts,
  ImportFile,
  ImportIssue,
  ImportRun,
  ImportStatus,
  InboundMail,
  Inbox,
  InboxDns,
  InboxWithInboundToken,
  InboxWithWidgetSecret,
  Integration,
  Invitation,
  InvitedUser,
  LastMessage,
  ListedCustomer,
  Liveness,
  LoggedDelivery,
  LoggedEvent,
  MadeChoice,
  MailAttempt,
  MailParticipant,
  Me,
  Mention,
  Message,
  MessageChoice,
  MessageEmail,
  MessageMatch,
  MessageRecipient,
  MonthlyUsage,
  OfferedRecipient,
  OwnDraft,
  OwnUser,
  PackageFile,
  PackageState,
  Pagination,
  PerformanceMetrics,
  PopulatedConversation,
  Presence,
  PresenceReply,
  PrivacyRequest,
  PrivacyRequestReply,
  PrivacyRequestSummary,
  QuotaUse,
  Quotation,
  ReadState,
  RecoveredDeliveries,
  Registration,
  RenderedReply,
  ReplyRecipients,
  Retention,
  RetentionPreview,
  RowProblem,
  SampleData,
  SearchResults,
  Session,
  SourceFields,
  StartedSignIn,
  StoredCustomer,
  SuggestedRecipient,
  SuppressedAddress,
  TagCount,
  Tenant,
  TenantExport,
  TenantExportDetails,
  TenantExportPart,
  TenantSetup,
  TestedDelivery,
  TestedIntegration,
  TimelineEntry,
  UnmergedCustomers,
  Unread,
  UsageOfMonth,
  User,
  UserSummary,
  View,
  ViewCount,
  ViewFilter,
  Webhook,
} from '../resources/types.gen.ts'
import { nextId, type Overrides, withOverrides } from './overrides.ts'

/** An activity, with fresh ids; `overrides` replaces single members, in nested objects too, and arrays as a whole. */
export function makeActivity(overrides?: Overrides<Activity>): Activity {
  const sample: Activity = {
    _id: nextId('act'),
    tenantId: nextId('ten'),
    conversationId: nextId('con'),
    at: "2026-01-01T00:00:00.000Z",
    actor: { type: "user", _id: null, name: "A name" },
    action: "created",
    changes: {},
  }
  return withOverrides(sample, overrides)
}

/** An api key, with fresh ids; `overrides` replaces single members, in nested objects too, and arrays as a whole. */
export function makeApiKey(overrides?: Overrides<ApiKey>): ApiKey {
  const sample: ApiKey = {
    _id: nextId('key'),
    tenantId: nextId('ten'),
    name: "A name",
    displayName: null,
    environment: "production",
    permissions: [],
    keyPrefix: "sk_live_",
    keyHint: "aB3d",
    isActive: true,
    expiresAt: null,
    rotationPolicy: null,
    rateLimit: null,
    ipWhitelist: [],
    createdBy: nextId('usr'),
    lastUsedAt: null,
    revokedAt: null,
    replacedBy: null,
    rotationDueAt: null,
    rotationDueSoon: false,
    rotationOverdue: false,
    createdAt: "2026-01-01T00:00:00.000Z",
    updatedAt: "2026-01-01T00:00:00.000Z",
  }
  return withOverrides(sample, overrides)
}

/** An api key usage, with fresh ids; `overrides` replaces single members, in nested objects too, and arrays as a whole. */
export function makeApiKeyUsage(overrides?: Overrides<ApiKeyUsage>): ApiKeyUsage {
  const sample: ApiKeyUsage = {
    month: "a month",
    totalRequests: 1,
    requestsByEndpoint: {},
    requestsByMethod: {},
  }
  return withOverrides(sample, overrides)
}

/** An attachment, with fresh ids; `overrides` replaces single members, in nested objects too, and arrays as a whole. */
export function makeAttachment(overrides?: Overrides<Attachment>): Attachment {
  const sample: Attachment = {
    _id: nextId('att'),
    filename: "a filename",
    contentType: "a contentType",
    size: 1,
    url: "https://receiver.example/hook",
    isInline: true,
    contentId: nextId('con'),
    removedAt: "2026-01-01T00:00:00.000Z",
  }
  return withOverrides(sample, overrides)
}

/** An audit entry, with fresh ids; `overrides` replaces single members, in nested objects too, and arrays as a whole. */
export function makeAuditEntry(overrides?: Overrides<AuditEntry>): AuditEntry {
  const sample: AuditEntry = {
    _id: nextId('aud'),
    tenantId: nextId('ten'),
    at: "2026-01-01T00:00:00.000Z",
    actor: { type: "user", _id: null },
    action: "a action",
    target: { type: "a type", _id: nextId('aud') },
    reason: null,
    changed: [],
    count: 1,
    requestId: null,
  }
  return withOverrides(sample, overrides)
}

/** A balanced column, with fresh ids; `overrides` replaces single members, in nested objects too, and arrays as a whole. */
export function makeBalancedColumn(overrides?: Overrides<BalancedColumn>): BalancedColumn {
  const sample: BalancedColumn = {
    name: "A name",
    target: null,
    cells: 1,
    stored: 1,
    kept: 1,
    named: 1,
    leftOut: 1,
  }
  return withOverrides(sample, overrides)
}

/** A balanced file, with fresh ids; `overrides` replaces single members, in nested objects too, and arrays as a whole. */
export function makeBalancedFile(overrides?: Overrides<BalancedFile>): BalancedFile {
  const sample: BalancedFile = {
    module: "Contacts",
    fileId: nextId('att'),
    filename: "a filename",
    rows: { total: 1, blank: 1, outside: 1, created: 1, updated: 1, unchanged: 1, merged: 1, skipped: 1, failed: 1, repeated: 1 },
    columns: [],
  }
  return withOverrides(sample, overrides)
}

/** A call, with fresh ids; `overrides` replaces single members, in nested objects too, and arrays as a whole. */
export function makeCall(overrides?: Overrides<Call>): Call {
  const sample: Call = {
    _id: nextId('cal'),
    tenantId: nextId('ten'),
    kind: "call",
    externalIds: [],
    callSid: null,
    conversationId: null,
    customerId: null,
    candidates: [],
    agentId: null,
    direction: "inbound",
    from: null,
    to: null,
    status: "initiated",
    failureReason: null,
    startedAt: null,
    answeredAt: null,
    endedAt: null,
    durationSeconds: null,
    recording: { available: false, url: "https://receiver.example/hook", durationSeconds: null },
    metadata: { notes: null, tags: [], rating: null },
    createdAt: "2026-01-01T00:00:00.000Z",
    updatedAt: "2026-01-01T00:00:00.000Z",
  }
  return withOverrides(sample, overrides)
}

/** A canned reply, with fresh ids; `overrides` replaces single members, in nested objects too, and arrays as a whole. */
export function makeCannedReply(overrides?: Overrides<CannedReply>): CannedReply {
  const sample: CannedReply = {
    _id: nextId('rep'),
    tenantId: nextId('ten'),
    shortcut: "a shortcut",
    title: "a title",
    content: "Hello",
    contentType: "text",
    inboxIds: [],
    isShared: true,
    ownerId: null,
    createdAt: "2026-01-01T00:00:00.000Z",
    updatedAt: "2026-01-01T00:00:00.000Z",
  }
  return withOverrides(sample, overrides)
}

/** A capability token, with fresh ids; `overrides` replaces single members, in nested objects too, and arrays as a whole. */
export function makeCapabilityToken(overrides?: Overrides<CapabilityToken>): CapabilityToken {
  const sample: CapabilityToken = {
    capabilityToken: "a capabilityToken",
    clientName: "a clientName",
    provider: "twilio",
  }
  return withOverrides(sample, overrides)
}

/** A changed conversation, with fresh ids; `overrides` replaces single members, in nested objects too, and arrays as a whole. */
export function makeChangedConversation(overrides?: Overrides<ChangedConversation>): ChangedConversation {
  const sample: ChangedConversation = {
    _id: nextId('con'),
    result: "changed",
    code: "a code",
  }
  return withOverrides(sample, overrides)
}

/** A conversation, with fresh ids; `overrides` replaces single members, in nested objects too, and arrays as a whole. */
export function makeConversation(overrides?: Overrides<Conversation>): Conversation {
  const sample: Conversation = {
    _id: nextId('con'),
    tenantId: nextId('ten'),
    subject: "A question",
    status: "open",
    priority: "low",
    channel: "email",
    source: "widget",
    customerId: null,
    assignedTo: null,
    inboxId: nextId('inb'),
    labels: [],
    snoozedUntil: null,
    wakeOnReply: false,
    lastMessageAt: null,
    lastMessage: makeLastMessage(),
    lastCustomerMessageAt: null,
    waitingSince: null,
    messageCount: 1,
    seq: 1,
    firstResponseAt: null,
    closedAt: null,
    readAt: { customer: null, agent: null },
    rating: null,
    externalIds: [],
    page: null,
    customFields: {},
    participants: [],
    previousConversationId: null,
    mergedInto: null,
    mergedFrom: [],
    createdAt: "2026-01-01T00:00:00.000Z",
    updatedAt: "2026-01-01T00:00:00.000Z",
    unread: makeUnread(),
  }
  return withOverrides(sample, overrides)
}

/** A conversation counts, with fresh ids; `overrides` replaces single members, in nested objects too, and arrays as a whole. */
export function makeConversationCounts(overrides?: Overrides<ConversationCounts>): ConversationCounts {
  const sample: ConversationCounts = {
    views: {},
  }
  return withOverrides(sample, overrides)
}

/** A conversation figures, with fresh ids; `overrides` replaces single members, in nested objects too, and arrays as a whole. */
export function makeConversationFigures(overrides?: Overrides<ConversationFigures>): ConversationFigures {
  const sample: ConversationFigures = {
    key: "sk_live_sample",
    created: 1,
    createdByChannel: null,
    closed: 1,
    firstResponse: { count: 1, p50Ms: null, p90Ms: null },
  }
  return withOverrides(sample, overrides)
}

/** A conversation included, with fresh ids; `overrides` replaces single members, in nested objects too, and arrays as a whole. */
export function makeConversationIncluded(overrides?: Overrides<ConversationIncluded>): ConversationIncluded {
  const sample: ConversationIncluded = {
    messages: { data: [], pagination: makePagination() },
    activities: { data: [], pagination: makePagination() },
    drafts: { data: [], pagination: makePagination() },
    recipients: makeReplyRecipients(),
  }
  return withOverrides(sample, overrides)
}

/** A conversation look, with fresh ids; `overrides` replaces single members, in nested objects too, and arrays as a whole. */
export function makeConversationLook(overrides?: Overrides<ConversationLook>): ConversationLook {
  const sample: ConversationLook = {
    success: true,
    data: makePopulatedConversation(),
    included: makeConversationIncluded(),
  }
  return withOverrides(sample, overrides)
}

/** A conversation match, with fresh ids; `overrides` replaces single members, in nested objects too, and arrays as a whole. */
export function makeConversationMatch(overrides?: Overrides<ConversationMatch>): ConversationMatch {
  const sample: ConversationMatch = {
    conversation: makeConversation(),
    matched: null,
  }
  return withOverrides(sample, overrides)
}

/** A created api key, with fresh ids; `overrides` replaces single members, in nested objects too, and arrays as a whole. */
export function makeCreatedApiKey(overrides?: Overrides<CreatedApiKey>): CreatedApiKey {
  const sample: CreatedApiKey = {
    _id: nextId('key'),
    tenantId: nextId('ten'),
    name: "A name",
    displayName: null,
    environment: "production",
    permissions: [],
    keyPrefix: "sk_live_",
    keyHint: "aB3d",
    isActive: true,
    expiresAt: null,
    rotationPolicy: null,
    rateLimit: null,
    ipWhitelist: [],
    createdBy: nextId('usr'),
    lastUsedAt: null,
    revokedAt: null,
    replacedBy: null,
    rotationDueAt: null,
    rotationDueSoon: false,
    rotationOverdue: false,
    createdAt: "2026-01-01T00:00:00.000Z",
    updatedAt: "2026-01-01T00:00:00.000Z",
    key: "sk_live_sample",
  }
  return withOverrides(sample, overrides)
}

/** A created customer, with fresh ids; `overrides` replaces single members, in nested objects too, and arrays as a whole. */
export function makeCreatedCustomer(overrides?: Overrides<CreatedCustomer>): CreatedCustomer {
  const sample: CreatedCustomer = {
    index: 1,
    _id: null,
    result: "created",
    code: null,
    customer: makeCustomer(),
    problems: [],
  }
  return withOverrides(sample, overrides)
}

/** A created webhook, with fresh ids; `overrides` replaces single members, in nested objects too, and arrays as a whole. */
export function makeCreatedWebhook(overrides?: Overrides<CreatedWebhook>): CreatedWebhook {
  const sample: CreatedWebhook = {
    _id: nextId('whk'),
    tenantId: nextId('ten'),
    name: "A name",
    url: "https://receiver.example/hook",
    events: [],
    isActive: true,
    headers: {},
    retryPolicy: { maxRetries: 1, backoffStrategy: "linear" },
    health: { state: "healthy", consecutiveFailures: 1, lastSuccessAt: null, lastFailureAt: null, disabledReason: null },
    previousSecretExpiresAt: null,
    createdAt: "2026-01-01T00:00:00.000Z",
    updatedAt: "2026-01-01T00:00:00.000Z",
    secret: "whsec_c2FtcGxlIHNlY3JldA==",
  }
  return withOverrides(sample, overrides)
}

/** A customer, with fresh ids; `overrides` replaces single members, in nested objects too, and arrays as a whole. */
export function makeCustomer(overrides?: Overrides<Customer>): Customer {
  const sample: Customer = {
    _id: nextId('cus'),
    tenantId: nextId('ten'),
    profile: { firstName: "Ada", lastName: "Lovelace", email: "ada@example.com", phone: null, company: "Engines Ltd" },
    jobTitle: null,
    tier: "bronze",
    status: "active",
    tags: [],
    customFields: {},
    externalIds: [],
    blockedAt: null,
    lastContactAt: null,
    createdAt: "2026-01-01T00:00:00.000Z",
    updatedAt: "2026-01-01T00:00:00.000Z",
  }
  return withOverrides(sample, overrides)
}

/** A customer address, with fresh ids; `overrides` replaces single members, in nested objects too, and arrays as a whole. */
export function makeCustomerAddress(overrides?: Overrides<CustomerAddress>): CustomerAddress {
  const sample: CustomerAddress = {
    address: "a address",
    since: "2026-01-01T00:00:00.000Z",
    until: null,
    source: "profile",
  }
  return withOverrides(sample, overrides)
}

/** A customer details, with fresh ids; `overrides` replaces single members, in nested objects too, and arrays as a whole. */
export function makeCustomerDetails(overrides?: Overrides<CustomerDetails>): CustomerDetails {
  const sample: CustomerDetails = {
    _id: nextId('cus'),
    tenantId: nextId('ten'),
    profile: { firstName: "Ada", lastName: "Lovelace", email: "ada@example.com", phone: null, company: "Engines Ltd" },
    jobTitle: null,
    tier: "bronze",
    status: "active",
    tags: [],
    customFields: {},
    externalIds: [],
    blockedAt: null,
    lastContactAt: null,
    createdAt: "2026-01-01T00:00:00.000Z",
    updatedAt: "2026-01-01T00:00:00.000Z",
    addresses: [],
    hasMerges: true,
  }
  return withOverrides(sample, overrides)
}

/** A customer match, with fresh ids; `overrides` replaces single members, in nested objects too, and arrays as a whole. */
export function makeCustomerMatch(overrides?: Overrides<CustomerMatch>): CustomerMatch {
  const sample: CustomerMatch = {
    customer: makeCustomer(),
    matched: "name",
  }
  return withOverrides(sample, overrides)
}

/** A customer merge, with fresh ids; `overrides` replaces single members, in nested objects too, and arrays as a whole. */
export function makeCustomerMerge(overrides?: Overrides<CustomerMerge>): CustomerMerge {
  const sample: CustomerMerge = {
    _id: nextId('cus'),
    sourceId: nextId('cus'),
    sourceName: "a sourceName",
    mergedAt: "2026-01-01T00:00:00.000Z",
    mergedBy: null,
    undoableUntil: "2026-01-01T00:00:00.000Z",
  }
  return withOverrides(sample, overrides)
}

/** A customer name, with fresh ids; `overrides` replaces single members, in nested objects too, and arrays as a whole. */
export function makeCustomerName(overrides?: Overrides<CustomerName>): CustomerName {
  const sample: CustomerName = {
    _id: nextId('cus'),
    profile: { firstName: "Ada", lastName: "Lovelace" },
  }
  return withOverrides(sample, overrides)
}

/** A customer note, with fresh ids; `overrides` replaces single members, in nested objects too, and arrays as a whole. */
export function makeCustomerNote(overrides?: Overrides<CustomerNote>): CustomerNote {
  const sample: CustomerNote = {
    _id: nextId('cno'),
    tenantId: nextId('ten'),
    customerId: nextId('cus'),
    content: "Hello",
    contentType: "text",
    author: makeDraftAuthor(),
    version: 1,
    createdAt: "2026-01-01T00:00:00.000Z",
    updatedAt: "2026-01-01T00:00:00.000Z",
  }
  return withOverrides(sample, overrides)
}

/** A deletion request, with fresh ids; `overrides` replaces single members, in nested objects too, and arrays as a whole. */
export function makeDeletionRequest(overrides?: Overrides<DeletionRequest>): DeletionRequest {
  const sample: DeletionRequest = {
    id: nextId('prq'),
    status: "pending",
    reason: null,
    requestedAt: "2026-01-01T00:00:00.000Z",
    dueAt: "2026-01-01T00:00:00.000Z",
    processedAt: null,
    rejectionReason: null,
    notes: null,
  }
  return withOverrides(sample, overrides)
}

/** A deletion request reply, with fresh ids; `overrides` replaces single members, in nested objects too, and arrays as a whole. */
export function makeDeletionRequestReply(overrides?: Overrides<DeletionRequestReply>): DeletionRequestReply {
  const sample: DeletionRequestReply = {
    success: true,
    message: "Done",
    request: makeDeletionRequest(),
  }
  return withOverrides(sample, overrides)
}

/** A deletion status, with fresh ids; `overrides` replaces single members, in nested objects too, and arrays as a whole. */
export function makeDeletionStatus(overrides?: Overrides<DeletionStatus>): DeletionStatus {
  const sample: DeletionStatus = {
    success: true,
    hasRequest: true,
    request: makeDeletionRequest(),
  }
  return withOverrides(sample, overrides)
}

/** A delivery log, with fresh ids; `overrides` replaces single members, in nested objects too, and arrays as a whole. */
export function makeDeliveryLog(overrides?: Overrides<DeliveryLog>): DeliveryLog {
  const sample: DeliveryLog = {
    _id: nextId('log'),
    webhookId: nextId('whk'),
    event: "a event",
    status: "pending",
    statusCode: null,
    attempt: 1,
    deliveredAt: null,
    responseTime: null,
    error: null,
    errorCode: null,
    eventId: nextId('evt'),
    deliveryId: nextId('dlv'),
    nextAttemptAt: null,
    timings: null,
    remoteAddress: null,
    createdAt: "2026-01-01T00:00:00.000Z",
  }
  return withOverrides(sample, overrides)
}

/** A door, with fresh ids; `overrides` replaces single members, in nested objects too, and arrays as a whole. */
export function makeDoor(overrides?: Overrides<Door>): Door {
  const sample: Door = {
    _id: nextId('inb'),
    tenantId: nextId('ten'),
    door: "mailbox",
    part: "receiving",
    inboxId: null,
    integrationId: null,
    reason: "a reason",
    since: "2026-01-01T00:00:00.000Z",
    waiting: 1,
    createdAt: "2026-01-01T00:00:00.000Z",
    updatedAt: "2026-01-01T00:00:00.000Z",
  }
  return withOverrides(sample, overrides)
}

/** A draft, with fresh ids; `overrides` replaces single members, in nested objects too, and arrays as a whole. */
export function makeDraft(overrides?: Overrides<Draft>): Draft {
  const sample: Draft = {
    _id: nextId('drf'),
    tenantId: nextId('ten'),
    conversationId: nextId('con'),
    author: makeDraftAuthor(),
    type: "reply",
    content: "Hello",
    contentType: "text",
    attachments: [],
    to: [],
    cc: [],
    bcc: [],
    basis: makeDraftBasis(),
    recipientsHidden: false,
    sendAt: null,
    sendUnlessReplied: false,
    basedOn: null,
    ifSeq: null,
    sendError: null,
    version: 1,
    createdAt: "2026-01-01T00:00:00.000Z",
    updatedAt: "2026-01-01T00:00:00.000Z",
  }
  return withOverrides(sample, overrides)
}

/** A draft author, with fresh ids; `overrides` replaces single members, in nested objects too, and arrays as a whole. */
export function makeDraftAuthor(overrides?: Overrides<DraftAuthor>): DraftAuthor {
  const sample: DraftAuthor = {
    type: "user",
    _id: nextId('usr'),
    name: "A name",
  }
  return withOverrides(sample, overrides)
}

/** A draft basis, with fresh ids; `overrides` replaces single members, in nested objects too, and arrays as a whole. */
export function makeDraftBasis(overrides?: Overrides<DraftBasis>): DraftBasis {
  const sample: DraftBasis = {
    door: "email",
    from: null,
    customerEmail: null,
  }
  return withOverrides(sample, overrides)
}

/** An email test, with fresh ids; `overrides` replaces single members, in nested objects too, and arrays as a whole. */
export function makeEmailTest(overrides?: Overrides<EmailTest>): EmailTest {
  const sample: EmailTest = {
    ok: false,
    steps: [],
    proposals: { authservIds: [] },
  }
  return withOverrides(sample, overrides)
}

/** An events token, with fresh ids; `overrides` replaces single members, in nested objects too, and arrays as a whole. */
export function makeEventsToken(overrides?: Overrides<EventsToken>): EventsToken {
  const sample: EventsToken = {
    _id: nextId('inb'),
    eventsToken: "a eventsToken",
  }
  return withOverrides(sample, overrides)
}

/** A file survey, with fresh ids; `overrides` replaces single members, in nested objects too, and arrays as a whole. */
export function makeFileSurvey(overrides?: Overrides<FileSurvey>): FileSurvey {
  const sample: FileSurvey = {
    status: "running",
    rows: null,
    changed: [],
    error: null,
  }
  return withOverrides(sample, overrides)
}

/** A health, with fresh ids; `overrides` replaces single members, in nested objects too, and arrays as a whole. */
export function makeHealth(overrides?: Overrides<Health>): Health {
  const sample: Health = {
    status: "ok",
    version: "a version",
    schema: 1,
    commit: null,
    uptimeSeconds: 1,
    checks: { storage: "ok", jobs: "ok" },
  }
  return withOverrides(sample, overrides)
}

/** An import balance, with fresh ids; `overrides` replaces single members, in nested objects too, and arrays as a whole. */
export function makeImportBalance(overrides?: Overrides<ImportBalance>): ImportBalance {
  const sample: ImportBalance = {
    closes: null,
    files: [],
  }
  return withOverrides(sample, overrides)
}

/** An import column, with fresh ids; `overrides` replaces single members, in nested objects too, and arrays as a whole. */
export function makeImportColumn(overrides?: Overrides<ImportColumn>): ImportColumn {
  const sample: ImportColumn = {
    position: 1,
    name: "A name",
    filled: 1,
    kind: "text",
    dateOrder: null,
    chosenDateOrder: null,
    unprovenDates: 1,
    samples: [],
    target: null,
    suggested: null,
    by: "suggested",
    values: null,
  }
  return withOverrides(sample, overrides)
}

/** An import counts, with fresh ids; `overrides` replaces single members, in nested objects too, and arrays as a whole. */
export function makeImportCounts(overrides?: Overrides<ImportCounts>): ImportCounts {
  const sample: ImportCounts = {
    total: null,
    totalIsEstimate: false,
    read: 1,
    created: 1,
    updated: 1,
    unchanged: 1,
    merged: 1,
    skipped: 1,
    failed: 1,
    deleted: 1,
    done: false,
  }
  return withOverrides(sample, overrides)
}

/** An import file, with fresh ids; `overrides` replaces single members, in nested objects too, and arrays as a whole. */
export function makeImportFile(overrides?: Overrides<ImportFile>): ImportFile {
  const sample: ImportFile = {
    _id: nextId('imp'),
    module: "Contacts",
    filename: "a filename",
    format: "csv",
    delimiter: null,
    headerRow: null,
    encoding: "utf-8",
    sheet: null,
    sheets: null,
    size: 1,
    headers: [],
    mapping: {},
    survey: makeFileSurvey(),
    outside: [],
    rowsRead: 1,
    columns: [],
    createdAt: "2026-01-01T00:00:00.000Z",
    updatedAt: "2026-01-01T00:00:00.000Z",
  }
  return withOverrides(sample, overrides)
}

/** An import issue, with fresh ids; `overrides` replaces single members, in nested objects too, and arrays as a whole. */
export function makeImportIssue(overrides?: Overrides<ImportIssue>): ImportIssue {
  const sample: ImportIssue = {
    _id: nextId('imp'),
    runId: nextId('imp'),
    severity: "error",
    module: "a module",
    externalId: null,
    row: null,
    code: "a code",
    message: "Done",
    column: null,
    value: null,
    count: 1,
    details: null,
    createdAt: "2026-01-01T00:00:00.000Z",
  }
  return withOverrides(sample, overrides)
}

/** An import run, with fresh ids; `overrides` replaces single members, in nested objects too, and arrays as a whole. */
export function makeImportRun(overrides?: Overrides<ImportRun>): ImportRun {
  const sample: ImportRun = {
    _id: nextId('imp'),
    integrationId: nextId('int'),
    trigger: "manual",
    status: "queued",
    dryRun: false,
    selection: { importContacts: false, importDeals: false, importTickets: false, importNotes: false, importActivities: false, preserveIds: false },
    dateRange: null,
    startedAt: null,
    finishedAt: null,
    resumeAt: null,
    pauseReason: null,
    error: null,
    modules: {},
    errorCount: 1,
    warningCount: 1,
    conflictsKept: 1,
    balance: makeImportBalance(),
    retryOf: null,
    undo: { status: "none", startedAt: null, finishedAt: null, removed: 1, restored: 1, kept: 1 },
    createdAt: "2026-01-01T00:00:00.000Z",
  }
  return withOverrides(sample, overrides)
}

/** An import status, with fresh ids; `overrides` replaces single members, in nested objects too, and arrays as a whole. */
export function makeImportStatus(overrides?: Overrides<ImportStatus>): ImportStatus {
  const sample: ImportStatus = {
    syncStatus: "idle",
    syncProgress: { totalRecords: 1, processedRecords: 1, currentModule: null, errors: [] },
    lastSyncAt: null,
    run: makeImportRun(),
  }
  return withOverrides(sample, overrides)
}

/** An inbound mail, with fresh ids; `overrides` replaces single members, in nested objects too, and arrays as a whole. */
export function makeInboundMail(overrides?: Overrides<InboundMail>): InboundMail {
  const sample: InboundMail = {
    _id: nextId('inb'),
    tenantId: nextId('ten'),
    inboxId: nextId('inb'),
    door: "http",
    status: "received",
    reason: null,
    envelope: { from: null, to: [] },
    from: null,
    subject: "A question",
    rfcMessageId: null,
    sizeBytes: 1,
    conversationId: null,
    messageId: null,
    duplicateOf: null,
    error: null,
    receivedAt: "2026-01-01T00:00:00.000Z",
    processedAt: null,
    rawDeletedAt: null,
    createdAt: "2026-01-01T00:00:00.000Z",
    updatedAt: "2026-01-01T00:00:00.000Z",
  }
  return withOverrides(sample, overrides)
}

/** An inbox, with fresh ids; `overrides` replaces single members, in nested objects too, and arrays as a whole. */
export function makeInbox(overrides?: Overrides<Inbox>): Inbox {
  const sample: Inbox = {
    _id: nextId('inb'),
    tenantId: nextId('ten'),
    name: "A name",
    channel: "email",
    isActive: true,
    isDefault: true,
    members: [],
    autoAssign: { enabled: false, strategy: "round_robin", onlyOnline: false, maxOpen: null },
    widget: { enabled: false, publicKey: null, allowedOrigins: [], greeting: null, color: null, identityRequired: false, showTeam: false, texts: {}, askEmail: false, replyByMail: { enabled: false, inboxId: null }, identitySecretPrefix: null, previousIdentitySecretExpiresAt: null, lastSeen: null },
    email: { address: null, displayName: null, plusAddressing: false, authservIds: [], replyToSenders: [], signature: null, sesTopicArn: null, sesConfigurationSet: null, transport: "none", sendDelaySeconds: 1, reopenDays: 1, autoReply: { enabled: false, content: "Hello" }, imap: null, smtp: null, oauth: null, hasSmtpPassword: true, hasImapPassword: true, hasMailgunSigningKey: true, hasSendgridVerificationKey: true, eventsTokenMadeAt: null, inboundTokenPrefix: null, dkim: null, domainProvenAt: null, addressProvenElsewhere: false },
    sending: { state: "active", since: null, reason: null },
    createdAt: "2026-01-01T00:00:00.000Z",
    updatedAt: "2026-01-01T00:00:00.000Z",
  }
  return withOverrides(sample, overrides)
}

/** An inbox dns, with fresh ids; `overrides` replaces single members, in nested objects too, and arrays as a whole. */
export function makeInboxDns(overrides?: Overrides<InboxDns>): InboxDns {
  const sample: InboxDns = {
    domain: "a domain",
    ok: false,
    records: [],
  }
  return withOverrides(sample, overrides)
}

/** An inbox with inbound token, with fresh ids; `overrides` replaces single members, in nested objects too, and arrays as a whole. */
export function makeInboxWithInboundToken(overrides?: Overrides<InboxWithInboundToken>): InboxWithInboundToken {
  const sample: InboxWithInboundToken = {
    _id: nextId('inb'),
    tenantId: nextId('ten'),
    name: "A name",
    channel: "email",
    isActive: true,
    isDefault: true,
    members: [],
    autoAssign: { enabled: false, strategy: "round_robin", onlyOnline: false, maxOpen: null },
    widget: { enabled: false, publicKey: null, allowedOrigins: [], greeting: null, color: null, identityRequired: false, showTeam: false, texts: {}, askEmail: false, replyByMail: { enabled: false, inboxId: null }, identitySecretPrefix: null, previousIdentitySecretExpiresAt: null, lastSeen: null },
    email: { address: null, displayName: null, plusAddressing: false, authservIds: [], replyToSenders: [], signature: null, sesTopicArn: null, sesConfigurationSet: null, transport: "none", sendDelaySeconds: 1, reopenDays: 1, autoReply: { enabled: false, content: "Hello" }, imap: null, smtp: null, oauth: null, hasSmtpPassword: true, hasImapPassword: true, hasMailgunSigningKey: true, hasSendgridVerificationKey: true, eventsTokenMadeAt: null, inboundTokenPrefix: null, dkim: null, domainProvenAt: null, addressProvenElsewhere: false },
    sending: { state: "active", since: null, reason: null },
    createdAt: "2026-01-01T00:00:00.000Z",
    updatedAt: "2026-01-01T00:00:00.000Z",
    inboundToken: "a inboundToken",
  }
  return withOverrides(sample, overrides)
}

/** An inbox with widget secret, with fresh ids; `overrides` replaces single members, in nested objects too, and arrays as a whole. */
export function makeInboxWithWidgetSecret(overrides?: Overrides<InboxWithWidgetSecret>): InboxWithWidgetSecret {
  const sample: InboxWithWidgetSecret = {
    _id: nextId('inb'),
    tenantId: nextId('ten'),
    name: "A name",
    channel: "email",
    isActive: true,
    isDefault: true,
    members: [],
    autoAssign: { enabled: false, strategy: "round_robin", onlyOnline: false, maxOpen: null },
    widget: { enabled: false, publicKey: null, allowedOrigins: [], greeting: null, color: null, identityRequired: false, showTeam: false, texts: {}, askEmail: false, replyByMail: { enabled: false, inboxId: null }, identitySecretPrefix: null, previousIdentitySecretExpiresAt: null, lastSeen: null },
    email: { address: null, displayName: null, plusAddressing: false, authservIds: [], replyToSenders: [], signature: null, sesTopicArn: null, sesConfigurationSet: null, transport: "none", sendDelaySeconds: 1, reopenDays: 1, autoReply: { enabled: false, content: "Hello" }, imap: null, smtp: null, oauth: null, hasSmtpPassword: true, hasImapPassword: true, hasMailgunSigningKey: true, hasSendgridVerificationKey: true, eventsTokenMadeAt: null, inboundTokenPrefix: null, dkim: null, domainProvenAt: null, addressProvenElsewhere: false },
    sending: { state: "active", since: null, reason: null },
    createdAt: "2026-01-01T00:00:00.000Z",
    updatedAt: "2026-01-01T00:00:00.000Z",
    secret: "whsec_c2FtcGxlIHNlY3JldA==",
  }
  return withOverrides(sample, overrides)
}

/** An integration, with fresh ids; `overrides` replaces single members, in nested objects too, and arrays as a whole. */
export function makeIntegration(overrides?: Overrides<Integration>): Integration {
  const sample: Integration = {
    _id: nextId('int'),
    tenantId: nextId('ten'),
    provider: "file",
    name: "A name",
    accountId: "10001",
    accountName: null,
    accountEmail: null,
    apiDomain: null,
    isActive: true,
    reauthRequired: false,
    lastSyncAt: null,
    syncStatus: "idle",
    syncProgress: { totalRecords: 1, processedRecords: 1, currentModule: null, errors: [] },
    importSettings: { importContacts: false, importDeals: false, importTickets: false, importNotes: false, importActivities: false, preserveIds: false },
    autoSync: { enabled: false, intervalMinutes: 1, nextRunAt: null },
    conflict: "merge",
    emitEvents: false,
    mapping: {},
    values: {},
    timeZone: null,
    dateOrder: "dmy",
    dateOrders: {},
    defaultCountry: null,
    handover: null,
    createdAt: "2026-01-01T00:00:00.000Z",
    updatedAt: "2026-01-01T00:00:00.000Z",
  }
  return withOverrides(sample, overrides)
}

/** An invitation, with fresh ids; `overrides` replaces single members, in nested objects too, and arrays as a whole. */
export function makeInvitation(overrides?: Overrides<Invitation>): Invitation {
  const sample: Invitation = {
    tenant: { name: "A name" },
    inviter: null,
    email: "ada@example.com",
    firstName: "Ada",
    lastName: "Lovelace",
    expiresAt: "2026-01-01T00:00:00.000Z",
  }
  return withOverrides(sample, overrides)
}

/** An invited user, with fresh ids; `overrides` replaces single members, in nested objects too, and arrays as a whole. */
export function makeInvitedUser(overrides?: Overrides<InvitedUser>): InvitedUser {
  const sample: InvitedUser = {
    _id: nextId('usr'),
    tenantId: nextId('ten'),
    email: "ada@example.com",
    firstName: "Ada",
    lastName: "Lovelace",
    role: "viewer",
    isActive: true,
    availability: "online",
    availabilityMode: "auto",
    availabilitySince: "2026-01-01T00:00:00.000Z",
    availabilityUntil: null,
    inviteExpiresAt: "2026-01-01T00:00:00.000Z",
    processingRestricted: false,
    createdAt: "2026-01-01T00:00:00.000Z",
    updatedAt: "2026-01-01T00:00:00.000Z",
    inviteToken: "a inviteToken",
  }
  return withOverrides(sample, overrides)
}

/** A last message, with fresh ids; `overrides` replaces single members, in nested objects too, and arrays as a whole. */
export function makeLastMessage(overrides?: Overrides<LastMessage>): LastMessage {
  const sample: LastMessage = {
    _id: nextId('msg'),
    type: "reply",
    direction: "inbound",
    senderType: "user",
    at: "2026-01-01T00:00:00.000Z",
    preview: null,
    files: 1,
  }
  return withOverrides(sample, overrides)
}

/** A listed customer, with fresh ids; `overrides` replaces single members, in nested objects too, and arrays as a whole. */
export function makeListedCustomer(overrides?: Overrides<ListedCustomer>): ListedCustomer {
  const sample: ListedCustomer = {
    _id: nextId('cus'),
    tenantId: nextId('ten'),
    profile: { firstName: "Ada", lastName: "Lovelace", email: "ada@example.com", phone: null, company: "Engines Ltd" },
    jobTitle: null,
    tier: "bronze",
    status: "active",
    tags: [],
    customFields: {},
    externalIds: [],
    blockedAt: null,
    lastContactAt: null,
    createdAt: "2026-01-01T00:00:00.000Z",
    updatedAt: "2026-01-01T00:00:00.000Z",
    openConversations: null,
  }
  return withOverrides(sample, overrides)
}

/** A liveness, with fresh ids; `overrides` replaces single members, in nested objects too, and arrays as a whole. */
export function makeLiveness(overrides?: Overrides<Liveness>): Liveness {
  const sample: Liveness = {
    status: "ok",
  }
  return withOverrides(sample, overrides)
}

/** A logged delivery, with fresh ids; `overrides` replaces single members, in nested objects too, and arrays as a whole. */
export function makeLoggedDelivery(overrides?: Overrides<LoggedDelivery>): LoggedDelivery {
  const sample: LoggedDelivery = {
    _id: nextId('log'),
    webhookId: nextId('whk'),
    event: "a event",
    status: "pending",
    statusCode: null,
    attempt: 1,
    deliveredAt: null,
    responseTime: null,
    error: null,
    errorCode: null,
    eventId: nextId('evt'),
    deliveryId: nextId('dlv'),
    nextAttemptAt: null,
    timings: null,
    remoteAddress: null,
    createdAt: "2026-01-01T00:00:00.000Z",
    request: null,
    body: null,
  }
  return withOverrides(sample, overrides)
}

/** A logged event, with fresh ids; `overrides` replaces single members, in nested objects too, and arrays as a whole. */
export function makeLoggedEvent(overrides?: Overrides<LoggedEvent>): LoggedEvent {
  const sample: LoggedEvent = {
    id: nextId('log'),
    event: "conversation.created",
    timestamp: "2026-01-01T00:00:00.000Z",
    data: {},
    changes: {},
  }
  return withOverrides(sample, overrides)
}

/** A made choice, with fresh ids; `overrides` replaces single members, in nested objects too, and arrays as a whole. */
export function makeMadeChoice(overrides?: Overrides<MadeChoice>): MadeChoice {
  const sample: MadeChoice = {
    messageId: nextId('msg'),
    choiceId: "yes",
  }
  return withOverrides(sample, overrides)
}

/** A mail attempt, with fresh ids; `overrides` replaces single members, in nested objects too, and arrays as a whole. */
export function makeMailAttempt(overrides?: Overrides<MailAttempt>): MailAttempt {
  const sample: MailAttempt = {
    attempt: 1,
    at: "2026-01-01T00:00:00.000Z",
    outcome: "sent",
    code: null,
    response: "a response",
    recipients: [],
    host: "a host",
    durationMs: 1,
  }
  return withOverrides(sample, overrides)
}

/** A mail participant, with fresh ids; `overrides` replaces single members, in nested objects too, and arrays as a whole. */
export function makeMailParticipant(overrides?: Overrides<MailParticipant>): MailParticipant {
  const sample: MailParticipant = {
    address: "a address",
    name: "A name",
    addedAt: "2026-01-01T00:00:00.000Z",
    verified: null,
  }
  return withOverrides(sample, overrides)
}

/** A me, with fresh ids; `overrides` replaces single members, in nested objects too, and arrays as a whole. */
export function makeMe(overrides?: Overrides<Me>): Me {
  const sample: Me = {
    user: makeUser(),
    tenant: { _id: nextId('ten'), name: "A name" },
    memberships: [],
    apiKey: null,
  }
  return withOverrides(sample, overrides)
}

/** A mention, with fresh ids; `overrides` replaces single members, in nested objects too, and arrays as a whole. */
export function makeMention(overrides?: Overrides<Mention>): Mention {
  const sample: Mention = {
    _id: nextId('men'),
    tenantId: nextId('ten'),
    conversationId: nextId('con'),
    messageId: nextId('msg'),
    userId: nextId('usr'),
    by: null,
    at: "2026-01-01T00:00:00.000Z",
    readAt: null,
    note: null,
  }
  return withOverrides(sample, overrides)
}

/** A message, with fresh ids; `overrides` replaces single members, in nested objects too, and arrays as a whole. */
export function makeMessage(overrides?: Overrides<Message>): Message {
  const sample: Message = {
    _id: nextId('msg'),
    tenantId: nextId('ten'),
    conversationId: nextId('con'),
    type: "reply",
    direction: "inbound",
    sender: { type: "user", _id: null, name: "A name" },
    content: "Hello",
    contentType: "text",
    attachments: [],
    status: "queued",
    clientMessageId: null,
    externalId: null,
    email: makeMessageEmail(),
    recipients: [],
    via: null,
    mentions: [],
    draftedBy: makeDraftAuthor(),
    choices: [],
    choice: makeMadeChoice(),
    sentAt: null,
    createdAt: "2026-01-01T00:00:00.000Z",
    updatedAt: "2026-01-01T00:00:00.000Z",
  }
  return withOverrides(sample, overrides)
}

/** A message choice, with fresh ids; `overrides` replaces single members, in nested objects too, and arrays as a whole. */
export function makeMessageChoice(overrides?: Overrides<MessageChoice>): MessageChoice {
  const sample: MessageChoice = {
    id: "yes",
    label: "a label",
  }
  return withOverrides(sample, overrides)
}

/** A message email, with fresh ids; `overrides` replaces single members, in nested objects too, and arrays as a whole. */
export function makeMessageEmail(overrides?: Overrides<MessageEmail>): MessageEmail {
  const sample: MessageEmail = {
    from: null,
    replyTo: null,
    replyToList: [],
    forwardedFrom: null,
    to: [],
    cc: [],
    bcc: [],
    subject: "A question",
    messageId: null,
    inReplyTo: null,
    date: null,
    verified: null,
    automated: false,
    noAutoReply: false,
    possiblyDoubled: false,
    quoted: [],
    quotedFrom: null,
    truncated: false,
  }
  return withOverrides(sample, overrides)
}

/** A message match, with fresh ids; `overrides` replaces single members, in nested objects too, and arrays as a whole. */
export function makeMessageMatch(overrides?: Overrides<MessageMatch>): MessageMatch {
  const sample: MessageMatch = {
    messageId: nextId('msg'),
    conversationId: nextId('con'),
    subject: "A question",
    customer: null,
    type: "reply",
    direction: "inbound",
    at: "2026-01-01T00:00:00.000Z",
    snippet: "a snippet",
    ranges: [],
  }
  return withOverrides(sample, overrides)
}

/** A message recipient, with fresh ids; `overrides` replaces single members, in nested objects too, and arrays as a whole. */
export function makeMessageRecipient(overrides?: Overrides<MessageRecipient>): MessageRecipient {
  const sample: MessageRecipient = {
    address: "a address",
    kind: "to",
    status: "queued",
    code: null,
    text: null,
    bouncedAt: null,
    complainedAt: null,
  }
  return withOverrides(sample, overrides)
}

/** A monthly usage, with fresh ids; `overrides` replaces single members, in nested objects too, and arrays as a whole. */
export function makeMonthlyUsage(overrides?: Overrides<MonthlyUsage>): MonthlyUsage {
  const sample: MonthlyUsage = {
    month: "a month",
    usage: { totalRequests: 1, requestsOutsidePlan: 1, requestsByEndpoint: {}, requestsByMethod: {} },
    limits: { apiCalls: 1, isUnlimited: true },
    overage: { requests: 1, percentage: 1 },
  }
  return withOverrides(sample, overrides)
}

/** An offered recipient, with fresh ids; `overrides` replaces single members, in nested objects too, and arrays as a whole. */
export function makeOfferedRecipient(overrides?: Overrides<OfferedRecipient>): OfferedRecipient {
  const sample: OfferedRecipient = {
    address: null,
    name: "A name",
    kind: "to",
    reason: "reply_to",
  }
  return withOverrides(sample, overrides)
}

/** An own draft, with fresh ids; `overrides` replaces single members, in nested objects too, and arrays as a whole. */
export function makeOwnDraft(overrides?: Overrides<OwnDraft>): OwnDraft {
  const sample: OwnDraft = {
    _id: nextId('drf'),
    tenantId: nextId('ten'),
    conversationId: nextId('con'),
    author: makeDraftAuthor(),
    type: "reply",
    content: "Hello",
    contentType: "text",
    attachments: [],
    to: [],
    cc: [],
    bcc: [],
    basis: makeDraftBasis(),
    recipientsHidden: false,
    sendAt: null,
    sendUnlessReplied: false,
    basedOn: null,
    ifSeq: null,
    sendError: null,
    version: 1,
    createdAt: "2026-01-01T00:00:00.000Z",
    updatedAt: "2026-01-01T00:00:00.000Z",
    conversation: { _id: nextId('con'), subject: "A question", status: "open", channel: "email", customer: null },
  }
  return withOverrides(sample, overrides)
}

/** An own user, with fresh ids; `overrides` replaces single members, in nested objects too, and arrays as a whole. */
export function makeOwnUser(overrides?: Overrides<OwnUser>): OwnUser {
  const sample: OwnUser = {
    _id: nextId('usr'),
    tenantId: nextId('ten'),
    email: "ada@example.com",
    firstName: "Ada",
    lastName: "Lovelace",
    role: "viewer",
    isActive: true,
    availability: "online",
    availabilityMode: "auto",
    availabilitySince: "2026-01-01T00:00:00.000Z",
    availabilityUntil: null,
    inviteExpiresAt: null,
    processingRestricted: false,
    createdAt: "2026-01-01T00:00:00.000Z",
    updatedAt: "2026-01-01T00:00:00.000Z",
    imageSenders: [],
  }
  return withOverrides(sample, overrides)
}

/** A package file, with fresh ids; `overrides` replaces single members, in nested objects too, and arrays as a whole. */
export function makePackageFile(overrides?: Overrides<PackageFile>): PackageFile {
  const sample: PackageFile = {
    path: "a path",
    size: 1,
    sha256: "a sha256",
  }
  return withOverrides(sample, overrides)
}

/** A package state, with fresh ids; `overrides` replaces single members, in nested objects too, and arrays as a whole. */
export function makePackageState(overrides?: Overrides<PackageState>): PackageState {
  const sample: PackageState = {
    accountId: null,
    files: [],
    missing: [],
    complete: false,
  }
  return withOverrides(sample, overrides)
}

/** A pagination, with fresh ids; `overrides` replaces single members, in nested objects too, and arrays as a whole. */
export function makePagination(overrides?: Overrides<Pagination>): Pagination {
  const sample: Pagination = {
    total: 1,
    page: 1,
    limit: 1,
    totalPages: 1,
    totalIsEstimate: false,
    nextCursor: null,
  }
  return withOverrides(sample, overrides)
}

/** A performance metrics, with fresh ids; `overrides` replaces single members, in nested objects too, and arrays as a whole. */
export function makePerformanceMetrics(overrides?: Overrides<PerformanceMetrics>): PerformanceMetrics {
  const sample: PerformanceMetrics = {
    month: "a month",
    averageResponseTime: 1,
    p95ResponseTime: 1,
    p99ResponseTime: 1,
    errorRate: 1,
    totalRequests: 1,
    successfulRequests: 1,
    failedRequests: 1,
  }
  return withOverrides(sample, overrides)
}

/** A populated conversation, with fresh ids; `overrides` replaces single members, in nested objects too, and arrays as a whole. */
export function makePopulatedConversation(overrides?: Overrides<PopulatedConversation>): PopulatedConversation {
  const sample: PopulatedConversation = {
    _id: nextId('con'),
    tenantId: nextId('ten'),
    subject: "A question",
    status: "open",
    priority: "low",
    channel: "email",
    source: "widget",
    customerId: null,
    assignedTo: makeUserSummary(),
    inboxId: nextId('inb'),
    labels: [],
    snoozedUntil: null,
    wakeOnReply: false,
    lastMessageAt: null,
    lastMessage: makeLastMessage(),
    lastCustomerMessageAt: null,
    waitingSince: null,
    messageCount: 1,
    seq: 1,
    firstResponseAt: null,
    closedAt: null,
    readAt: { customer: null, agent: null },
    rating: null,
    externalIds: [],
    page: null,
    customFields: {},
    participants: [],
    previousConversationId: null,
    mergedInto: null,
    mergedFrom: [],
    createdAt: "2026-01-01T00:00:00.000Z",
    updatedAt: "2026-01-01T00:00:00.000Z",
    unread: makeUnread(),
  }
  return withOverrides(sample, overrides)
}

/** A presence, with fresh ids; `overrides` replaces single members, in nested objects too, and arrays as a whole. */
export function makePresence(overrides?: Overrides<Presence>): Presence {
  const sample: Presence = {
    user: { _id: nextId('usr'), firstName: "Ada", lastName: "Lovelace" },
    state: "viewing",
    since: "2026-01-01T00:00:00.000Z",
  }
  return withOverrides(sample, overrides)
}

/** A presence reply, with fresh ids; `overrides` replaces single members, in nested objects too, and arrays as a whole. */
export function makePresenceReply(overrides?: Overrides<PresenceReply>): PresenceReply {
  const sample: PresenceReply = {
    success: true,
    data: [],
    read: makeReadState(),
  }
  return withOverrides(sample, overrides)
}

/** A privacy request, with fresh ids; `overrides` replaces single members, in nested objects too, and arrays as a whole. */
export function makePrivacyRequest(overrides?: Overrides<PrivacyRequest>): PrivacyRequest {
  const sample: PrivacyRequest = {
    _id: nextId('prq'),
    tenantId: nextId('ten'),
    userId: nextId('usr'),
    type: "deletion",
    status: "pending",
    reason: null,
    details: null,
    field: null,
    currentValue: null,
    requestedValue: null,
    notes: null,
    rejectionReason: null,
    dueAt: "2026-01-01T00:00:00.000Z",
    isOverdue: true,
    processedAt: null,
    completedAt: null,
    createdAt: "2026-01-01T00:00:00.000Z",
    updatedAt: "2026-01-01T00:00:00.000Z",
  }
  return withOverrides(sample, overrides)
}

/** A privacy request reply, with fresh ids; `overrides` replaces single members, in nested objects too, and arrays as a whole. */
export function makePrivacyRequestReply(overrides?: Overrides<PrivacyRequestReply>): PrivacyRequestReply {
  const sample: PrivacyRequestReply = {
    success: true,
    message: "Done",
    request: makePrivacyRequestSummary(),
  }
  return withOverrides(sample, overrides)
}

/** A privacy request summary, with fresh ids; `overrides` replaces single members, in nested objects too, and arrays as a whole. */
export function makePrivacyRequestSummary(overrides?: Overrides<PrivacyRequestSummary>): PrivacyRequestSummary {
  const sample: PrivacyRequestSummary = {
    id: nextId('prq'),
    type: "access",
    requestType: "deletion",
    status: "pending",
    requestedAt: "2026-01-01T00:00:00.000Z",
    dueAt: "2026-01-01T00:00:00.000Z",
  }
  return withOverrides(sample, overrides)
}

/** A quota use, with fresh ids; `overrides` replaces single members, in nested objects too, and arrays as a whole. */
export function makeQuotaUse(overrides?: Overrides<QuotaUse>): QuotaUse {
  const sample: QuotaUse = {
    used: 1,
    limit: 1,
  }
  return withOverrides(sample, overrides)
}

/** A quotation, with fresh ids; `overrides` replaces single members, in nested objects too, and arrays as a whole. */
export function makeQuotation(overrides?: Overrides<Quotation>): Quotation {
  const sample: Quotation = {
    from: 1,
    to: 1,
    messageId: null,
  }
  return withOverrides(sample, overrides)
}

/** A read state, with fresh ids; `overrides` replaces single members, in nested objects too, and arrays as a whole. */
export function makeReadState(overrides?: Overrides<ReadState>): ReadState {
  const sample: ReadState = {
    conversationId: nextId('con'),
    seq: 1,
    unread: makeUnread(),
  }
  return withOverrides(sample, overrides)
}

/** A recovered deliveries, with fresh ids; `overrides` replaces single members, in nested objects too, and arrays as a whole. */
export function makeRecoveredDeliveries(overrides?: Overrides<RecoveredDeliveries>): RecoveredDeliveries {
  const sample: RecoveredDeliveries = {
    matched: 1,
    created: 1,
    nextCursor: null,
  }
  return withOverrides(sample, overrides)
}

/** A registration, with fresh ids; `overrides` replaces single members, in nested objects too, and arrays as a whole. */
export function makeRegistration(overrides?: Overrides<Registration>): Registration {
  const sample: Registration = {
    open: false,
    first: false,
    setupToken: false,
  }
  return withOverrides(sample, overrides)
}

/** A rendered reply, with fresh ids; `overrides` replaces single members, in nested objects too, and arrays as a whole. */
export function makeRenderedReply(overrides?: Overrides<RenderedReply>): RenderedReply {
  const sample: RenderedReply = {
    content: "Hello",
    contentType: "text",
    missing: [],
  }
  return withOverrides(sample, overrides)
}

/** A reply recipients, with fresh ids; `overrides` replaces single members, in nested objects too, and arrays as a whole. */
export function makeReplyRecipients(overrides?: Overrides<ReplyRecipients>): ReplyRecipients {
  const sample: ReplyRecipients = {
    sendsMail: false,
    door: "email",
    from: null,
    visitorSeenAt: null,
    to: [],
    cc: [],
    offered: [],
  }
  return withOverrides(sample, overrides)
}

/** A retention, with fresh ids; `overrides` replaces single members, in nested objects too, and arrays as a whole. */
export function makeRetention(overrides?: Overrides<Retention>): Retention {
  const sample: Retention = {
    closedConversationMonths: null,
    attachmentMonths: null,
  }
  return withOverrides(sample, overrides)
}

/** A retention preview, with fresh ids; `overrides` replaces single members, in nested objects too, and arrays as a whole. */
export function makeRetentionPreview(overrides?: Overrides<RetentionPreview>): RetentionPreview {
  const sample: RetentionPreview = {
    closedConversationMonths: null,
    attachmentMonths: null,
    conversations: { count: 1, isMore: true },
    attachments: { count: 1, bytes: 1, isMore: true },
  }
  return withOverrides(sample, overrides)
}

/** A row problem, with fresh ids; `overrides` replaces single members, in nested objects too, and arrays as a whole. */
export function makeRowProblem(overrides?: Overrides<RowProblem>): RowProblem {
  const sample: RowProblem = {
    field: "a field",
    message: "Done",
    rule: "a rule",
    in: "a in",
  }
  return withOverrides(sample, overrides)
}

/** A sample data, with fresh ids; `overrides` replaces single members, in nested objects too, and arrays as a whole. */
export function makeSampleData(overrides?: Overrides<SampleData>): SampleData {
  const sample: SampleData = {
    runId: nextId('imp'),
    addedAt: "2026-01-01T00:00:00.000Z",
  }
  return withOverrides(sample, overrides)
}

/** A search results, with fresh ids; `overrides` replaces single members, in nested objects too, and arrays as a whole. */
export function makeSearchResults(overrides?: Overrides<SearchResults>): SearchResults {
  const sample: SearchResults = {
    customers: null,
    conversations: null,
    messages: null,
    isPartial: { customers: false, conversations: false, messages: false },
  }
  return withOverrides(sample, overrides)
}

/** A session, with fresh ids; `overrides` replaces single members, in nested objects too, and arrays as a whole. */
export function makeSession(overrides?: Overrides<Session>): Session {
  const sample: Session = {
    accessToken: "a accessToken",
    refreshToken: "a refreshToken",
    tokenType: "Bearer",
    expiresIn: 900,
    user: makeUser(),
    tenant: { _id: nextId('ten'), name: "A name" },
  }
  return withOverrides(sample, overrides)
}

/** A source fields, with fresh ids; `overrides` replaces single members, in nested objects too, and arrays as a whole. */
export function makeSourceFields(overrides?: Overrides<SourceFields>): SourceFields {
  const sample: SourceFields = {
    module: "Contacts",
    label: "a label",
    fields: [],
  }
  return withOverrides(sample, overrides)
}

/** A started sign in, with fresh ids; `overrides` replaces single members, in nested objects too, and arrays as a whole. */
export function makeStartedSignIn(overrides?: Overrides<StartedSignIn>): StartedSignIn {
  const sample: StartedSignIn = {
    authorizationUrl: "a authorizationUrl",
    state: "a state",
    expiresAt: "2026-01-01T00:00:00.000Z",
  }
  return withOverrides(sample, overrides)
}

/** A stored customer, with fresh ids; `overrides` replaces single members, in nested objects too, and arrays as a whole. */
export function makeStoredCustomer(overrides?: Overrides<StoredCustomer>): StoredCustomer {
  const sample: StoredCustomer = {
    index: 1,
    result: "created",
    customer: makeCustomer(),
    problems: [],
  }
  return withOverrides(sample, overrides)
}

/** A suggested recipient, with fresh ids; `overrides` replaces single members, in nested objects too, and arrays as a whole. */
export function makeSuggestedRecipient(overrides?: Overrides<SuggestedRecipient>): SuggestedRecipient {
  const sample: SuggestedRecipient = {
    address: null,
    name: "A name",
    verified: null,
    isCustomers: true,
  }
  return withOverrides(sample, overrides)
}

/** A suppressed address, with fresh ids; `overrides` replaces single members, in nested objects too, and arrays as a whole. */
export function makeSuppressedAddress(overrides?: Overrides<SuppressedAddress>): SuppressedAddress {
  const sample: SuppressedAddress = {
    _id: nextId('sup'),
    tenantId: nextId('ten'),
    address: "a address",
    status: "a status",
    text: null,
    messageId: null,
    customerId: null,
    createdAt: "2026-01-01T00:00:00.000Z",
    updatedAt: "2026-01-01T00:00:00.000Z",
  }
  return withOverrides(sample, overrides)
}

/** A tag count, with fresh ids; `overrides` replaces single members, in nested objects too, and arrays as a whole. */
export function makeTagCount(overrides?: Overrides<TagCount>): TagCount {
  const sample: TagCount = {
    tag: "a tag",
    count: 1,
    percentage: 1,
  }
  return withOverrides(sample, overrides)
}

/** A tenant, with fresh ids; `overrides` replaces single members, in nested objects too, and arrays as a whole. */
export function makeTenant(overrides?: Overrides<Tenant>): Tenant {
  const sample: Tenant = {
    _id: nextId('ten'),
    name: "A name",
    isSuspended: true,
    country: null,
    retention: makeRetention(),
    usage: {},
    createdAt: "2026-01-01T00:00:00.000Z",
    updatedAt: "2026-01-01T00:00:00.000Z",
  }
  return withOverrides(sample, overrides)
}

/** A tenant export, with fresh ids; `overrides` replaces single members, in nested objects too, and arrays as a whole. */
export function makeTenantExport(overrides?: Overrides<TenantExport>): TenantExport {
  const sample: TenantExport = {
    _id: nextId('ten'),
    status: "queued",
    attachments: false,
    requestedBy: "a requestedBy",
    counts: {},
    partCount: 1,
    error: null,
    createdAt: "2026-01-01T00:00:00.000Z",
    finishedAt: null,
    expiresAt: "2026-01-01T00:00:00.000Z",
  }
  return withOverrides(sample, overrides)
}

/** A tenant export details, with fresh ids; `overrides` replaces single members, in nested objects too, and arrays as a whole. */
export function makeTenantExportDetails(overrides?: Overrides<TenantExportDetails>): TenantExportDetails {
  const sample: TenantExportDetails = {
    _id: nextId('ten'),
    status: "queued",
    attachments: false,
    requestedBy: "a requestedBy",
    counts: {},
    partCount: 1,
    error: null,
    createdAt: "2026-01-01T00:00:00.000Z",
    finishedAt: null,
    expiresAt: "2026-01-01T00:00:00.000Z",
    parts: [],
  }
  return withOverrides(sample, overrides)
}

/** A tenant export part, with fresh ids; `overrides` replaces single members, in nested objects too, and arrays as a whole. */
export function makeTenantExportPart(overrides?: Overrides<TenantExportPart>): TenantExportPart {
  const sample: TenantExportPart = {
    name: "A name",
    size: 1,
    sha256: "a sha256",
    url: "https://receiver.example/hook",
  }
  return withOverrides(sample, overrides)
}

/** A tenant setup, with fresh ids; `overrides` replaces single members, in nested objects too, and arrays as a whole. */
export function makeTenantSetup(overrides?: Overrides<TenantSetup>): TenantSetup {
  const sample: TenantSetup = {
    steps: [],
    dismissedAt: null,
    sampleData: makeSampleData(),
  }
  return withOverrides(sample, overrides)
}

/** A tested delivery, with fresh ids; `overrides` replaces single members, in nested objects too, and arrays as a whole. */
export function makeTestedDelivery(overrides?: Overrides<TestedDelivery>): TestedDelivery {
  const sample: TestedDelivery = {
    _id: nextId('log'),
    webhookId: nextId('whk'),
    event: "a event",
    status: "pending",
    statusCode: null,
    attempt: 1,
    deliveredAt: null,
    responseTime: null,
    error: null,
    errorCode: null,
    eventId: nextId('evt'),
    deliveryId: nextId('dlv'),
    nextAttemptAt: null,
    timings: null,
    remoteAddress: null,
    createdAt: "2026-01-01T00:00:00.000Z",
    request: { method: "POST", url: "https://receiver.example/hook", headers: {} },
  }
  return withOverrides(sample, overrides)
}

/** A tested integration, with fresh ids; `overrides` replaces single members, in nested objects too, and arrays as a whole. */
export function makeTestedIntegration(overrides?: Overrides<TestedIntegration>): TestedIntegration {
  const sample: TestedIntegration = {
    ok: false,
    checkedAt: "2026-01-01T00:00:00.000Z",
    account: null,
    modules: [],
    error: null,
  }
  return withOverrides(sample, overrides)
}

/** A timeline entry, with fresh ids; `overrides` replaces single members, in nested objects too, and arrays as a whole. */
export function makeTimelineEntry(overrides?: Overrides<TimelineEntry>): TimelineEntry {
  const sample: TimelineEntry = {
    _id: nextId('msg'),
    kind: "message",
    at: "2026-01-01T00:00:00.000Z",
    message: makeMessage(),
    activity: makeActivity(),
  }
  return withOverrides(sample, overrides)
}

/** An unmerged customers, with fresh ids; `overrides` replaces single members, in nested objects too, and arrays as a whole. */
export function makeUnmergedCustomers(overrides?: Overrides<UnmergedCustomers>): UnmergedCustomers {
  const sample: UnmergedCustomers = {
    source: makeCustomer(),
    target: makeCustomer(),
    kept: [],
  }
  return withOverrides(sample, overrides)
}

/** An unread, with fresh ids; `overrides` replaces single members, in nested objects too, and arrays as a whole. */
export function makeUnread(overrides?: Overrides<Unread>): Unread {
  const sample: Unread = {
    count: 1,
    firstMessageId: null,
  }
  return withOverrides(sample, overrides)
}

/** An usage of month, with fresh ids; `overrides` replaces single members, in nested objects too, and arrays as a whole. */
export function makeUsageOfMonth(overrides?: Overrides<UsageOfMonth>): UsageOfMonth {
  const sample: UsageOfMonth = {
    month: "a month",
    totalRequests: 1,
    requestsOutsidePlan: 1,
    requestsByEndpoint: {},
  }
  return withOverrides(sample, overrides)
}

/** An user, with fresh ids; `overrides` replaces single members, in nested objects too, and arrays as a whole. */
export function makeUser(overrides?: Overrides<User>): User {
  const sample: User = {
    _id: nextId('usr'),
    tenantId: nextId('ten'),
    email: "ada@example.com",
    firstName: "Ada",
    lastName: "Lovelace",
    role: "viewer",
    isActive: true,
    availability: "online",
    availabilityMode: "auto",
    availabilitySince: "2026-01-01T00:00:00.000Z",
    availabilityUntil: null,
    inviteExpiresAt: null,
    processingRestricted: false,
    createdAt: "2026-01-01T00:00:00.000Z",
    updatedAt: "2026-01-01T00:00:00.000Z",
  }
  return withOverrides(sample, overrides)
}

/** An user summary, with fresh ids; `overrides` replaces single members, in nested objects too, and arrays as a whole. */
export function makeUserSummary(overrides?: Overrides<UserSummary>): UserSummary {
  const sample: UserSummary = {
    _id: nextId('usr'),
    email: "ada@example.com",
    firstName: "Ada",
    lastName: "Lovelace",
  }
  return withOverrides(sample, overrides)
}

/** A view, with fresh ids; `overrides` replaces single members, in nested objects too, and arrays as a whole. */
export function makeView(overrides?: Overrides<View>): View {
  const sample: View = {
    _id: nextId('viw'),
    tenantId: nextId('ten'),
    name: "A name",
    filter: makeViewFilter(),
    sort: "createdAt",
    isShared: true,
    ownerId: null,
    createdAt: "2026-01-01T00:00:00.000Z",
    updatedAt: "2026-01-01T00:00:00.000Z",
  }
  return withOverrides(sample, overrides)
}

/** A view count, with fresh ids; `overrides` replaces single members, in nested objects too, and arrays as a whole. */
export function makeViewCount(overrides?: Overrides<ViewCount>): ViewCount {
  const sample: ViewCount = {
    total: 1,
    unread: null,
    isEstimate: true,
  }
  return withOverrides(sample, overrides)
}

/** A view filter, with fresh ids; `overrides` replaces single members, in nested objects too, and arrays as a whole. */
export function makeViewFilter(overrides?: Overrides<ViewFilter>): ViewFilter {
  const sample: ViewFilter = {
    status: [],
    priority: "low",
    channel: "email",
    waiting: false,
    assignedTo: nextId('usr'),
    inboxId: nextId('inb'),
    customerId: nextId('cus'),
    label: "a label",
    search: "a search",
    updatedSince: "2026-01-01T00:00:00.000Z",
    createdSince: "2026-01-01T00:00:00.000Z",
    createdUntil: "2026-01-01T00:00:00.000Z",
  }
  return withOverrides(sample, overrides)
}

/** A webhook, with fresh ids; `overrides` replaces single members, in nested objects too, and arrays as a whole. */
export function makeWebhook(overrides?: Overrides<Webhook>): Webhook {
  const sample: Webhook = {
    _id: nextId('whk'),
    tenantId: nextId('ten'),
    name: "A name",
    url: "https://receiver.example/hook",
    events: [],
    isActive: true,
    headers: {},
    retryPolicy: { maxRetries: 1, backoffStrategy: "linear" },
    health: { state: "healthy", consecutiveFailures: 1, lastSuccessAt: null, lastFailureAt: null, disabledReason: null },
    previousSecretExpiresAt: null,
    createdAt: "2026-01-01T00:00:00.000Z",
    updatedAt: "2026-01-01T00:00:00.000Z",
  }
  return withOverrides(sample, overrides)
}
