// Generated from the contract by scripts/generate.ts. Do not edit.

/** Acceptance of an invitation. */
export interface AcceptInvite {
  /** The invite token. At most 512 characters. */
  token: string
  /** New password; for an e-mail that already has one, that password. 10 to 128 characters. */
  password: string
  /** Whether a password that the e-mail does not have yet is accepted for this tenant alone, beside the passwords that it has. */
  separate?: boolean | null | undefined
  /** First name, unless the invitation has one. At most 100 characters. */
  firstName?: string | null | undefined
  /** Last name, unless the invitation has one. At most 100 characters. */
  lastName?: string | null | undefined
}

/** A change of a conversation, as its timeline shows it. */
export interface Activity {
  /** Id of the activity. */
  _id: string
  /** Id of the tenant that owns the resource. */
  tenantId: string
  /** Id of the conversation. */
  conversationId: string
  /** Time of the change. ISO 8601. */
  at: string
  /** The one who made the change. */
  actor: {
    /** Kind of the actor; `api` is a key, `system` the service or an import. */
    type: 'user' | 'customer' | 'system' | 'api' | (string & {})
    /** Id of the user, customer or key; null when unknown. */
    _id: string | null
    /** Name at the time of the change; null for a customer, and when it was erased. */
    name: string | null
  }
  /** Kind of the change. */
  action: 'created' | 'assigned' | 'status_changed' | 'priority_changed' | 'labels_changed' | 'inbox_changed' | 'subject_changed' | 'customer_changed' | 'merged' | 'unmerged' | (string & {})
  /** Each changed field by its name. Of a new conversation: its assignee, if it has one. */
  changes: Record<string, {
    /** Value before the change. */
    from: JsonValue
    /** Value after the change. */
    to: JsonValue
  }>
}

/** Filters and paging of `analytics.conversations`. */
export interface AnalyticsConversationsQuery {
  /** First moment of the range, or its first day in `timeZone`. Default: 30 days with the last one. */
  startDate?: string | undefined
  /** Last moment of the range, or its last day in `timeZone`. Default: today. At most 366 days. */
  endDate?: string | undefined
  /** The value by which the figures are split. Default: `day`. */
  groupBy?: 'day' | 'channel' | 'hourOfWeek' | 'agent' | 'label' | 'inbox' | undefined
  /** IANA time zone of days and hours, such as `Europe/Berlin`. At most 100 characters. Default: `UTC`. */
  timeZone?: string | undefined
}

/** Filters and paging of `analytics.metrics`. */
export interface AnalyticsMetricsQuery {
  /** Month in UTC, `YYYY-MM`, at most 24 months back. Default: the current one. */
  month?: string | undefined
}

/** Filters and paging of `analytics.tags`. */
export interface AnalyticsTagsQuery {
  /** First moment of the range, or its first day in UTC. Default: 30 days before `endDate`. ISO 8601. */
  startDate?: string | undefined
  /** Last moment of the range, or its last day in UTC. Default: now. ISO 8601. */
  endDate?: string | undefined
  /** Only conversations that are assigned to this user; `me` is the signed-in user. At most 128 characters. */
  agentId?: string | undefined
  /** Only this label; its case has no meaning. At most 64 characters. */
  tag?: string | undefined
}

/** Filters and paging of `analytics.usageHistory`. */
export interface AnalyticsUsageHistoryQuery {
  /** Number of months, the current one included. From 1 to 24. Default: `12`. */
  months?: number | undefined
}

/** Filters and paging of `analytics.usage`. */
export interface AnalyticsUsageQuery {
  /** Month in UTC, `YYYY-MM`, at most 24 months back. Default: the current one. */
  month?: string | undefined
}

/** An API key, without the key itself. */
export interface ApiKey {
  /** Id of the API key. */
  _id: string
  /** Id of the tenant that owns the resource. */
  tenantId: string
  /** Name that people recognise the key by. */
  name: string
  /** Name that customers read as the author of what is written with the key; null when they read none, and the team reads `name`. */
  displayName: string | null
  /** Environment of the key. It decides the prefix: `sk_live_` or `sk_test_`. */
  environment: 'production' | 'staging' | (string & {})
  /** Permissions that the key grants. */
  permissions: ('read:conversations' | 'write:conversations' | 'read:customers' | 'write:customers' | 'webhook:manage' | 'read:analytics' | (string & {}))[]
  /** First 8 characters of the key, the same for all keys of an environment. */
  keyPrefix: string
  /** 4 characters of the key that distinguish it from others in a list. */
  keyHint: string
  /** False for a revoked key, which is refused. */
  isActive: boolean
  /** Time from which the key is refused as expired; null when it never expires. ISO 8601. */
  expiresAt: string | null
  /** Reminder to rotate the key; null without one. It never disables the key. */
  rotationPolicy: {
    /** Whether the key reports when its rotation is due. */
    enabled: boolean
    /** Days from the creation of the key until its rotation is due. */
    intervalDays: number | null
    /** Days before the due date from which `rotationDueSoon` is true. Less than `intervalDays`. */
    notifyDaysBefore: number | null
  } | null
  /** Rate limit of the key itself; null when only the limit of the service applies. */
  rateLimit: {
    /** Requests that the key may make in one window. */
    requests: number
    /** Length of the window, a duration such as `30s`, `5 minutes` or `hour`. */
    window: string
  } | null
  /** IP addresses and CIDR blocks that may use the key. Empty when every address may. */
  ipWhitelist: string[]
  /** Id of the user who created the key. */
  createdBy: string
  /** Time of the last request with the key; null before the first. ISO 8601. */
  lastUsedAt: string | null
  /** Time of the revocation; null for an active key. ISO 8601. */
  revokedAt: string | null
  /** Id of the key that a rotation created as its successor. */
  replacedBy: string | null
  /** When the rotation is due; null without an enabled `rotationPolicy`. ISO 8601. */
  rotationDueAt: string | null
  /** Whether the rotation is due within `notifyDaysBefore` days. */
  rotationDueSoon: boolean
  /** Whether `rotationDueAt` has passed. */
  rotationOverdue: boolean
  /** Time of creation. ISO 8601. */
  createdAt: string
  /** Time of the last change. ISO 8601. */
  updatedAt: string
}

/** Requests of an API key in one month. */
export interface ApiKeyUsage {
  /** Month in UTC, `YYYY-MM`. */
  month: string
  /** Requests with the key in that month, refused ones included. */
  totalRequests: number
  /** Requests by path template, such as `/api/v1/customers/{id}`. */
  requestsByEndpoint: Record<string, number>
  /** Requests by HTTP method. */
  requestsByMethod: Record<string, number>
}

/** Filters and paging of `apiKeys.list`. */
export interface ApiKeysListQuery {
  /** Only keys of this environment. */
  environment?: 'production' | 'staging' | undefined
  /** Only active keys (true) or only revoked ones (false). */
  isActive?: boolean | undefined
  /** Number of the page, from 1. From 1 to 2147483647. Default: `1`. */
  page?: number | undefined
  /** Rows per page. From 1 to 100. Default: `20`. */
  limit?: number | undefined
  /** `nextCursor` of the page before. It replaces `page`, and costs the same at any depth. At most 512 characters. */
  cursor?: string | undefined
}

/** Filters and paging of `apiKeys.usage`. */
export interface ApiKeysUsageQuery {
  /** Month in UTC, `YYYY-MM`. Default: the current one. */
  month?: string | undefined
}

/** A file of a message. */
export interface Attachment {
  /** Id of the attachment. */
  _id: string
  /** Name of the file, made safe to show and to store. At most 150 characters; empty once it was removed. */
  filename: string
  /** Media type, detected from the bytes. */
  contentType: string
  /** Size in bytes. */
  size: number
  /** Path of this API that returns the bytes. It needs a credential. */
  url: string
  /** Whether `content` of its e-mail shows it as an image; absent for a file of no e-mail. */
  isInline?: boolean
  /** Id by which its e-mail names it (Content-ID); absent where it names none. */
  contentId?: string
  /** Time at which the retention of the tenant has removed its name and bytes; absent before. ISO 8601. */
  removedAt?: string
}

/** One action in the audit log. It holds ids and names of fields, never their values. */
export interface AuditEntry {
  /** Id of the entry. */
  _id: string
  /** Id of the tenant that owns the resource. */
  tenantId: string
  /** Time of the action. ISO 8601. */
  at: string
  /** The user, key or service that acted. */
  actor: {
    /** Kind of the actor; `system` is the service itself. */
    type: 'user' | 'apiKey' | 'system' | (string & {})
    /** Id of the user or the key; null for `system`. */
    _id: string | null
  }
  /** Resource and event, such as `apiKey.revoked`. */
  action: string
  /** The resource that was changed. */
  target: {
    /** Kind of the resource. */
    type: string
    /** Id of the resource. */
    _id: string
  }
  /** Reason that the caller gave. */
  reason: string | null
  /** Paths of the changed fields; empty when the action says everything. */
  changed: string[]
  /** How many times it happened within a quarter of an hour, from `at`; 1 for most actions. */
  count: number
  /** `X-Request-Id` of the request; null for `system`. */
  requestId: string | null
}

/** Automatic sync. */
export interface AutoSync {
  /** Whether changes of the source are imported regularly. */
  enabled: boolean
  /** Minutes between two syncs, 1 to 1440. Default: 15. From 1 to 1440. */
  intervalMinutes?: number | null | undefined
}

/** The cells of a column, each in one figure beside `cells`. */
export interface BalancedColumn {
  /** Name of the column. */
  name: string
  /** Field that it was mapped to; null: none. */
  target: string | null
  /** Cells with a value, in rows that could be read. */
  cells: number
  /** Cells that went to the target. */
  stored: number
  /** Cells that became a custom field. */
  kept: number
  /** Cells that an entry of the errors names, by their row or their column. */
  named: number
  /** Cells of a column that a person mapped to nothing. */
  leftOut: number
}

/** The figures of one file. */
export interface BalancedFile {
  /** Module of the file, or kind of the package. */
  module: 'Contacts' | 'Leads' | 'Deals' | 'Cases' | 'Notes' | 'Calls' | 'agents' | 'inboxes' | 'labels' | 'replies' | 'organisations' | 'people' | 'conversations' | 'messages' | 'notes' | 'calls' | 'ratings' | 'attachments' | 'suppressions' | (string & {})
  /** Id of the file; of a package the kind. */
  fileId: string
  /** Name of the file. */
  filename: string
  /** The rows of the file, each in one figure beside `total`. */
  rows: {
    /** Rows of the file, by their position. */
    total: number
    /** Rows without a value. */
    blank: number
    /** Lines before or behind the table, and its header. */
    outside: number
    /** Rows that made something new here. */
    created: number
    /** Rows of which something was written. */
    updated: number
    /** Rows of which nothing had to be written. */
    unchanged: number
    /** Rows that joined an existing customer. */
    merged: number
    /** Rows that were left out on purpose. */
    skipped: number
    /** Rows that could not be imported. */
    failed: number
    /** Rows with the id of another row that is imported. */
    repeated: number
  }
  /** The columns; absent in lists of runs. */
  columns?: BalancedColumn[]
}

/** A phone call. */
export interface Call {
  /** Id of the call. */
  _id: string
  /** Id of the tenant that owns the resource. */
  tenantId: string
  /** Kind of activity. Calls of this service are `call`; imports bring others. */
  kind: 'call' | 'task' | 'meeting' | (string & {})
  /** Ids of the call in other systems. */
  externalIds: string[]
  /** Id at the telephony provider; null until the provider reports the call. */
  callSid: string | null
  /** Id of the conversation that the call belongs to; null when there is none. */
  conversationId: string | null
  /** Id of the customer; null when there is none. */
  customerId: string | null
  /** Customers who all have the number of the other side, of a call without a customer. Empty when fewer than two have it. */
  candidates: {
    /** Id of the customer. */
    _id: string
  }[]
  /** Id of the user who makes or takes the call; null when nobody does. */
  agentId: string | null
  /** Direction, seen from the team. */
  direction: 'inbound' | 'outbound' | (string & {})
  /** Number of the caller in E.164 form; null when it is not known, or was erased. */
  from: string | null
  /** Number that is called, in E.164 form such as `+15551234567`; null when it is not known, or was erased. */
  to: string | null
  /** State. It only rises; `completed` and `failed` are both the end. */
  status: 'initiated' | 'ringing' | 'answered' | 'completed' | 'failed' | (string & {})
  /** Reason of a failed call in the words of the provider, such as `busy`. */
  failureReason: string | null
  /** Time at which it began to ring or was answered; null before. ISO 8601. */
  startedAt: string | null
  /** Time at which it was answered; null when it was not. ISO 8601. */
  answeredAt: string | null
  /** Time at which it ended; null before. ISO 8601. */
  endedAt: string | null
  /** Length in seconds, as the provider reports it; null before the end. */
  durationSeconds: number | null
  /** Recording of the call. */
  recording: {
    /** Whether there is a recording. */
    available: boolean
    /** Address of the recording at the provider; null without one. */
    url: string | null
    /** Length of the recording in seconds; null without one. */
    durationSeconds: number | null
  }
  /** Remarks of the team. */
  metadata: {
    /** Notes of the team; null without any. */
    notes: string | null
    /** Tags, unique without regard to case. At most 50. */
    tags: string[]
    /** Rating by the team, 1 to 5; null without one. */
    rating: number | null
  }
  /** Time of creation. ISO 8601. */
  createdAt: string
  /** Time of the last change. ISO 8601. */
  updatedAt: string
}

/** Changes of the remarks. An absent field keeps its value. */
export interface CallMetadata {
  /** Notes of the team; null without any. At most 10000 characters. */
  notes?: string | null | undefined
  /** Tags, unique without regard to case. At most 50. At most 50 items. */
  tags?: readonly string[] | null | undefined
  /** Rating by the team, 1 to 5; null without one. From 1 to 5. */
  rating?: number | null | undefined
}

/** Filters and paging of `calls.list`. */
export interface CallsListQuery {
  /** Only calls in this state. */
  status?: 'initiated' | 'ringing' | 'answered' | 'completed' | 'failed' | undefined
  /** Only calls with this customer. At most 128 characters. */
  customerId?: string | undefined
  /** Only calls of this conversation. At most 128 characters. */
  conversationId?: string | undefined
  /** Only calls of this user. At most 128 characters. */
  agentId?: string | undefined
  /** Number of the page, from 1. From 1 to 2147483647. Default: `1`. */
  page?: number | undefined
  /** Rows per page. From 1 to 100. Default: `20`. */
  limit?: number | undefined
  /** `nextCursor` of the page before. It replaces `page`, and costs the same at any depth. At most 512 characters. */
  cursor?: string | undefined
}

/** Filters and paging of `cannedReplies.list`. */
export interface CannedRepliesListQuery {
  /** Only those with this shortcut. */
  shortcut?: string | undefined
  /** Number of the page, from 1. From 1 to 2147483647. Default: `1`. */
  page?: number | undefined
  /** Rows per page. From 1 to 100. Default: `20`. */
  limit?: number | undefined
  /** `nextCursor` of the page before. It replaces `page`, and costs the same at any depth. At most 512 characters. */
  cursor?: string | undefined
}

/** A prepared reply, which an agent inserts and changes before sending. */
export interface CannedReply {
  /** Id of the canned reply. */
  _id: string
  /** Id of the tenant that owns the resource. */
  tenantId: string
  /** Word that finds the canned reply in the composer: 1 to 40 small letters, digits, `-` and `_`. No two shared ones have the same, and no two of one user. */
  shortcut: string
  /** Title, for people. */
  title: string
  /** Text of the reply. `{{customer.firstName}}` is replaced by its value, and `{{customer.firstName|there}}` by `there` when there is none. Variables: `customer.firstName`, `customer.lastName`, `customer.email`, `customer.phone`, `customer.company`, `agent.firstName`, `agent.lastName`, `agent.email`, `inbox.name`, `conversation._id`, `conversation.subject`. */
  content: string
  /** Markup of `content`. */
  contentType: 'text' | 'markdown' | (string & {})
  /** Ids of the inboxes in which it is offered. Empty: in all of them. */
  inboxIds: string[]
  /** Whether the whole team has it. Otherwise only its owner sees it. */
  isShared: boolean
  /** Id of the user who made it, or took it for themselves. Null: an API key made it, or the user was deleted. */
  ownerId: string | null
  /** Time of creation. ISO 8601. */
  createdAt: string
  /** Time of the last change. ISO 8601. */
  updatedAt: string
}

/** A token that lets a browser make and take calls. */
export interface CapabilityToken {
  /** Access token for the provider’s browser library. It lives 10 minutes. */
  capabilityToken: string
  /** Name of the browser at the provider: letters, digits and underscores. */
  clientName: string
  /** `local`: signed with a development key, because no provider is set up. */
  provider: 'twilio' | 'local' | (string & {})
}

/** One change of many conversations. */
export interface ChangeConversations {
  /** Ids of 1 to 100 conversations. A repeated one counts once. At most 100 items. */
  ids: readonly string[]
  /** Fields that all of them get. An absent field keeps its value. */
  set?: SetOfConversations | undefined
  /** Labels to add. At most 50 items. */
  addLabels?: readonly string[] | undefined
  /** Labels to remove, before others are added. At most 50 items. */
  removeLabels?: readonly string[] | undefined
  /** Values that a conversation must have: one with another value fails with CONFLICT and stays as it is. */
  expected?: ExpectedConversation | undefined
}

/** A change of the password. */
export interface ChangePassword {
  /** The password so far. At most 128 characters. */
  currentPassword: string
  /** The new password, used exactly as sent. 10 to 128 characters. */
  newPassword: string
}

/** The result for one conversation. */
export interface ChangedConversation {
  /** Id of the conversation, as it was asked for. */
  _id: string
  /** The outcome for this conversation. */
  result: 'changed' | 'unchanged' | 'failed' | (string & {})
  /** Of `failed`: `NOT_FOUND`, `CONFLICT` (a value is not the expected one), `VALIDATION_ERROR` (more labels than 50, or a snooze that does not fit the status) or `INVALID_STATE`. */
  code?: string
}

/** The confirmation of a sign-in. */
export interface ConfirmIntegration {
  /** State of the sign-in. At most 200 characters. */
  state: string
}

/** A new password with the token of a mail. */
export interface ConfirmPasswordReset {
  /** The token of the mail. At most 512 characters. */
  token: string
  /** The new password, used exactly as sent. 10 to 128 characters. */
  password: string
  /** Id of the tenant to sign in to. Required for a person with several memberships. At most 128 characters. */
  tenantId?: string | null | undefined
}

/** The integration that a sign-in makes. */
export interface ConnectIntegration {
  /** Name of the integration. Default: the name of the provider. At most 100 characters. */
  name?: string | null | undefined
  /** Parts that an import reads when it names none. An absent one keeps its value. */
  importSettings?: {
    /** Contacts and leads, which become customers. Default: true. */
    importContacts?: boolean | null | undefined
    /** Deals, which become conversations. Default: true. */
    importDeals?: boolean | null | undefined
    /** Cases (tickets), which become conversations. Default: true. */
    importTickets?: boolean | null | undefined
    /** Notes, e-mails and messages of threads, which become messages. Default: true. */
    importNotes?: boolean | null | undefined
    /** Calls, tasks and meetings, which become calls. Default: true. */
    importActivities?: boolean | null | undefined
    /** Whether new records get the id of the source where it is free. Default: false. */
    preserveIds?: boolean | null | undefined
  } | null | undefined
}

/** A conversation; `customerId` and `assignedTo` are ids. */
export interface Conversation {
  /** Id of the conversation. */
  _id: string
  /** Id of the tenant that owns the resource. */
  tenantId: string
  /** Subject line. */
  subject: string
  /** State. `snoozed` becomes `open` at `snoozedUntil`. */
  status: 'open' | 'closed' | 'pending' | 'snoozed' | (string & {})
  /** Priority. */
  priority: 'low' | 'medium' | 'high' | 'urgent' | (string & {})
  /** Channel that the conversation takes place on. */
  channel: 'email' | 'chat' | 'phone' | 'whatsapp' | 'instagram' | 'twitter' | 'facebook' | 'sms' | (string & {})
  /** Part of the service that created the conversation. */
  source: 'widget' | 'phone' | 'api' | 'email' | (string & {})
  /** Id of the customer; null when there is none. */
  customerId: string | null
  /** Id of the user who is assigned; null when nobody is. */
  assignedTo: string | null
  /** Id of the inbox that the conversation belongs to. */
  inboxId: string
  /** Labels, unique without regard to case. At most 50. */
  labels: string[]
  /** Time at which a snoozed conversation opens; null until the next inbound message. ISO 8601. */
  snoozedUntil: string | null
  /** Whether an inbound message opens a snoozed conversation. */
  wakeOnReply: boolean
  /** Time of the last message; notes do not count. ISO 8601. */
  lastMessageAt: string | null
  /** The newest reply or inbound message; null without any. Default: `null`. */
  lastMessage: LastMessage | null
  /** Time of the last message of the customer; mail of machines does not count. ISO 8601. Default: `null`. */
  lastCustomerMessageAt: string | null
  /** Time of the first message of the customer that nobody has answered; null when nobody waits, and while it is closed. ISO 8601. Default: `null`. */
  waitingSince: string | null
  /** Number of replies and inbound messages; notes do not count. */
  messageCount: number
  /** Rises by one with every reply, inbound message and note, and never falls. `If-Conversation-Seq` names it. Default: `0`. */
  seq: number
  /** Time of the first outbound message that is no automatic reply. ISO 8601. */
  firstResponseAt: string | null
  /** Time at which the conversation was closed; null while it is not. ISO 8601. */
  closedAt: string | null
  /** Read receipts of both sides. */
  readAt: {
    /** Time at which the customer last read it. ISO 8601. */
    customer: string | null
    /** Time at which the team last read it. ISO 8601. */
    agent: string | null
  }
  /** Rating by the customer; null without one. */
  rating: {
    /** Score. */
    score: number
    /** Comment. */
    comment: string | null
    /** Time of the rating. ISO 8601. */
    at: string
  } | null
  /** Ids of the conversation in other systems. */
  externalIds: string[]
  /** Page on which the visitor of the chat widget began it; null for every other conversation. Default: `null`. */
  page: string | null
  /** Fields of an imported deal or case without a field of their own here, such as its amount. Written by imports alone. */
  customFields: Record<string, JsonValue>
  /** Senders who take part by e-mail besides the customer; at most 50. Default: ``. */
  participants: MailParticipant[]
  /** Id of the closed conversation that this one continues, because its mail came too late to open it; else null. Default: `null`. */
  previousConversationId: string | null
  /** Id of the conversation that this one was merged into; null when it was not. Default: `null`. */
  mergedInto: string | null
  /** Ids of the conversations that were merged into this one, earliest first; at most 20. Default: ``. */
  mergedFrom: string[]
  /** Time of creation. ISO 8601. */
  createdAt: string
  /** Time of the last change. ISO 8601. */
  updatedAt: string
  /** How far the signed-in user has read it; null to API keys. */
  unread: Unread | null
}

/** The number of conversations in each view. */
export interface ConversationCounts {
  /** By name: `mine` (assigned to the signed-in user, not closed), `unassigned` (not closed), `waiting` (open or pending, and the customer waits for a reply), `open`, `pending`, `snoozed`, `closed`, `unsent` (own drafts that were to be sent and were not), `mentions` (notes that mention the signed-in user, who has not read them), the id of an inbox (not closed), and to admins `mailNeedsYou` (mails that need a person). */
  views: Record<string, ViewCount>
}

/** Figures of conversations with one value. */
export interface ConversationFigures {
  /** A day (`2026-01-31`), a channel, an hour of the week (`0` to `167`, from Monday 00:00), the id of a user or of an inbox, or a label. By agent: null for conversations of nobody, `former member` for users who were deleted. */
  key: string | null
  /** Conversations that began in the range. */
  created: number
  /** By day: `created` of each channel that has some. Otherwise null. */
  createdByChannel: Record<string, number> | null
  /** Conversations that were closed in the range and are closed still. */
  closed: number
  /** Times from the first inbound message (without one: from the start) to the first response that is not automatic. */
  firstResponse: {
    /** Conversations that began in the range and have a response. */
    count: number
    /** Milliseconds within which 50 % of them came, with an error of at most 5 %; null without any. */
    p50Ms: number | null
    /** Milliseconds within which 90 % of them came, with an error of at most 5 %; null without any. */
    p90Ms: number | null
  }
}

/** The parts that `include` names, and no others. */
export interface ConversationIncluded {
  /** The newest 50 messages, newest first. */
  messages?: {
    /** Rows. */
    data: Message[]
    /** Position of the page. */
    pagination: Pagination
  }
  /** The newest 50 changes, newest first; older ones by `kind=activity` of the timeline. */
  activities?: {
    /** Rows. */
    data: Activity[]
    /** Position of the page. */
    pagination: Pagination
  }
  /** The first 50 drafts of all authors, oldest first. */
  drafts?: {
    /** Rows. */
    data: Draft[]
    /** Position of the page. */
    pagination: Pagination
  }
  /** How the next reply leaves, and who gets it; null without `read:customers`. */
  recipients?: ReplyRecipients | null
}

/** A conversation with what `include` names. */
export interface ConversationLook {
  /** Always true. */
  success: true
  /** The conversation. */
  data: PopulatedConversation
  /** Only with `include`. */
  included?: ConversationIncluded
}

/** A conversation that a search found. */
export interface ConversationMatch {
  /** The conversation. */
  conversation: Conversation
  /** Where the words are; null for a search of operators alone. */
  matched: 'subject' | 'customer' | (string & {}) | null
}

/** Filters and paging of `conversations.counts`. */
export interface ConversationsCountsQuery {
  /** Only these views: names, and ids of inboxes. Default: all. At most 128 characters. */
  view?: string | readonly string[] | undefined
}

/** Filters and paging of `conversations.list`. */
export interface ConversationsListQuery {
  /** Only conversations in one of these states. */
  status?: 'open' | 'closed' | 'pending' | 'snoozed' | readonly ('open' | 'closed' | 'pending' | 'snoozed')[] | undefined
  /** Only conversations of this priority. */
  priority?: 'low' | 'medium' | 'high' | 'urgent' | undefined
  /** Only conversations of this channel. */
  channel?: 'email' | 'chat' | 'phone' | 'whatsapp' | 'instagram' | 'twitter' | 'facebook' | 'sms' | undefined
  /** Only conversations of this user; `me` is the signed-in user, `none` finds the unassigned. At most 128 characters. */
  assignedTo?: string | undefined
  /** Only conversations of this inbox. At most 128 characters. */
  inboxId?: string | undefined
  /** Only conversations of this customer. At most 128 characters. */
  customerId?: string | undefined
  /** Only conversations with this label. At most 64 characters. */
  label?: string | undefined
  /** Terms that must all occur in the subject, in one message, or in the customer. At most 200 characters. */
  search?: string | undefined
  /** Only conversations that changed at or after this time. ISO 8601. */
  updatedSince?: string | undefined
  /** Only conversations that began at or after this time. ISO 8601. */
  createdSince?: string | undefined
  /** Only conversations that began at or before this time. ISO 8601. */
  createdUntil?: string | undefined
  /** `true`: only conversations whose customer waits for a reply; `false`: only the others. */
  waiting?: boolean | undefined
  /** Order of the rows; `-` means descending. `waiting`: the longest wait first, then those in which nobody waits, by their last message. Default: `-updatedAt`. */
  sort?: 'createdAt' | '-createdAt' | 'updatedAt' | '-updatedAt' | 'priority' | 'lastMessageAt' | '-lastMessageAt' | 'waiting' | undefined
  /** Number of the page, from 1. From 1 to 2147483647. Default: `1`. */
  page?: number | undefined
  /** Rows per page. From 1 to 100. Default: `50`. */
  limit?: number | undefined
  /** `nextCursor` of the page before. It replaces `page`, and costs the same at any depth. At most 512 characters. */
  cursor?: string | undefined
}

/** Filters and paging of `conversations.timeline`. */
export interface ConversationsTimelineQuery {
  /** `asc`: oldest first; `desc`: newest first. Default: `desc`. */
  order?: 'asc' | 'desc' | undefined
  /** Only entries of this kind. */
  kind?: 'message' | 'activity' | undefined
  /** Rows per page. From 1 to 100. Default: `20`. */
  limit?: number | undefined
  /** `nextCursor` of the page before. It replaces `page`, and costs the same at any depth. At most 512 characters. */
  cursor?: string | undefined
}

/** Settings of a new API key. */
export interface CreateApiKey {
  /** Name that people recognise the key by. At most 100 characters. */
  name: string
  /** Permissions that the key grants. At most 50 items. */
  permissions: readonly ('read:conversations' | 'write:conversations' | 'read:customers' | 'write:customers' | 'webhook:manage' | 'read:analytics')[]
  /** Environment of the key. It decides the prefix: `sk_live_` or `sk_test_`. Default: production. */
  environment?: 'production' | 'staging' | null | undefined
  /** Name that customers read as the author of what is written with the key; null when they read none, and the team reads `name`. At most 100 characters. */
  displayName?: string | null | undefined
  /** Time from which the key is refused as expired; null when it never expires. ISO 8601. */
  expiresAt?: string | null | undefined
  /** Reminder to rotate the key; null without one. It never disables the key. */
  rotationPolicy?: {
    /** Whether the key reports when its rotation is due. */
    enabled: boolean
    /** Days from the creation of the key until its rotation is due. From 1 to 365. */
    intervalDays: number
    /** Days before the due date from which `rotationDueSoon` is true. Less than `intervalDays`. From 0 to 90. */
    notifyDaysBefore: number
  } | null | undefined
  /** Rate limit of the key itself; null when only the limit of the service applies. */
  rateLimit?: {
    /** Requests that the key may make in one window. From 1 to 1000000. */
    requests: number
    /** Length of the window, a duration such as `30s`, `5 minutes` or `hour`. */
    window: string
  } | null | undefined
  /** IP addresses and CIDR blocks that may use the key. Empty when every address may. At most 100 items. */
  ipWhitelist?: readonly string[] | null | undefined
}

/** A new call. */
export interface CreateCall {
  /** Number that is called, in E.164 form such as `+15551234567`. At most 40 characters. */
  to: string
  /** Number of the caller in E.164 form. At most 40 characters. */
  from?: string | null | undefined
  /** Direction, seen from the team. Default: outbound. */
  direction?: 'inbound' | 'outbound' | null | undefined
  /** Id of the customer; null when there is none. */
  customerId?: string | null | undefined
  /** Id of the conversation that the call belongs to; null when there is none. */
  conversationId?: string | null | undefined
  /** Id of the user who makes or takes the call; null when nobody does. Default: the signed-in user. */
  agentId?: string | null | undefined
}

/** The fields of a new canned reply. */
export interface CreateCannedReply {
  /** Word that finds the canned reply in the composer: 1 to 40 small letters, digits, `-` and `_`. No two shared ones have the same, and no two of one user. */
  shortcut: string
  /** Title, for people. At most 100 characters. */
  title: string
  /** Text of the reply. `{{customer.firstName}}` is replaced by its value, and `{{customer.firstName|there}}` by `there` when there is none. Variables: `customer.firstName`, `customer.lastName`, `customer.email`, `customer.phone`, `customer.company`, `agent.firstName`, `agent.lastName`, `agent.email`, `inbox.name`, `conversation._id`, `conversation.subject`. At most 20000 characters. */
  content: string
  /** Markup of `content`. Default: text. */
  contentType?: 'text' | 'markdown' | undefined
  /** Ids of the inboxes in which it is offered. Empty: in all of them. At most 100 items. */
  inboxIds?: readonly string[] | undefined
  /** Whether the whole team has it. Otherwise only its owner sees it. Default: true. An API key makes shared ones alone. */
  isShared?: boolean | undefined
}

/** A request for a token that lets a browser make one call. */
export interface CreateCapabilityToken {
  /** Number that the browser may call, in E.164 form. At most 40 characters. */
  customerPhone: string
  /** Id of the user who calls. Default: the signed-in user; only admins name somebody else. */
  agentId?: string | null | undefined
}

/** A new conversation. */
export interface CreateConversation {
  /** Subject line. At most 300 characters. */
  subject: string
  /** Id of the inbox that the conversation belongs to. */
  inboxId: string
  /** Id of the customer; null when there is none. */
  customerId?: string | null | undefined
  /** Channel that the conversation takes place on. Default: email. */
  channel?: 'email' | 'chat' | 'phone' | 'whatsapp' | 'instagram' | 'twitter' | 'facebook' | 'sms' | null | undefined
  /** Priority. Default: medium. */
  priority?: 'low' | 'medium' | 'high' | 'urgent' | null | undefined
  /** Labels, unique without regard to case. At most 50. At most 50 items. */
  labels?: readonly string[] | null | undefined
  /** Id of the user who is assigned; null when nobody is. */
  assignedTo?: string | null | undefined
  /** The first message. */
  message?: CreateMessage | null | undefined
}

/** A new customer. */
export interface CreateCustomer {
  /** First name. At most 100 characters. */
  firstName?: string | null | undefined
  /** Last name. At most 100 characters. */
  lastName?: string | null | undefined
  /** E-mail address. At most 254 characters. */
  email?: string | null | undefined
  /** Phone number, as entered. At most 40 characters. */
  phone?: string | null | undefined
  /** Company that the customer works for. At most 200 characters. */
  company?: string | null | undefined
  /** Position in the company. At most 200 characters. */
  jobTitle?: string | null | undefined
  /** Service level. Default: bronze. */
  tier?: 'bronze' | 'silver' | 'gold' | 'platinum' | null | undefined
  /** Tags, unique without regard to case. At most 50. At most 50 items. */
  tags?: readonly string[] | null | undefined
  /** Free-form fields with any JSON values. At most 200 fields and 32 KB. */
  customFields?: Record<string, JsonValue> | null | undefined
}

/** A new note about a customer. */
export interface CreateCustomerNote {
  /** Text of the note. At most 20000 characters. */
  content: string
  /** Markup of `content`. Default: text. */
  contentType?: 'text' | 'markdown' | null | undefined
}

/** Customers to create, or ids of customers whose tags change. */
export interface CreateCustomers {
  /** 1 to 100 customers, each with the fields of `POST /api/v1/customers`. Each is checked by itself. At most 100 items. */
  customers?: readonly Record<string, unknown>[] | undefined
  /** Instead of `customers`: ids of 1 to 100 customers whose tags change. A repeated one counts once. At most 100 items. */
  ids?: readonly string[] | undefined
  /** With `ids`: tags to add. At most 50 items. */
  addTags?: readonly string[] | undefined
  /** With `ids`: tags to remove, before others are added. At most 50 items. */
  removeTags?: readonly string[] | undefined
}

/** A new inbox. */
export interface CreateInbox {
  /** Name of the inbox. At most 100 characters. */
  name: string
  /** Channel that the inbox receives. Default: email. */
  channel?: 'email' | 'chat' | 'phone' | 'whatsapp' | 'instagram' | 'twitter' | 'facebook' | 'sms' | null | undefined
  /** Whether the inbox is in use. Default: true. */
  isActive?: boolean | null | undefined
  /** Make this the default inbox of the tenant. */
  isDefault?: boolean | null | undefined
  /** Ids of the users who work in the inbox. At most 200 items. */
  members?: readonly string[] | null | undefined
  /** Automatic assignment of new conversations. */
  autoAssign?: {
    /** Whether new conversations without an assignee are assigned. Default: false. */
    enabled?: boolean | null | undefined
    /** Order of the members. */
    strategy?: 'round_robin' | null | undefined
    /** Whether members must be online. With false, those are skipped who have set that they are away or offline. Default: true. */
    onlyOnline?: boolean | null | undefined
    /** Open conversations from which a member is skipped; null for no limit. From 1 to 10000. */
    maxOpen?: number | null | undefined
  } | null | undefined
  /** Chat widget of the inbox. */
  widget?: {
    /** Whether the widget may be used. Default: false. */
    enabled?: boolean | null | undefined
    /** Origins of the pages that may show the widget. HTTPS, or http on localhost. At most 50 items. */
    allowedOrigins?: readonly string[] | null | undefined
    /** First sentence that visitors see. At most 500 characters. */
    greeting?: string | null | undefined
    /** Colour of the widget, such as `#3457d5`. */
    color?: string | null | undefined
    /** Whether visitors need a signed identity. Default: false. */
    identityRequired?: boolean | null | undefined
    /** Whether visitors see the name of the tenant and the first names of up to three members who are online. Default: false. */
    showTeam?: boolean | null | undefined
    /** Texts of the widget that replace its own in every language, by their keys. */
    texts?: Record<string, string> | null | undefined
    /** Whether the widget asks an anonymous visitor for an e-mail address after the first message. Default: `replyByMail.enabled`. */
    askEmail?: boolean | null | undefined
    /** Replies that a visitor has not read within five minutes are mailed to the address that they gave. */
    replyByMail?: {
      /** Whether they are mailed. Default: false. */
      enabled?: boolean | null | undefined
      /** Id of the inbox that sends the mail: one with a transport. It may be the same inbox. */
      inboxId?: string | null | undefined
    } | null | undefined
  } | null | undefined
  /** How the inbox receives and sends e-mail. */
  email?: {
    /** Address of the inbox. Several inboxes may have entered it, and one of the whole installation may have proven it. At most 254 characters. */
    address?: string | null | undefined
    /** Name that recipients see beside the address. At most 100 characters. */
    displayName?: string | null | undefined
    /** Whether the mailbox receives `local+anything@domain`. Replies then find their conversation by a signed address. Default: false. */
    plusAddressing?: boolean | null | undefined
    /** Names of the mail servers whose `Authentication-Results` are believed. At most 5 items. */
    authservIds?: readonly string[] | null | undefined
    /** Addresses, or domains such as `@shop.example`, whose mail is from whom its Reply-To names: forms of websites and shops. At most 50 items. */
    replyToSenders?: readonly string[] | null | undefined
    /** Markdown below every reply, with the variables `{{agent.firstName}}`, `{{agent.lastName}}` and `{{inbox.name}}`. At most 5000 characters. */
    signature?: string | null | undefined
    /** ARN of the Amazon SNS topic whose events of Amazon SES are taken; null takes none. At most 400 characters. */
    sesTopicArn?: string | null | undefined
    /** Configuration set of Amazon SES that sends its events to the topic. */
    sesConfigurationSet?: string | null | undefined
    /** How replies leave: `none` (your system delivers on `message.sent`), `relay` (the relay of the installation) or `smtp` (the server in `smtp`). Default: none. */
    transport?: 'none' | 'relay' | 'smtp' | null | undefined
    /** Seconds in which a reply can be taken back before it is sent. Default: 0. From 0 to 60. */
    sendDelaySeconds?: number | null | undefined
    /** Days after which a mail to a closed conversation begins a new one. Default: 30. From 1 to 365. */
    reopenDays?: number | null | undefined
    /** Automatic reply to a mail that begins a conversation. */
    autoReply?: {
      /** Whether automatic replies are sent. Default: false. */
      enabled?: boolean | null | undefined
      /** Text of the automatic reply. At most 5000 characters. */
      content?: string | null | undefined
    } | null | undefined
    /** Mailbox that mail is fetched from; null for none. */
    imap?: {
      /** Whether mail is fetched. Default: true. */
      enabled?: boolean | null | undefined
      /** How the service signs in: with a `password`, or by the sign-in of a person at the provider (`oauth`), which then decides the server and the user. Default: password. */
      auth?: 'password' | 'oauth' | null | undefined
      /** Name or address of the server. Required for the auth `password`. At most 253 characters. */
      host?: string | null | undefined
      /** Port: 25, 143, 465, 587, 993, or one from 1024. Required for the auth `password`. From 1 to 65535. */
      port?: number | null | undefined
      /** `tls` from the first byte, or `starttls`, which is then required. Required for the auth `password`. */
      security?: 'tls' | 'starttls' | null | undefined
      /** Name to sign in with. Required for the auth `password`. At most 254 characters. */
      user?: string | null | undefined
      /** Folder that is read. Default: INBOX. At most 255 characters. */
      folder?: string | null | undefined
      /** Mail that arrived before this moment is not fetched; null begins with the next mail. ISO 8601. */
      since?: string | null | undefined
    } | null | undefined
    /** Server that replies are sent through; null for none. */
    smtp?: {
      /** How the service signs in: with a `password`, or by the sign-in of a person at the provider (`oauth`), which then decides the server and the user. Default: password. */
      auth?: 'password' | 'oauth' | null | undefined
      /** Name or address of the server. Required for the auth `password`. At most 253 characters. */
      host?: string | null | undefined
      /** Port: 25, 143, 465, 587, 993, or one from 1024. Required for the auth `password`. From 1 to 65535. */
      port?: number | null | undefined
      /** `tls` from the first byte, or `starttls`, which is then required. Required for the auth `password`. */
      security?: 'tls' | 'starttls' | null | undefined
      /** Name to sign in with. Null where the server asks for none. At most 254 characters. */
      user?: string | null | undefined
    } | null | undefined
  } | null | undefined
}

/** A new integration. */
export interface CreateIntegration {
  /** Source of the records. `file`: files that you upload. `package`: the support history of another product. */
  provider: 'file' | 'zoho' | 'hubspot' | 'package'
  /** Name of the integration. Default: the name of the provider. At most 100 characters. */
  name?: string | null | undefined
  /** Credentials at the source, tried immediately, encrypted and never shown. */
  credentials?: {
    /** Client id of your app at the source. Default: the one of the service. At most 2000 characters. */
    clientId?: string | null | undefined
    /** Secret of that app. Default: the one of the service. At most 2000 characters. */
    clientSecret?: string | null | undefined
    /** Refresh token; or `accessToken`. At most 2000 characters. */
    refreshToken?: string | null | undefined
    /** Token that does not expire, such as a service key. At most 2000 characters. */
    accessToken?: string | null | undefined
  } | null | undefined
  /** Origin of the API, such as `https://www.zohoapis.eu`. Required for `zoho`. At most 300 characters. */
  apiDomain?: string | null | undefined
  /** Origin of the token endpoint, such as `https://accounts.zoho.eu`. Default: the one of the service. At most 300 characters. */
  accountsServer?: string | null | undefined
  /** Parts that an import reads when it names none. An absent one keeps its value. */
  importSettings?: {
    /** Contacts and leads, which become customers. Default: true. */
    importContacts?: boolean | null | undefined
    /** Deals, which become conversations. Default: true. */
    importDeals?: boolean | null | undefined
    /** Cases (tickets), which become conversations. Default: true. */
    importTickets?: boolean | null | undefined
    /** Notes, e-mails and messages of threads, which become messages. Default: true. */
    importNotes?: boolean | null | undefined
    /** Calls, tasks and meetings, which become calls. Default: true. */
    importActivities?: boolean | null | undefined
    /** Whether new records get the id of the source where it is free. Default: false. */
    preserveIds?: boolean | null | undefined
  } | null | undefined
}

/** A new message. */
export interface CreateMessage {
  /** Text of the message. With `attachments` it may be left out or empty: files alone are a message. At most 65536 characters. */
  content?: string | null | undefined
  /** Kind: `reply` to the customer or `note` for the team. Default: reply. */
  type?: 'reply' | 'note' | null | undefined
  /** Markup of `content`. Default: text. */
  contentType?: 'text' | 'markdown' | 'html' | null | undefined
  /** `inbound` from the customer or `outbound` to the customer. Default: outbound. */
  direction?: 'inbound' | 'outbound' | null | undefined
  /** Ids of uploaded files. A file belongs to one message only. At most 10 items. */
  attachments?: readonly string[] | null | undefined
  /** Replies that the message offers, at most 6. The chat widget shows them as buttons, and one of them can be clicked once; an e-mail lists them by number. At most 6 items. */
  choices?: readonly {
    /** Your own id of the choice; unique in the message. At most 64 characters. */
    id: string
    /** Text of the button. At most 40 characters. */
    label: string
  }[] | null | undefined
  /** Recipients of the e-mail. Default: the customer, or who of the conversation wrote last. At most 50 items. */
  to?: readonly string[] | null | undefined
  /** Recipients of a copy. Default: everyone of the last mail. At most 50 items. */
  cc?: readonly string[] | null | undefined
  /** Hidden recipients of a copy. At most 50 items. */
  bcc?: readonly string[] | null | undefined
  /** Subject of the e-mail. Default: that of the conversation. At most 500 characters. */
  subject?: string | null | undefined
  /** Id that the client chose. A second message with it in the same conversation is not created. At most 128 characters. */
  clientMessageId?: string | null | undefined
}

/** A new export. */
export interface CreateTenantExport {
  /** Password of the owner who asks. At most 128 characters. */
  currentPassword: string
  /** Whether the files of messages are parts. Default: true. */
  attachments?: boolean | null | undefined
}

/** The fields of a new view. */
export interface CreateView {
  /** Name of the view, for people. At most 100 characters. */
  name: string
  /** Parameters of the list of conversations, which choose those that the view shows. Without any it shows all of them. It loses a customer who is erased, and a user who is removed. */
  filter: NewViewFilter
  /** Order of the conversations, as in their list. Default: `-updatedAt`. */
  sort?: 'createdAt' | '-createdAt' | 'updatedAt' | '-updatedAt' | 'priority' | 'lastMessageAt' | '-lastMessageAt' | 'waiting' | undefined
  /** Whether the whole team sees it. Otherwise only its owner does. Default: false. */
  isShared?: boolean | undefined
}

/** A new webhook. */
export interface CreateWebhook {
  /** Name of the webhook. At most 100 characters. */
  name: string
  /** HTTPS address of the receiver. At most 2048 characters. */
  url: string
  /** Event types to deliver. At most 100 items. */
  events: readonly ('conversation.created' | 'conversation.updated' | 'conversation.assigned' | 'conversation.closed' | 'customer.created' | 'customer.updated' | 'message.sent' | 'message.received' | 'user.created' | 'user.updated' | 'call.initiated' | 'call.ringing' | 'call.answered' | 'call.completed' | 'call.failed' | 'call.recording.available' | 'mention.created' | 'conversation.merged' | 'conversation.unmerged' | 'customer.deleted' | 'conversation.deleted' | 'user.deleted' | 'message.updated' | 'message.deleted' | 'note.created' | 'mail.parked' | 'inbox.failing' | 'inbox.recovered' | 'integration.failing' | 'integration.recovered')[]
  /** Additional headers of every delivery. At most 20, together 4 KB. */
  headers?: Record<string, string> | null | undefined
  /** Retries of a failed delivery. */
  retryPolicy?: {
    /** Retries after the first attempt. With `exponential` delays, 3 end 14 s after the first attempt and 10 after 34 minutes. Default: 3. From 0 to 10. */
    maxRetries?: number | null | undefined
    /** Delays between attempts: `linear` 5, 10, 15 … s; `exponential` 2, 4, 8 … s. Default: exponential. */
    backoffStrategy?: 'linear' | 'exponential' | null | undefined
  } | null | undefined
}

/** A new API key with the key itself. */
export interface CreatedApiKey {
  /** Id of the API key. */
  _id: string
  /** Id of the tenant that owns the resource. */
  tenantId: string
  /** Name that people recognise the key by. */
  name: string
  /** Name that customers read as the author of what is written with the key; null when they read none, and the team reads `name`. */
  displayName: string | null
  /** Environment of the key. It decides the prefix: `sk_live_` or `sk_test_`. */
  environment: 'production' | 'staging' | (string & {})
  /** Permissions that the key grants. */
  permissions: ('read:conversations' | 'write:conversations' | 'read:customers' | 'write:customers' | 'webhook:manage' | 'read:analytics' | (string & {}))[]
  /** First 8 characters of the key, the same for all keys of an environment. */
  keyPrefix: string
  /** 4 characters of the key that distinguish it from others in a list. */
  keyHint: string
  /** False for a revoked key, which is refused. */
  isActive: boolean
  /** Time from which the key is refused as expired; null when it never expires. ISO 8601. */
  expiresAt: string | null
  /** Reminder to rotate the key; null without one. It never disables the key. */
  rotationPolicy: {
    /** Whether the key reports when its rotation is due. */
    enabled: boolean
    /** Days from the creation of the key until its rotation is due. */
    intervalDays: number | null
    /** Days before the due date from which `rotationDueSoon` is true. Less than `intervalDays`. */
    notifyDaysBefore: number | null
  } | null
  /** Rate limit of the key itself; null when only the limit of the service applies. */
  rateLimit: {
    /** Requests that the key may make in one window. */
    requests: number
    /** Length of the window, a duration such as `30s`, `5 minutes` or `hour`. */
    window: string
  } | null
  /** IP addresses and CIDR blocks that may use the key. Empty when every address may. */
  ipWhitelist: string[]
  /** Id of the user who created the key. */
  createdBy: string
  /** Time of the last request with the key; null before the first. ISO 8601. */
  lastUsedAt: string | null
  /** Time of the revocation; null for an active key. ISO 8601. */
  revokedAt: string | null
  /** Id of the key that a rotation created as its successor. */
  replacedBy: string | null
  /** When the rotation is due; null without an enabled `rotationPolicy`. ISO 8601. */
  rotationDueAt: string | null
  /** Whether the rotation is due within `notifyDaysBefore` days. */
  rotationDueSoon: boolean
  /** Whether `rotationDueAt` has passed. */
  rotationOverdue: boolean
  /** Time of creation. ISO 8601. */
  createdAt: string
  /** Time of the last change. ISO 8601. */
  updatedAt: string
  /** The key itself. It is shown only in this response. */
  key: string
}

/** The result for one row. */
export interface CreatedCustomer {
  /** Position of the row in the request, from 0. */
  index: number
  /** Id of the customer; null when the row was refused. */
  _id: string | null
  /** The outcome of the row; the last three are those of `ids`. */
  result: 'created' | 'refused' | 'changed' | 'unchanged' | 'failed' | (string & {})
  /** Of `failed`: `NOT_FOUND`, or `VALIDATION_ERROR` for more tags than 50. Else null. */
  code: string | null
  /** The customer afterwards; null when the row was refused or failed. */
  customer: Customer | null
  /** The reasons of a refusal; empty for every other result. */
  problems: RowProblem[]
}

/** A webhook with a new signing secret. */
export interface CreatedWebhook {
  /** Id of the webhook. */
  _id: string
  /** Id of the tenant that owns the resource. */
  tenantId: string
  /** Name of the webhook. */
  name: string
  /** HTTPS address of the receiver. */
  url: string
  /** Event types to deliver. */
  events: ('conversation.created' | 'conversation.updated' | 'conversation.assigned' | 'conversation.closed' | 'customer.created' | 'customer.updated' | 'message.sent' | 'message.received' | 'user.created' | 'user.updated' | 'call.initiated' | 'call.ringing' | 'call.answered' | 'call.completed' | 'call.failed' | 'call.recording.available' | 'mention.created' | 'conversation.merged' | 'conversation.unmerged' | 'customer.deleted' | 'conversation.deleted' | 'user.deleted' | 'message.updated' | 'message.deleted' | 'note.created' | 'mail.parked' | 'inbox.failing' | 'inbox.recovered' | 'integration.failing' | 'integration.recovered' | (string & {}))[]
  /** Whether events are delivered. */
  isActive: boolean
  /** Additional headers of every delivery. Each value is shown as `••••`. */
  headers: Record<string, string>
  /** Retries of a failed delivery. */
  retryPolicy: {
    /** Retries after the first attempt. With `exponential` delays, 3 end 14 s after the first attempt and 10 after 34 minutes. */
    maxRetries: number
    /** Delays between attempts: `linear` 5, 10, 15 … s; `exponential` 2, 4, 8 … s. */
    backoffStrategy: 'linear' | 'exponential' | (string & {})
  }
  /** Success and failure of the latest attempts. */
  health: {
    /** `failing`: the latest attempt failed. `disabled`: no deliveries are made. */
    state: 'healthy' | 'failing' | 'disabled' | (string & {})
    /** Failed attempts since the last success. */
    consecutiveFailures: number
    /** Time of the last successful attempt. ISO 8601. */
    lastSuccessAt: string | null
    /** Time of the last failed attempt. ISO 8601. */
    lastFailureAt: string | null
    /** Reason why the webhook is inactive; null while it is active. `gone`: the receiver sent 410. `failing`: no success for 7 days. `manual`: a caller deactivated it. `permission`: the API key or user that made it may not read its events any more. */
    disabledReason: 'gone' | 'failing' | 'manual' | 'permission' | (string & {}) | null
  }
  /** End of the validity of the previous secret during a rotation; else null. ISO 8601. */
  previousSecretExpiresAt: string | null
  /** Time of creation. ISO 8601. */
  createdAt: string
  /** Time of the last change. ISO 8601. */
  updatedAt: string
  /** Signing secret. It is shown only in this response. */
  secret: string
}

/** A person who asks the tenant for help. */
export interface Customer {
  /** Id of the customer. */
  _id: string
  /** Id of the tenant that owns the resource. */
  tenantId: string
  /** Name and contact data. At least one of name, e-mail and phone is present. */
  profile: {
    /** First name. */
    firstName: string | null
    /** Last name. */
    lastName: string | null
    /** E-mail address. */
    email: string | null
    /** Phone number, as entered. */
    phone: string | null
    /** Company that the customer works for. */
    company: string | null
  }
  /** Position in the company. */
  jobTitle: string | null
  /** Service level. */
  tier: 'bronze' | 'silver' | 'gold' | 'platinum' | (string & {})
  /** State of the relationship. */
  status: 'active' | 'inactive' | 'archived' | (string & {})
  /** Tags, unique without regard to case. At most 50. */
  tags: string[]
  /** Free-form fields with any JSON values. At most 200 fields and 32 KB. */
  customFields: Record<string, JsonValue>
  /** Ids of the customer in other systems, each as `source:id`. Written by `PUT /api/v1/customers/by-external-id/{source}/{id}`. */
  externalIds: string[]
  /** Time at which the customer was blocked: their mail is ignored and their chat widget cannot send. Null while they are not blocked. ISO 8601. */
  blockedAt: string | null
  /** Time at which the customer last wrote, exact to an hour: a later message within the hour does not change it, and no event says so. Null while they have never written. ISO 8601. */
  lastContactAt: string | null
  /** Time of creation. ISO 8601. */
  createdAt: string
  /** Time of the last change. ISO 8601. */
  updatedAt: string
}

/** An e-mail address of a customer, current or former. */
export interface CustomerAddress {
  /** E-mail address in lower case. */
  address: string
  /** Time at which it became the address of the customer, as far as it is known. ISO 8601. */
  since: string
  /** Time at which it ceased to be; null while it is theirs. ISO 8601. */
  until: string | null
  /** How it is known: `profile`: it is `profile.email`; `changed`: it was; `merged`: of a customer who was merged into this one; `import`: a further one of an imported record; `signed`: of a `userToken` of the chat widget. */
  source: 'profile' | 'changed' | 'merged' | 'import' | 'signed' | (string & {})
}

/** A customer with all known e-mail addresses, and whether others were merged into this one. */
export interface CustomerDetails {
  /** Id of the customer. */
  _id: string
  /** Id of the tenant that owns the resource. */
  tenantId: string
  /** Name and contact data. At least one of name, e-mail and phone is present. */
  profile: {
    /** First name. */
    firstName: string | null
    /** Last name. */
    lastName: string | null
    /** E-mail address. */
    email: string | null
    /** Phone number, as entered. */
    phone: string | null
    /** Company that the customer works for. */
    company: string | null
  }
  /** Position in the company. */
  jobTitle: string | null
  /** Service level. */
  tier: 'bronze' | 'silver' | 'gold' | 'platinum' | (string & {})
  /** State of the relationship. */
  status: 'active' | 'inactive' | 'archived' | (string & {})
  /** Tags, unique without regard to case. At most 50. */
  tags: string[]
  /** Free-form fields with any JSON values. At most 200 fields and 32 KB. */
  customFields: Record<string, JsonValue>
  /** Ids of the customer in other systems, each as `source:id`. Written by `PUT /api/v1/customers/by-external-id/{source}/{id}`. */
  externalIds: string[]
  /** Time at which the customer was blocked: their mail is ignored and their chat widget cannot send. Null while they are not blocked. ISO 8601. */
  blockedAt: string | null
  /** Time at which the customer last wrote, exact to an hour: a later message within the hour does not change it, and no event says so. Null while they have never written. ISO 8601. */
  lastContactAt: string | null
  /** Time of creation. ISO 8601. */
  createdAt: string
  /** Time of the last change. ISO 8601. */
  updatedAt: string
  /** E-mail addresses of the customer: `profile.email` first, then the others, newest first. At most 50. One that a visitor of the chat widget typed is not among them. */
  addresses: CustomerAddress[]
  /** Whether other customers were merged into this one. `GET …/merges` lists those of them that can be taken back. */
  hasMerges: boolean
}

/** A customer whom a search found. */
export interface CustomerMatch {
  /** The customer. */
  customer: Customer
  /** The first of these parts of the customer in which a word of the search occurs. */
  matched: 'name' | 'email' | 'phone' | 'company' | (string & {})
}

/** A merge into a customer that can be taken back. */
export interface CustomerMerge {
  /** Id of the merge. */
  _id: string
  /** Id of the customer who was merged into this one. */
  sourceId: string
  /** Name of that customer at the time; without a name the e-mail, without both the phone number. */
  sourceName: string
  /** Time of the merge. ISO 8601. */
  mergedAt: string
  /** The user or key who merged them; null for a merge of an earlier version, and for one at the source of an import. */
  mergedBy: {
    /** Kind of the actor. */
    type: 'user' | 'apiKey' | (string & {})
    /** Id of the user or the key. */
    _id: string
  } | null
  /** Time until which `unmerge` takes the merge back. ISO 8601. */
  undoableUntil: string
}

/** The customer of a conversation, for a credential without `read:customers`. */
export interface CustomerName {
  /** Id of the customer. */
  _id: string
  /** Not part of it. */
  tenantId?: undefined
  /** The name alone. */
  profile: {
    /** First name. */
    firstName: string | null
    /** Last name. */
    lastName: string | null
    /** Not part of it. */
    email?: undefined
    /** Not part of it. */
    phone?: undefined
    /** Not part of it. */
    company?: undefined
  }
  /** Not part of it. */
  jobTitle?: undefined
  /** Not part of it. */
  tier?: undefined
  /** Not part of it. */
  status?: undefined
  /** Not part of it. */
  tags?: undefined
  /** Not part of it. */
  customFields?: undefined
  /** Not part of it. */
  externalIds?: undefined
  /** Not part of it. */
  blockedAt?: undefined
  /** Not part of it. */
  lastContactAt?: undefined
  /** Not part of it. */
  createdAt?: undefined
  /** Not part of it. */
  updatedAt?: undefined
}

/** A note of the team about a customer. The customer never sees it. */
export interface CustomerNote {
  /** Id of the customer note. */
  _id: string
  /** Id of the tenant that owns the resource. */
  tenantId: string
  /** Id of the customer. */
  customerId: string
  /** Text of the note. */
  content: string
  /** Markup of `content`. */
  contentType: 'text' | 'markdown' | (string & {})
  /** Author of the note: a user or an API key. */
  author: DraftAuthor
  /** Number of the version; it rises with each change of the note. */
  version: number
  /** Time of creation. ISO 8601. */
  createdAt: string
  /** Time of the last change. ISO 8601. */
  updatedAt: string
}

/** Filters and paging of `customerNotes.list`. */
export interface CustomerNotesListQuery {
  /** Number of the page, from 1. From 1 to 2147483647. Default: `1`. */
  page?: number | undefined
  /** Rows per page. From 1 to 100. Default: `20`. */
  limit?: number | undefined
  /** `nextCursor` of the page before. It replaces `page`, and costs the same at any depth. At most 512 characters. */
  cursor?: string | undefined
}

/** A list of tags. */
export interface CustomerTags {
  /** Tags to add or to remove. At most 50 items. */
  tags: readonly string[]
}

/** Filters and paging of `customers.export`. */
export interface CustomersExportQuery {
  /** Format of the file. Default: `json`. */
  format?: 'json' | 'csv' | undefined
}

/** Filters and paging of `customers.list`. */
export interface CustomersListQuery {
  /** Only the customers with these ids, at most 100. An unknown id finds nothing. */
  ids?: string | readonly string[] | undefined
  /** Terms that must all occur in name, e-mail, phone or company. At most 200 characters. */
  search?: string | undefined
  /** Only customers with this e-mail, without regard to case. At most 254 characters. */
  email?: string | undefined
  /** Only the customer with this id in another system, as `source:id`. At most 400 characters. */
  externalId?: string | undefined
  /** Only customers of this tier. */
  tier?: 'bronze' | 'silver' | 'gold' | 'platinum' | undefined
  /** Only customers of this status. */
  status?: 'active' | 'inactive' | 'archived' | undefined
  /** Only customers that have all of these tags. At most 64 characters. */
  tags?: string | readonly string[] | undefined
  /** Only customers that changed at or after this time. ISO 8601. */
  updatedSince?: string | undefined
  /** Only customers of this company: the whole name, without regard to case. At most 200 characters. */
  company?: string | undefined
  /** Only customers who last wrote at or after this time. ISO 8601. */
  lastContactSince?: string | undefined
  /** Only customers who last wrote before this time. ISO 8601. */
  lastContactUntil?: string | undefined
  /** `openConversations`: counts the conversations of each customer that are not closed. */
  include?: 'openConversations' | readonly 'openConversations'[] | undefined
  /** Order of the rows; `-` means descending. By `lastContactAt`, customers who have never written are the earliest. Default: `-createdAt`. */
  sort?: 'createdAt' | '-createdAt' | 'updatedAt' | '-updatedAt' | 'lastName' | 'lastContactAt' | '-lastContactAt' | undefined
  /** Number of the page, from 1. From 1 to 2147483647. Default: `1`. */
  page?: number | undefined
  /** Rows per page. From 1 to 100. Default: `20`. */
  limit?: number | undefined
  /** `nextCursor` of the page before. It replaces `page`, and costs the same at any depth. At most 512 characters. */
  cursor?: string | undefined
}

/** A decision on a request. */
export interface DecidePrivacyRequest {
  /** Notes of the tenant to the person; null without any. At most 10000 characters. */
  notes?: string | null | undefined
}

/** The reason of a deletion. */
export interface DeleteConversation {
  /** Reason for the audit log. At most 1000 characters. */
  reason?: string | null | undefined
}

/** A request of a user to delete their data. */
export interface DeletionRequest {
  /** Id of the request. */
  id: string
  /** State. A `processing` restriction is in force, and a `processing` deletion is completed by the service itself. */
  status: 'pending' | 'processing' | 'completed' | 'rejected' | 'cancelled' | (string & {})
  /** Reason of the person; null without one. */
  reason: string | null
  /** Time of the request. ISO 8601. */
  requestedAt: string
  /** Time by which the tenant has to have done it: one month after the request. ISO 8601. */
  dueAt: string
  /** Time at which it was approved or rejected; null before. ISO 8601. */
  processedAt: string | null
  /** Reason of a rejection; null otherwise. */
  rejectionReason: string | null
  /** Notes of the tenant to the person; null without any. */
  notes: string | null
}

/** A new deletion request. */
export interface DeletionRequestReply {
  /** Always true. */
  success: true
  /** Confirmation for people. */
  message: string
  /** New request. */
  request: DeletionRequest
}

/** State of the deletion requests of the signed-in user. */
export interface DeletionStatus {
  /** Always true. */
  success: true
  /** Whether the user has made a deletion request. */
  hasRequest: boolean
  /** Latest deletion request; present only when there is one. */
  request?: DeletionRequest
}

/** One attempt to deliver an event to a webhook. */
export interface DeliveryLog {
  /** Id of the log row. */
  _id: string
  /** Id of the webhook. */
  webhookId: string
  /** Event type. */
  event: string
  /** Result of the attempt; `pending` for the next planned attempt. */
  status: 'pending' | 'success' | 'failed' | (string & {})
  /** HTTP status of the receiver; null without a response. */
  statusCode: number | null
  /** Number of the attempt, from 1. */
  attempt: number
  /** End of the attempt; null while it is pending. ISO 8601. */
  deliveredAt: string | null
  /** Duration of the attempt in milliseconds. */
  responseTime: number | null
  /** Error for people; null after a success. */
  error: string | null
  /** Error for programs; null after a success. */
  errorCode: 'DNS' | 'CONNECT' | 'TLS' | 'TIMEOUT' | 'STATUS' | 'REDIRECT' | 'BLOCKED' | 'BODY' | 'ERASED' | (string & {}) | null
  /** Id of the event, the same in all attempts and redeliveries. */
  eventId: string
  /** Id of the delivery, the same in all its attempts. */
  deliveryId: string
  /** On a failed row the time of the next attempt, on a pending row that of this attempt; else null, also while the webhook is inactive. ISO 8601. */
  nextAttemptAt: string | null
  /** Milliseconds from the start of the attempt to each phase; null for a phase not reached. */
  timings: {
    /** Name resolved. */
    dns: number | null
    /** Connection established. */
    connect: number | null
    /** TLS handshake completed. */
    tls: number | null
    /** First byte of the response received. */
    firstByte: number | null
    /** Attempt ended. */
    total: number
  } | null
  /** IP address of the receiver. */
  remoteAddress: string | null
  /** Time of creation. ISO 8601. */
  createdAt: string
}

/** A door of the tenant that does not work at present. */
export interface Door {
  /** Id of the door. */
  _id: string
  /** Id of the tenant that owns the resource. */
  tenantId: string
  /** The mailbox, the server or the rest of an inbox, the events of its mail provider, or a source. */
  door: 'mailbox' | 'server' | 'events' | 'rest' | 'source' | (string & {})
  /** The part that does not work. */
  part: 'receiving' | 'sending' | 'syncing' | (string & {})
  /** Id of the inbox; null for a source. */
  inboxId: string | null
  /** Id of the integration; null for an inbox. */
  integrationId: string | null
  /** Why, in one sentence. */
  reason: string
  /** Time at which the trouble began. ISO 8601. */
  since: string
  /** Mails that wait for the door; 100 means 100 or more. */
  waiting: number
  /** Time of creation. ISO 8601. */
  createdAt: string
  /** Time of the last change. ISO 8601. */
  updatedAt: string
}

/** Filters and paging of `doors.list`. */
export interface DoorsListQuery {
  /** Number of the page, from 1. From 1 to 2147483647. Default: `1`. */
  page?: number | undefined
  /** Rows per page. From 1 to 100. Default: `20`. */
  limit?: number | undefined
  /** `nextCursor` of the page before. It replaces `page`, and costs the same at any depth. At most 512 characters. */
  cursor?: string | undefined
}

/** A message that is not sent yet. An author has one in a conversation. */
export interface Draft {
  /** Id of the draft. */
  _id: string
  /** Id of the tenant that owns the resource. */
  tenantId: string
  /** Id of the conversation. */
  conversationId: string
  /** Author of the draft: a user or an API key. */
  author: DraftAuthor
  /** Kind of the message that it becomes: `reply` to the customer or `note` for the team. */
  type: 'reply' | 'note' | (string & {})
  /** Text of the draft; it may be empty. */
  content: string
  /** Markup of `content`. */
  contentType: 'text' | 'markdown' | 'html' | (string & {})
  /** Files of the draft. */
  attachments: Attachment[]
  /** Recipients of the e-mail. A save that names none fixes those of a reply that names none. */
  to: string[]
  /** Recipients of a copy. A save that names no recipients fixes those of a reply that names none. */
  cc: string[]
  /** Hidden recipients of a copy. */
  bcc: string[]
  /** On what the recipients were chosen at the last save. The draft is not sent while it is another one; null for a note, and for drafts of earlier versions. Default: `null`. */
  basis: DraftBasis | null
  /** Whether the caller, without read:customers, is not shown the recipients that the service chose. Default: `false`. */
  recipientsHidden: boolean
  /** Time at which the service sends it; null: nobody has planned it. ISO 8601. */
  sendAt: string | null
  /** Whether a message of the customer, or a reply of somebody else, after the last change of the draft stops it. */
  sendUnlessReplied: boolean
  /** Id of the draft of somebody else that this one is an edited form of. It ends with this one when that is sent. Null: none. Default: `null`. */
  basedOn: string | null
  /** `seq` of the conversation that the author has read. A reply or a note of somebody else of the team after it stops the draft at `sendAt`, as `If-Conversation-Seq` refuses a reply. Null: nothing is compared. Default: `null`. */
  ifSeq: number | null
  /** Reason why it was not sent at `sendAt`, which is null then: `REPLIED`, `RECIPIENT_CHANGED`, `AUTHOR_GONE`, or the code of the error. */
  sendError: string | null
  /** Number of the version; it rises with each change of the draft. */
  version: number
  /** Time of creation. ISO 8601. */
  createdAt: string
  /** Time of the last change. ISO 8601. */
  updatedAt: string
}

/** Author of a draft. */
export interface DraftAuthor {
  /** Kind of the author; `api` is a key. */
  type: 'user' | 'api' | (string & {})
  /** Id of the user or key. */
  _id: string
  /** Name of the author; null when it was erased or may not be shown. */
  name: string | null
}

/** On what the recipients of a reply were chosen. */
export interface DraftBasis {
  /** How a reply leaves: `email`, `chat` (the widget), `webhook` (your system, on `message.sent`), or `none` (nobody carries it). */
  door: 'email' | 'chat' | 'webhook' | 'none' | (string & {})
  /** Address that an e-mail comes from, in lower case; else null. */
  from: string | null
  /** Address of the customer, in lower case; null without one, and to a key without read:customers. */
  customerEmail: string | null
}

/** Filters and paging of `drafts.listOwn`. */
export interface DraftsListOwnQuery {
  /** Number of the page, from 1. From 1 to 2147483647. Default: `1`. */
  page?: number | undefined
  /** Rows per page. From 1 to 100. Default: `20`. */
  limit?: number | undefined
  /** `nextCursor` of the page before. It replaces `page`, and costs the same at any depth. At most 512 characters. */
  cursor?: string | undefined
  /** `unsent` or `planned`. Default: `unsent`. */
  state?: 'unsent' | 'planned' | undefined
}

/** Filters and paging of `drafts.list`. */
export interface DraftsListQuery {
  /** Number of the page, from 1. From 1 to 2147483647. Default: `1`. */
  page?: number | undefined
  /** Rows per page. From 1 to 100. Default: `20`. */
  limit?: number | undefined
  /** `nextCursor` of the page before. It replaces `page`, and costs the same at any depth. At most 512 characters. */
  cursor?: string | undefined
}

/** Result of a test of mail servers. */
export interface EmailTest {
  /** Whether every step succeeded. */
  ok: boolean
  /** Steps of each server in their order, up to the first that failed. */
  steps: {
    /** Server that was tried: `imap` receives, `smtp` sends. */
    server: 'imap' | 'smtp' | (string & {})
    /** Step of the connection. */
    step: 'resolve' | 'connect' | 'tls' | 'sign_in' | 'open_folder' | 'send' | (string & {})
    /** Whether the step succeeded. */
    ok: boolean
    /** Duration of the step in milliseconds. */
    ms: number
    /** Why it failed, in one sentence; null otherwise. */
    error: string | null
  }[]
  /** Settings that the mail of the inbox suggests. The service never changes them by itself. */
  proposals: {
    /** Names for `email.authservIds`: the server that received at least 18 of the last 20 mails and wrote their topmost `Authentication-Results`. Empty where it is among them already. */
    authservIds: string[]
  }
}

/** Filters and paging of `events.list`. */
export interface EventsListQuery {
  /** Position in the log after which to start: a `nextCursor`, `earliest` (the oldest stored event) or `latest` (the end of the log). At most 512 characters. */
  after?: string | undefined
  /** Only events of these types, as far as the credential may see them. */
  types?: 'conversation.created' | 'conversation.updated' | 'conversation.assigned' | 'conversation.closed' | 'customer.created' | 'customer.updated' | 'message.sent' | 'message.received' | 'user.created' | 'user.updated' | 'call.initiated' | 'call.ringing' | 'call.answered' | 'call.completed' | 'call.failed' | 'call.recording.available' | 'mention.created' | 'conversation.merged' | 'conversation.unmerged' | 'customer.deleted' | 'conversation.deleted' | 'user.deleted' | 'message.updated' | 'message.deleted' | 'note.created' | 'mail.parked' | 'inbox.failing' | 'inbox.recovered' | 'integration.failing' | 'integration.recovered' | readonly ('conversation.created' | 'conversation.updated' | 'conversation.assigned' | 'conversation.closed' | 'customer.created' | 'customer.updated' | 'message.sent' | 'message.received' | 'user.created' | 'user.updated' | 'call.initiated' | 'call.ringing' | 'call.answered' | 'call.completed' | 'call.failed' | 'call.recording.available' | 'mention.created' | 'conversation.merged' | 'conversation.unmerged' | 'customer.deleted' | 'conversation.deleted' | 'user.deleted' | 'message.updated' | 'message.deleted' | 'note.created' | 'mail.parked' | 'inbox.failing' | 'inbox.recovered' | 'integration.failing' | 'integration.recovered')[] | undefined
  /** Events per page. From 1 to 100. Default: `20`. */
  limit?: number | undefined
}

/** Filters and paging of `events.stream`. */
export interface EventsStreamQuery {
  /** Position in the log after which to start: a `nextCursor`, `earliest` (the oldest stored event) or `latest` (the end of the log). At most 512 characters. */
  after?: string | undefined
  /** Only events of these types, as far as the credential may see them. Live types need `live=true`. */
  types?: 'conversation.created' | 'conversation.updated' | 'conversation.assigned' | 'conversation.closed' | 'customer.created' | 'customer.updated' | 'message.sent' | 'message.received' | 'user.created' | 'user.updated' | 'call.initiated' | 'call.ringing' | 'call.answered' | 'call.completed' | 'call.failed' | 'call.recording.available' | 'mention.created' | 'conversation.merged' | 'conversation.unmerged' | 'customer.deleted' | 'conversation.deleted' | 'user.deleted' | 'message.updated' | 'message.deleted' | 'note.created' | 'mail.parked' | 'inbox.failing' | 'inbox.recovered' | 'integration.failing' | 'integration.recovered' | 'counts.changed' | 'presence.changed' | 'typing' | 'draft.updated' | 'draft.deleted' | 'conversation.read' | 'availability.changed' | 'customer.notes' | readonly ('conversation.created' | 'conversation.updated' | 'conversation.assigned' | 'conversation.closed' | 'customer.created' | 'customer.updated' | 'message.sent' | 'message.received' | 'user.created' | 'user.updated' | 'call.initiated' | 'call.ringing' | 'call.answered' | 'call.completed' | 'call.failed' | 'call.recording.available' | 'mention.created' | 'conversation.merged' | 'conversation.unmerged' | 'customer.deleted' | 'conversation.deleted' | 'user.deleted' | 'message.updated' | 'message.deleted' | 'note.created' | 'mail.parked' | 'inbox.failing' | 'inbox.recovered' | 'integration.failing' | 'integration.recovered' | 'counts.changed' | 'presence.changed' | 'typing' | 'draft.updated' | 'draft.deleted' | 'conversation.read' | 'availability.changed' | 'customer.notes')[] | undefined
  /** Whether to send live events too. API keys get 403. */
  live?: boolean | undefined
}

/** A new token of the address for events of a mail provider. */
export interface EventsToken {
  /** Id of the inbox. */
  _id: string
  /** Token of the address for events. It is shown only in this response. */
  eventsToken: string
}

/** Values that a conversation must have for a change. */
export interface ExpectedConversation {
  /** State. `snoozed` becomes `open` at `snoozedUntil`. */
  status?: 'open' | 'closed' | 'pending' | 'snoozed' | undefined
  /** Time at which a snoozed conversation opens; null until the next inbound message. ISO 8601. */
  snoozedUntil?: string | null | undefined
  /** Id of the user who is assigned; null when nobody is. At most 64 characters. */
  assignedTo?: string | null | undefined
  /** Priority. */
  priority?: 'low' | 'medium' | 'high' | 'urgent' | undefined
  /** Id of the inbox that the conversation belongs to. At most 64 characters. */
  inboxId?: string | undefined
  /** Id of the customer; null when there is none. At most 64 characters. */
  customerId?: string | null | undefined
}

/** The reading of a whole file in the background, before its first import. */
export interface FileSurvey {
  /** State. A start waits for one that is `running`, and is refused behind one that `failed`. */
  status: 'running' | 'done' | 'failed' | (string & {})
  /** Rows with a value; null until it is done. */
  rows: number | null
  /** Columns whose suggested target it has changed: ids that repeat, that are rounded or absent. */
  changed: string[]
  /** Reason of a failed one; of a running one, why it could not be made yet and is tried again. */
  error: {
    /** Stable code, for programs. */
    code: string
    /** Description for people. */
    message: string
    /** First row that contradicts the encoding, with the code `ENCODING`; else null. Default: `null`. */
    row: number | null
  } | null
}

/** State of the service. */
export interface Health {
  /** Always `ok`. A service that fails sends 503. */
  status: 'ok'
  /** Version of the service. */
  version: string
  /** Schema of the database that this version works with. */
  schema: number
  /** Commit that the service was built of; null when it runs from the sources. */
  commit: string | null
  /** Seconds since the process started. */
  uptimeSeconds: number
  /** State of each part. */
  checks: {
    /** Whether the database can be written. */
    storage: 'ok' | 'failing' | (string & {})
    /** Whether background jobs run. */
    jobs: 'ok' | 'failing' | (string & {})
  }
}

/** The figures of each row and each cell of the files. */
export interface ImportBalance {
  /** Whether each row and each cell is in one figure; null until the run ends. */
  closes: boolean | null
  /** The files that the run has read. */
  files: BalancedFile[]
}

/** A column of a file, by its first 256 KB; behind the survey by all of it, but for kind and samples. */
export interface ImportColumn {
  /** Position, from 1. */
  position: number
  /** Header, or name of the field; unique in the file. */
  name: string
  /** Rows of `rowsRead` with a value. */
  filled: number
  /** Kind of the values. */
  kind: 'text' | 'email' | 'phone' | 'number' | 'date' | 'id' | 'choice' | 'empty' | (string & {})
  /** Order that the dates prove. Null: no value says it. */
  dateOrder: 'dmy' | 'mdy' | (string & {}) | null
  /** Order that a person chose for this column. Null: none; then `dateOrder` holds, else that of the integration. */
  chosenDateOrder: 'dmy' | 'mdy' | 'ymd' | (string & {}) | null
  /** Of a target that is a time: rows of `rowsRead` whose date could be day first or month first, while neither the column nor a person says which. */
  unprovenDates: number
  /** The first values that differ, at most 3 of 100 characters. */
  samples: string[]
  /** Where it goes. Null: nowhere. */
  target: string | null
  /** Where it goes while the integration sets nothing. */
  suggested: string | null
  /** Origin of `target`. */
  by: 'suggested' | 'person' | (string & {})
  /** Words of a target that takes a few words alone, at most 200. Null: another target. */
  values: {
    /** The word. */
    value: string
    /** Rows of `rowsRead` with it. */
    count: number
    /** Value that it becomes. Null: the word is kept beside it. */
    meaning: string | null
  }[] | null
}

/** The figures of one module of a run. */
export interface ImportCounts {
  /** Records of the module; null while it is unknown. */
  total: number | null
  /** Whether `total` is an estimate of the source. */
  totalIsEstimate: boolean
  /** Records that were read, each once. */
  read: number
  /** Records that made a new row here. */
  created: number
  /** Known records of which something was written. */
  updated: number
  /** Known records of which nothing was written. */
  unchanged: number
  /** Records that joined an existing customer. */
  merged: number
  /** Records that were left out on purpose. */
  skipped: number
  /** Records that could not be imported. */
  failed: number
  /** Known records that were deleted at the source. */
  deleted: number
  /** Whether the module is complete. */
  done: boolean
}

/** An uploaded file with the records of one module. */
export interface ImportFile {
  /** Id of the file. */
  _id: string
  /** Module whose records the file holds. */
  module: 'Contacts' | 'Leads' | 'Deals' | 'Cases' | 'Notes' | 'Calls' | (string & {})
  /** Name of the file. */
  filename: string
  /** Format, by the content. */
  format: 'csv' | 'json' | 'ndjson' | 'vcf' | 'xlsx' | (string & {})
  /** Delimiter of the cells of a CSV file. */
  delimiter: string | null
  /** Line with the names of the columns, from 1; lines before it belong to no row. 0: the file has none. Null: it is no CSV file. */
  headerRow: number | null
  /** Encoding, by the content. */
  encoding: 'utf-8' | 'utf-16le' | 'utf-16be' | 'windows-1250' | 'windows-1251' | 'windows-1252' | 'windows-1253' | 'windows-1254' | 'windows-1255' | 'windows-1256' | 'windows-1257' | 'windows-1258' | 'shift_jis' | 'gb18030' | 'big5' | 'euc-kr' | (string & {})
  /** Sheet of a workbook, or file of an archive, that is read; null: neither. */
  sheet: string | null
  /** Sheets of a workbook, or tables of an archive; null: neither. */
  sheets: string[] | null
  /** Size in bytes. */
  size: number
  /** Headers of the columns, or the names of the fields. */
  headers: string[]
  /** Target of each header: the one that the integration sets, else the suggested one. */
  mapping: Record<string, string | null>
  /** Null: a file of an earlier version. */
  survey: FileSurvey | null
  /** Lines before the header, at most 20; absent in lists. */
  outside?: {
    /** Number of the line, or of the row in the sheet. */
    row: number
    /** Its first 100 signs. */
    text: string
  }[]
  /** Rows that `columns` is about; absent in lists. */
  rowsRead?: number
  /** The columns; absent in lists. */
  columns?: ImportColumn[]
  /** Time of creation. ISO 8601. */
  createdAt: string
  /** Time of the last change. ISO 8601. */
  updatedAt: string
}

/** A record that was not imported as it is. */
export interface ImportIssue {
  /** Id of the row. */
  _id: string
  /** Id of the run. */
  runId: string
  /** `error`: not imported. `warning`: imported with a loss. `skipped`, `kept`: on purpose. */
  severity: 'error' | 'warning' | 'skipped' | 'kept' | (string & {})
  /** Module of the record. */
  module: string
  /** Id of the record at the source. */
  externalId: string | null
  /** Number of the row in the file; the header has number 1. */
  row: number | null
  /** Stable code, for programs. */
  code: string
  /** Description for people, without values of the record. */
  message: string
  /** Column of the file, or field of the source, that it is about. */
  column: string | null
  /** The word that has no meaning here, of a column such as a status; else null. */
  value: string | null
  /** Records that it is about; `row` is the first of them. */
  count: number
  /** More about some codes. */
  details: {
    /** Ids of at most 5 customers who may be the same person. */
    candidates?: string[]
    /** Month of a record of a package, UTC. */
    month?: string
  } | null
  /** Time of creation. ISO 8601. */
  createdAt: string
}

/** One import. */
export interface ImportRun {
  /** Id of the run. */
  _id: string
  /** Id of the integration. */
  integrationId: string
  /** Cause of the run. */
  trigger: 'manual' | 'auto' | 'retry' | (string & {})
  /** State. `paused`: it waits for a limit of the source until `resumeAt`. */
  status: 'queued' | 'running' | 'paused' | 'completed' | 'completed_with_errors' | 'failed' | 'cancelled' | (string & {})
  /** Whether it only reports what an import would do. */
  dryRun: boolean
  /** Parts that the run reads. */
  selection: {
    /** Contacts and leads, which become customers. */
    importContacts: boolean
    /** Deals, which become conversations. */
    importDeals: boolean
    /** Cases (tickets), which become conversations. */
    importTickets: boolean
    /** Notes, e-mails and messages of threads, which become messages. */
    importNotes: boolean
    /** Calls, tasks and meetings, which become calls. */
    importActivities: boolean
    /** Whether new records get the id of the source where it is free. */
    preserveIds: boolean
  }
  /** Days of the last change at the source; null without a bound. */
  dateRange: {
    /** First day, UTC. */
    startDate: string | null
    /** Last day, UTC. */
    endDate: string | null
  } | null
  /** Time at which the first process took it up. ISO 8601. */
  startedAt: string | null
  /** Time of its end. ISO 8601. */
  finishedAt: string | null
  /** Time at which a paused run goes on. ISO 8601. */
  resumeAt: string | null
  /** Limit that a paused run waits for. */
  pauseReason: 'rate_limit' | 'quota' | (string & {}) | null
  /** Reason of a failed run. */
  error: {
    /** Stable code, for programs. */
    code: string
    /** Description for people. */
    message: string
  } | null
  /** The figures of each module, by its name. */
  modules: Record<string, ImportCounts>
  /** Records that could not be imported. */
  errorCount: number
  /** Warnings. */
  warningCount: number
  /** Fields that were edited here and kept their value. */
  conflictsKept: number
  /** Every row and cell of the files; null for other sources, and for a retry of single records. */
  balance: ImportBalance | null
  /** Id of the run that this one repeats or continues. */
  retryOf: string | null
  /** The undo of the run. */
  undo: {
    /** State of the undo. */
    status: 'none' | 'running' | 'done' | 'failed' | (string & {})
    /** Time at which the undo was requested. ISO 8601. */
    startedAt: string | null
    /** Time at which the undo ended. ISO 8601. */
    finishedAt: string | null
    /** Rows that were removed. */
    removed: number
    /** Rows that have their earlier values again. */
    restored: number
    /** Rows that were changed since and stay as they are. */
    kept: number
  }
  /** Time of creation. ISO 8601. */
  createdAt: string
}

/** The progress of an integration. */
export interface ImportStatus {
  /** Activity of the integration. */
  syncStatus: 'idle' | 'queued' | 'running' | 'paused' | 'failed' | (string & {})
  /** Progress of the active run, or of the latest one. */
  syncProgress: {
    /** Records of the run, as far as they are known. */
    totalRecords: number
    /** Records that the run has read. */
    processedRecords: number
    /** Module that is being read; null when nothing runs. */
    currentModule: string | null
    /** The newest errors and warnings, at most 100. */
    errors: string[]
  }
  /** End of the last completed run. ISO 8601. */
  lastSyncAt: string | null
  /** The active run, else the latest; null before the first. */
  run: ImportRun | null
}

/** Filters and paging of `imports.countSheet`. */
export interface ImportsCountSheetQuery {
  /** Format of the file. Default: `json`. */
  format?: 'json' | 'csv' | undefined
}

/** Filters and paging of `imports.exportErrors`. */
export interface ImportsExportErrorsQuery {
  /** Only rows of this severity. */
  severity?: 'error' | 'warning' | 'skipped' | 'kept' | undefined
  /** Only rows with this code. */
  code?: 'AMBIGUOUS_MATCH' | 'ATTACHMENT_MISSING' | 'AUTHOR_UNKNOWN' | 'BALANCE_OPEN' | 'CELL_COUNT' | 'CHANGED_SINCE' | 'COLUMN_NOT_STORED' | 'CONFLICT_KEPT' | 'DATE_ORDER' | 'DELETED_HERE' | 'DUPLICATE_ID' | 'ERASED' | 'FILE_CUT' | 'ID_CONFLICT' | 'INBOX_NOT_MAPPED' | 'INVALID_RECORD' | 'INVALID_VALUE' | 'KIND_NOT_SUPPORTED' | 'MISSING_REFERENCE' | 'MODULE_FORBIDDEN' | 'NAME_DIFFERS' | 'OPEN_QUOTE' | 'OUTSIDE_TABLE' | 'OUT_OF_RANGE' | 'PARENT_MISSING' | 'PARENT_NOT_SELECTED' | 'ROUNDED_ID' | 'SOURCE_TRUNCATED' | 'TOO_MANY_COLUMNS' | 'UNMAPPED_VALUE' | undefined
  /** Format of the file. Default: `csv`. */
  format?: 'json' | 'csv' | undefined
}

/** Filters and paging of `imports.exportRejected`. */
export interface ImportsExportRejectedQuery {
  /** Module whose rows the file holds. Default: the first of the run. */
  module?: 'Contacts' | 'Leads' | 'Deals' | 'Cases' | 'Notes' | 'Calls' | undefined
}

/** Filters and paging of `imports.getPackage`. */
export interface ImportsGetPackageQuery {
  /** Only these files in `files`, at most 100. Default: all that are here. At most 200 characters. */
  paths?: string | readonly string[] | undefined
}

/** Filters and paging of `imports.listErrors`. */
export interface ImportsListErrorsQuery {
  /** Only rows of this severity. */
  severity?: 'error' | 'warning' | 'skipped' | 'kept' | undefined
  /** Only rows with this code. */
  code?: 'AMBIGUOUS_MATCH' | 'ATTACHMENT_MISSING' | 'AUTHOR_UNKNOWN' | 'BALANCE_OPEN' | 'CELL_COUNT' | 'CHANGED_SINCE' | 'COLUMN_NOT_STORED' | 'CONFLICT_KEPT' | 'DATE_ORDER' | 'DELETED_HERE' | 'DUPLICATE_ID' | 'ERASED' | 'FILE_CUT' | 'ID_CONFLICT' | 'INBOX_NOT_MAPPED' | 'INVALID_RECORD' | 'INVALID_VALUE' | 'KIND_NOT_SUPPORTED' | 'MISSING_REFERENCE' | 'MODULE_FORBIDDEN' | 'NAME_DIFFERS' | 'OPEN_QUOTE' | 'OUTSIDE_TABLE' | 'OUT_OF_RANGE' | 'PARENT_MISSING' | 'PARENT_NOT_SELECTED' | 'ROUNDED_ID' | 'SOURCE_TRUNCATED' | 'TOO_MANY_COLUMNS' | 'UNMAPPED_VALUE' | undefined
  /** Number of the page, from 1. From 1 to 2147483647. Default: `1`. */
  page?: number | undefined
  /** Rows per page. From 1 to 100. Default: `50`. */
  limit?: number | undefined
  /** `nextCursor` of the page before. It replaces `page`, and costs the same at any depth. At most 512 characters. */
  cursor?: string | undefined
}

/** Filters and paging of `imports.listFiles`. */
export interface ImportsListFilesQuery {
  /** Number of the page, from 1. From 1 to 2147483647. Default: `1`. */
  page?: number | undefined
  /** Rows per page. From 1 to 100. Default: `20`. */
  limit?: number | undefined
  /** `nextCursor` of the page before. It replaces `page`, and costs the same at any depth. At most 512 characters. */
  cursor?: string | undefined
}

/** Filters and paging of `imports.list`. */
export interface ImportsListQuery {
  /** Number of the page, from 1. From 1 to 2147483647. Default: `1`. */
  page?: number | undefined
  /** Rows per page. From 1 to 100. Default: `20`. */
  limit?: number | undefined
  /** `nextCursor` of the page before. It replaces `page`, and costs the same at any depth. At most 512 characters. */
  cursor?: string | undefined
}

/** A mail that arrived. */
export interface InboundMail {
  /** Id of the mail. */
  _id: string
  /** Id of the tenant that owns the resource. */
  tenantId: string
  /** Id of the inbox that received the mail. */
  inboxId: string
  /** Way on which the mail arrived. */
  door: 'http' | 'smtp' | 'imap' | (string & {})
  /** `received` waits, `processed` became a message, `parked` needs a person, `ignored` needs none. */
  status: 'received' | 'processed' | 'parked' | 'ignored' | (string & {})
  /** Why the mail is parked or ignored; else null. */
  reason: 'duplicate' | 'discarded' | 'loop' | 'bounce' | 'bounce_unknown' | 'blocked' | 'no_sender' | 'parse_failed' | 'too_complex' | 'parse_timeout' | 'inbox_inactive' | 'inbox_deleted' | 'too_large' | 'fetch_failed' | 'internal' | (string & {}) | null
  /** Envelope of the mail, as the mail server reports it. */
  envelope: {
    /** Sender of the envelope; null when it is unknown, empty when no reply is wanted. */
    from: string | null
    /** Recipients of the envelope. */
    to: string[]
  }
  /** Address in the From header; null where it names none. */
  from: string | null
  /** Subject; null before the mail is read. */
  subject: string | null
  /** Message-ID without angle brackets; null without one. */
  rfcMessageId: string | null
  /** Size of the mail as it arrived. */
  sizeBytes: number
  /** Id of the conversation that the mail belongs to. */
  conversationId: string | null
  /** Id of the message that the mail became. */
  messageId: string | null
  /** Id of the earlier mail with the same Message-ID, From and Date and another body; null without one. */
  duplicateOf: string | null
  /** The problem that parked the mail, in one sentence; null without any. */
  error: string | null
  /** Time at which the mail was stored. ISO 8601. */
  receivedAt: string
  /** Time of the decision about the mail. ISO 8601. */
  processedAt: string | null
  /** Time at which the bytes were deleted; null while they are stored. ISO 8601. */
  rawDeletedAt: string | null
  /** Time of creation. ISO 8601. */
  createdAt: string
  /** Time of the last change. ISO 8601. */
  updatedAt: string
}

/** A group of conversations with its own members and widget. */
export interface Inbox {
  /** Id of the inbox. */
  _id: string
  /** Id of the tenant that owns the resource. */
  tenantId: string
  /** Name of the inbox. */
  name: string
  /** Channel that the inbox receives. */
  channel: 'email' | 'chat' | 'phone' | 'whatsapp' | 'instagram' | 'twitter' | 'facebook' | 'sms' | (string & {})
  /** Whether the inbox is in use. */
  isActive: boolean
  /** Whether this is the default inbox of the tenant. There is always exactly one. */
  isDefault: boolean
  /** Ids of the users who work in the inbox. */
  members: string[]
  /** Automatic assignment of new conversations. */
  autoAssign: {
    /** Whether new conversations without an assignee are assigned. */
    enabled: boolean
    /** Order of the members. */
    strategy: 'round_robin'
    /** Whether members must be online. With false, those are skipped who have set that they are away or offline. */
    onlyOnline: boolean
    /** Open conversations from which a member is skipped; null for no limit. */
    maxOpen: number | null
  }
  /** Chat widget of the inbox. */
  widget: {
    /** Whether the widget may be used. */
    enabled: boolean
    /** Public key that a page loads the widget with. */
    publicKey: string | null
    /** Origins of the pages that may show the widget. */
    allowedOrigins: string[]
    /** First sentence that visitors see. */
    greeting: string | null
    /** Colour of the widget, such as `#3457d5`. */
    color: string | null
    /** Whether visitors need a signed identity. */
    identityRequired: boolean
    /** Whether visitors see the name of the tenant and the first names of up to three members who are online. Default: `false`. */
    showTeam: boolean
    /** Texts of the widget that replace its own in every language, by their keys. Default: `[object Object]`. */
    texts: Record<string, string>
    /** Whether the widget asks an anonymous visitor for an e-mail address after the first message. Default: `false`. */
    askEmail: boolean
    /** Replies that a visitor has not read within five minutes are mailed to the address that they gave. Default: `[object Object]`. */
    replyByMail: {
      /** Whether they are mailed. */
      enabled: boolean
      /** Id of the inbox that sends the mail: one with a transport. It may be the same inbox. */
      inboxId: string | null
    }
    /** First characters of the identity secret; null before the first one. */
    identitySecretPrefix: string | null
    /** End of the validity of the previous identity secret during a rotation; else null. ISO 8601. */
    previousIdentitySecretExpiresAt: string | null
    /** The page that has loaded the widget last; null before the first one. Default: `null`. */
    lastSeen: {
      /** Origin of the page, as its browser says. Anybody can name one. */
      origin: string
      /** Time at which the page has loaded the widget, to the minute. ISO 8601. */
      at: string
    } | null
  }
  /** How the inbox receives and sends e-mail. */
  email: {
    /** Address of the inbox. Several inboxes may have entered it, and one of the whole installation may have proven it. */
    address: string | null
    /** Name that recipients see beside the address. */
    displayName: string | null
    /** Whether the mailbox receives `local+anything@domain`. Replies then find their conversation by a signed address. */
    plusAddressing: boolean
    /** Names of the mail servers whose `Authentication-Results` are believed. */
    authservIds: string[]
    /** Addresses, or domains such as `@shop.example`, whose mail is from whom its Reply-To names: forms of websites and shops. Default: ``. */
    replyToSenders: string[]
    /** Markdown below every reply, with the variables `{{agent.firstName}}`, `{{agent.lastName}}` and `{{inbox.name}}`. */
    signature: string | null
    /** ARN of the Amazon SNS topic whose events of Amazon SES are taken; null takes none. Default: `null`. */
    sesTopicArn: string | null
    /** Configuration set of Amazon SES that sends its events to the topic. Default: `null`. */
    sesConfigurationSet: string | null
    /** How replies leave: `none` (your system delivers on `message.sent`), `relay` (the relay of the installation) or `smtp` (the server in `smtp`). */
    transport: 'none' | 'relay' | 'smtp' | (string & {})
    /** Seconds in which a reply can be taken back before it is sent. */
    sendDelaySeconds: number
    /** Days after which a mail to a closed conversation begins a new one. */
    reopenDays: number
    /** Automatic reply to a mail that begins a conversation. */
    autoReply: {
      /** Whether automatic replies are sent. */
      enabled: boolean
      /** Text of the automatic reply. */
      content: string | null
    }
    /** Mailbox that mail is fetched from; null for none. */
    imap: {
      /** Whether mail is fetched. */
      enabled: boolean
      /** How the service signs in: with a `password`, or by the sign-in of a person at the provider (`oauth`), which then decides the server and the user. Default: `password`. */
      auth: 'password' | 'oauth' | (string & {})
      /** Name or address of the server. */
      host: string
      /** Port: 25, 143, 465, 587, 993, or one from 1024. */
      port: number
      /** `tls` from the first byte, or `starttls`, which is then required. */
      security: 'tls' | 'starttls' | (string & {})
      /** Name to sign in with. */
      user: string
      /** Folder that is read. */
      folder: string
      /** Mail that arrived before this moment is not fetched; null begins with the next mail. ISO 8601. */
      since: string | null
      /** State of the connection. */
      status: {
        /** Whether the last connection succeeded; null before the first. */
        ok: boolean | null
        /** Time of the last connection. ISO 8601. */
        checkedAt: string | null
        /** Why the last connection failed, in one sentence. */
        error: string | null
        /** Whether the provider has ended the sign-in, so that a person has to sign in again. Default: `false`. */
        reauthRequired: boolean
        /** Time of the last mail that was fetched. ISO 8601. */
        lastMailAt: string | null
      }
    } | null
    /** Server that replies are sent through; null for none. */
    smtp: {
      /** How the service signs in: with a `password`, or by the sign-in of a person at the provider (`oauth`), which then decides the server and the user. Default: `password`. */
      auth: 'password' | 'oauth' | (string & {})
      /** Name or address of the server. */
      host: string
      /** Port: 25, 143, 465, 587, 993, or one from 1024. */
      port: number
      /** `tls` from the first byte, or `starttls`, which is then required. */
      security: 'tls' | 'starttls' | (string & {})
      /** Name to sign in with. Null where the server asks for none. */
      user: string | null
      /** State of the connection. */
      status: {
        /** Whether the last connection succeeded; null before the first. */
        ok: boolean | null
        /** Time of the last connection. ISO 8601. */
        checkedAt: string | null
        /** Why the last connection failed, in one sentence. */
        error: string | null
        /** Whether the provider has ended the sign-in, so that a person has to sign in again. Default: `false`. */
        reauthRequired: boolean
        /** Time of the next attempt while the server refuses the sign-in or cuts connections; null while nothing holds mail back. ISO 8601. Default: `null`. */
        nextTryAt: string | null
      }
    } | null
    /** Sign-in of a person at the provider of the mailbox; null without one. Default: `null`. */
    oauth: {
      /** Provider of the mailbox. */
      provider: 'google' | 'microsoft' | (string & {})
      /** Mailbox that the service signs in to. */
      user: string
      /** Time of the sign-in. ISO 8601. */
      grantedAt: string
    } | null
    /** Whether a password for `smtp` is stored. */
    hasSmtpPassword: boolean
    /** Whether a password for `imap` is stored. */
    hasImapPassword: boolean
    /** Whether mail from Mailgun has to be signed. */
    hasMailgunSigningKey: boolean
    /** Whether events of SendGrid have to be signed. Default: `false`. */
    hasSendgridVerificationKey: boolean
    /** Time at which the token for events of a mail provider was made; null: there is none. ISO 8601. Default: `null`. */
    eventsTokenMadeAt: string | null
    /** First characters of the token of the inbound address; null before the first. */
    inboundTokenPrefix: string | null
    /** Key that signs the mail of this inbox; null without one. */
    dkim: {
      /** Name of the key in the DNS of the domain. */
      selector: string
      /** Public key, in base64 of its DER form. */
      publicKey: string
    } | null
    /** Time at which the DNS of the address named this inbox; null: not proven, so the relay sends from its own address. ISO 8601. */
    domainProvenAt: string | null
    /** Whether another inbox of the installation has proven this address. */
    addressProvenElsewhere: boolean
  }
  /** Whether mail leaves: it rests after too many reports that addresses do not exist, or of spam. Default: `[object Object]`. */
  sending: {
    /** `resting`: mail waits until somebody releases it. */
    state: 'active' | 'resting' | (string & {})
    /** Time at which the rest began. ISO 8601. */
    since: string | null
    /** Why, in one sentence. */
    reason: string | null
  }
  /** Time of creation. ISO 8601. */
  createdAt: string
  /** Time of the last change. ISO 8601. */
  updatedAt: string
}

/** DNS records for the mail of an inbox. */
export interface InboxDns {
  /** Domain of the address. */
  domain: string
  /** Whether every record is published. */
  ok: boolean
  /** Records for the domain. */
  records: {
    /** Use of the record; `mx` where the service receives mail over SMTP: it brings the mail there. */
    purpose: 'ownership' | 'spf' | 'dkim' | 'dmarc' | 'mx' | (string & {})
    /** Type of the record. */
    type: 'TXT' | 'MX' | (string & {})
    /** Name of the record. */
    name: string
    /** Value to publish; of `MX` the preference and the name of the server. */
    value: string
    /** Values that are published; null when the name servers did not respond. */
    published: string[] | null
    /** Whether a published value does what is needed: of SPF, whether it allows the server that mail leaves by. Null when that cannot be said. */
    ok: boolean | null
    /** Why it is not right, or cannot be said, in one sentence; null otherwise. */
    reason: string | null
  }[]
}

/** An inbox with a new token of its inbound address. */
export interface InboxWithInboundToken {
  /** Id of the inbox. */
  _id: string
  /** Id of the tenant that owns the resource. */
  tenantId: string
  /** Name of the inbox. */
  name: string
  /** Channel that the inbox receives. */
  channel: 'email' | 'chat' | 'phone' | 'whatsapp' | 'instagram' | 'twitter' | 'facebook' | 'sms' | (string & {})
  /** Whether the inbox is in use. */
  isActive: boolean
  /** Whether this is the default inbox of the tenant. There is always exactly one. */
  isDefault: boolean
  /** Ids of the users who work in the inbox. */
  members: string[]
  /** Automatic assignment of new conversations. */
  autoAssign: {
    /** Whether new conversations without an assignee are assigned. */
    enabled: boolean
    /** Order of the members. */
    strategy: 'round_robin'
    /** Whether members must be online. With false, those are skipped who have set that they are away or offline. */
    onlyOnline: boolean
    /** Open conversations from which a member is skipped; null for no limit. */
    maxOpen: number | null
  }
  /** Chat widget of the inbox. */
  widget: {
    /** Whether the widget may be used. */
    enabled: boolean
    /** Public key that a page loads the widget with. */
    publicKey: string | null
    /** Origins of the pages that may show the widget. */
    allowedOrigins: string[]
    /** First sentence that visitors see. */
    greeting: string | null
    /** Colour of the widget, such as `#3457d5`. */
    color: string | null
    /** Whether visitors need a signed identity. */
    identityRequired: boolean
    /** Whether visitors see the name of the tenant and the first names of up to three members who are online. Default: `false`. */
    showTeam: boolean
    /** Texts of the widget that replace its own in every language, by their keys. Default: `[object Object]`. */
    texts: Record<string, string>
    /** Whether the widget asks an anonymous visitor for an e-mail address after the first message. Default: `false`. */
    askEmail: boolean
    /** Replies that a visitor has not read within five minutes are mailed to the address that they gave. Default: `[object Object]`. */
    replyByMail: {
      /** Whether they are mailed. */
      enabled: boolean
      /** Id of the inbox that sends the mail: one with a transport. It may be the same inbox. */
      inboxId: string | null
    }
    /** First characters of the identity secret; null before the first one. */
    identitySecretPrefix: string | null
    /** End of the validity of the previous identity secret during a rotation; else null. ISO 8601. */
    previousIdentitySecretExpiresAt: string | null
    /** The page that has loaded the widget last; null before the first one. Default: `null`. */
    lastSeen: {
      /** Origin of the page, as its browser says. Anybody can name one. */
      origin: string
      /** Time at which the page has loaded the widget, to the minute. ISO 8601. */
      at: string
    } | null
  }
  /** How the inbox receives and sends e-mail. */
  email: {
    /** Address of the inbox. Several inboxes may have entered it, and one of the whole installation may have proven it. */
    address: string | null
    /** Name that recipients see beside the address. */
    displayName: string | null
    /** Whether the mailbox receives `local+anything@domain`. Replies then find their conversation by a signed address. */
    plusAddressing: boolean
    /** Names of the mail servers whose `Authentication-Results` are believed. */
    authservIds: string[]
    /** Addresses, or domains such as `@shop.example`, whose mail is from whom its Reply-To names: forms of websites and shops. Default: ``. */
    replyToSenders: string[]
    /** Markdown below every reply, with the variables `{{agent.firstName}}`, `{{agent.lastName}}` and `{{inbox.name}}`. */
    signature: string | null
    /** ARN of the Amazon SNS topic whose events of Amazon SES are taken; null takes none. Default: `null`. */
    sesTopicArn: string | null
    /** Configuration set of Amazon SES that sends its events to the topic. Default: `null`. */
    sesConfigurationSet: string | null
    /** How replies leave: `none` (your system delivers on `message.sent`), `relay` (the relay of the installation) or `smtp` (the server in `smtp`). */
    transport: 'none' | 'relay' | 'smtp' | (string & {})
    /** Seconds in which a reply can be taken back before it is sent. */
    sendDelaySeconds: number
    /** Days after which a mail to a closed conversation begins a new one. */
    reopenDays: number
    /** Automatic reply to a mail that begins a conversation. */
    autoReply: {
      /** Whether automatic replies are sent. */
      enabled: boolean
      /** Text of the automatic reply. */
      content: string | null
    }
    /** Mailbox that mail is fetched from; null for none. */
    imap: {
      /** Whether mail is fetched. */
      enabled: boolean
      /** How the service signs in: with a `password`, or by the sign-in of a person at the provider (`oauth`), which then decides the server and the user. Default: `password`. */
      auth: 'password' | 'oauth' | (string & {})
      /** Name or address of the server. */
      host: string
      /** Port: 25, 143, 465, 587, 993, or one from 1024. */
      port: number
      /** `tls` from the first byte, or `starttls`, which is then required. */
      security: 'tls' | 'starttls' | (string & {})
      /** Name to sign in with. */
      user: string
      /** Folder that is read. */
      folder: string
      /** Mail that arrived before this moment is not fetched; null begins with the next mail. ISO 8601. */
      since: string | null
      /** State of the connection. */
      status: {
        /** Whether the last connection succeeded; null before the first. */
        ok: boolean | null
        /** Time of the last connection. ISO 8601. */
        checkedAt: string | null
        /** Why the last connection failed, in one sentence. */
        error: string | null
        /** Whether the provider has ended the sign-in, so that a person has to sign in again. Default: `false`. */
        reauthRequired: boolean
        /** Time of the last mail that was fetched. ISO 8601. */
        lastMailAt: string | null
      }
    } | null
    /** Server that replies are sent through; null for none. */
    smtp: {
      /** How the service signs in: with a `password`, or by the sign-in of a person at the provider (`oauth`), which then decides the server and the user. Default: `password`. */
      auth: 'password' | 'oauth' | (string & {})
      /** Name or address of the server. */
      host: string
      /** Port: 25, 143, 465, 587, 993, or one from 1024. */
      port: number
      /** `tls` from the first byte, or `starttls`, which is then required. */
      security: 'tls' | 'starttls' | (string & {})
      /** Name to sign in with. Null where the server asks for none. */
      user: string | null
      /** State of the connection. */
      status: {
        /** Whether the last connection succeeded; null before the first. */
        ok: boolean | null
        /** Time of the last connection. ISO 8601. */
        checkedAt: string | null
        /** Why the last connection failed, in one sentence. */
        error: string | null
        /** Whether the provider has ended the sign-in, so that a person has to sign in again. Default: `false`. */
        reauthRequired: boolean
        /** Time of the next attempt while the server refuses the sign-in or cuts connections; null while nothing holds mail back. ISO 8601. Default: `null`. */
        nextTryAt: string | null
      }
    } | null
    /** Sign-in of a person at the provider of the mailbox; null without one. Default: `null`. */
    oauth: {
      /** Provider of the mailbox. */
      provider: 'google' | 'microsoft' | (string & {})
      /** Mailbox that the service signs in to. */
      user: string
      /** Time of the sign-in. ISO 8601. */
      grantedAt: string
    } | null
    /** Whether a password for `smtp` is stored. */
    hasSmtpPassword: boolean
    /** Whether a password for `imap` is stored. */
    hasImapPassword: boolean
    /** Whether mail from Mailgun has to be signed. */
    hasMailgunSigningKey: boolean
    /** Whether events of SendGrid have to be signed. Default: `false`. */
    hasSendgridVerificationKey: boolean
    /** Time at which the token for events of a mail provider was made; null: there is none. ISO 8601. Default: `null`. */
    eventsTokenMadeAt: string | null
    /** First characters of the token of the inbound address; null before the first. */
    inboundTokenPrefix: string | null
    /** Key that signs the mail of this inbox; null without one. */
    dkim: {
      /** Name of the key in the DNS of the domain. */
      selector: string
      /** Public key, in base64 of its DER form. */
      publicKey: string
    } | null
    /** Time at which the DNS of the address named this inbox; null: not proven, so the relay sends from its own address. ISO 8601. */
    domainProvenAt: string | null
    /** Whether another inbox of the installation has proven this address. */
    addressProvenElsewhere: boolean
  }
  /** Whether mail leaves: it rests after too many reports that addresses do not exist, or of spam. Default: `[object Object]`. */
  sending: {
    /** `resting`: mail waits until somebody releases it. */
    state: 'active' | 'resting' | (string & {})
    /** Time at which the rest began. ISO 8601. */
    since: string | null
    /** Why, in one sentence. */
    reason: string | null
  }
  /** Time of creation. ISO 8601. */
  createdAt: string
  /** Time of the last change. ISO 8601. */
  updatedAt: string
  /** Token of the address that receives mail over HTTP. It is shown only in this response. */
  inboundToken: string
}

/** An inbox with a new identity secret of its widget. */
export interface InboxWithWidgetSecret {
  /** Id of the inbox. */
  _id: string
  /** Id of the tenant that owns the resource. */
  tenantId: string
  /** Name of the inbox. */
  name: string
  /** Channel that the inbox receives. */
  channel: 'email' | 'chat' | 'phone' | 'whatsapp' | 'instagram' | 'twitter' | 'facebook' | 'sms' | (string & {})
  /** Whether the inbox is in use. */
  isActive: boolean
  /** Whether this is the default inbox of the tenant. There is always exactly one. */
  isDefault: boolean
  /** Ids of the users who work in the inbox. */
  members: string[]
  /** Automatic assignment of new conversations. */
  autoAssign: {
    /** Whether new conversations without an assignee are assigned. */
    enabled: boolean
    /** Order of the members. */
    strategy: 'round_robin'
    /** Whether members must be online. With false, those are skipped who have set that they are away or offline. */
    onlyOnline: boolean
    /** Open conversations from which a member is skipped; null for no limit. */
    maxOpen: number | null
  }
  /** Chat widget of the inbox. */
  widget: {
    /** Whether the widget may be used. */
    enabled: boolean
    /** Public key that a page loads the widget with. */
    publicKey: string | null
    /** Origins of the pages that may show the widget. */
    allowedOrigins: string[]
    /** First sentence that visitors see. */
    greeting: string | null
    /** Colour of the widget, such as `#3457d5`. */
    color: string | null
    /** Whether visitors need a signed identity. */
    identityRequired: boolean
    /** Whether visitors see the name of the tenant and the first names of up to three members who are online. Default: `false`. */
    showTeam: boolean
    /** Texts of the widget that replace its own in every language, by their keys. Default: `[object Object]`. */
    texts: Record<string, string>
    /** Whether the widget asks an anonymous visitor for an e-mail address after the first message. Default: `false`. */
    askEmail: boolean
    /** Replies that a visitor has not read within five minutes are mailed to the address that they gave. Default: `[object Object]`. */
    replyByMail: {
      /** Whether they are mailed. */
      enabled: boolean
      /** Id of the inbox that sends the mail: one with a transport. It may be the same inbox. */
      inboxId: string | null
    }
    /** First characters of the identity secret; null before the first one. */
    identitySecretPrefix: string | null
    /** End of the validity of the previous identity secret during a rotation; else null. ISO 8601. */
    previousIdentitySecretExpiresAt: string | null
    /** The page that has loaded the widget last; null before the first one. Default: `null`. */
    lastSeen: {
      /** Origin of the page, as its browser says. Anybody can name one. */
      origin: string
      /** Time at which the page has loaded the widget, to the minute. ISO 8601. */
      at: string
    } | null
  }
  /** How the inbox receives and sends e-mail. */
  email: {
    /** Address of the inbox. Several inboxes may have entered it, and one of the whole installation may have proven it. */
    address: string | null
    /** Name that recipients see beside the address. */
    displayName: string | null
    /** Whether the mailbox receives `local+anything@domain`. Replies then find their conversation by a signed address. */
    plusAddressing: boolean
    /** Names of the mail servers whose `Authentication-Results` are believed. */
    authservIds: string[]
    /** Addresses, or domains such as `@shop.example`, whose mail is from whom its Reply-To names: forms of websites and shops. Default: ``. */
    replyToSenders: string[]
    /** Markdown below every reply, with the variables `{{agent.firstName}}`, `{{agent.lastName}}` and `{{inbox.name}}`. */
    signature: string | null
    /** ARN of the Amazon SNS topic whose events of Amazon SES are taken; null takes none. Default: `null`. */
    sesTopicArn: string | null
    /** Configuration set of Amazon SES that sends its events to the topic. Default: `null`. */
    sesConfigurationSet: string | null
    /** How replies leave: `none` (your system delivers on `message.sent`), `relay` (the relay of the installation) or `smtp` (the server in `smtp`). */
    transport: 'none' | 'relay' | 'smtp' | (string & {})
    /** Seconds in which a reply can be taken back before it is sent. */
    sendDelaySeconds: number
    /** Days after which a mail to a closed conversation begins a new one. */
    reopenDays: number
    /** Automatic reply to a mail that begins a conversation. */
    autoReply: {
      /** Whether automatic replies are sent. */
      enabled: boolean
      /** Text of the automatic reply. */
      content: string | null
    }
    /** Mailbox that mail is fetched from; null for none. */
    imap: {
      /** Whether mail is fetched. */
      enabled: boolean
      /** How the service signs in: with a `password`, or by the sign-in of a person at the provider (`oauth`), which then decides the server and the user. Default: `password`. */
      auth: 'password' | 'oauth' | (string & {})
      /** Name or address of the server. */
      host: string
      /** Port: 25, 143, 465, 587, 993, or one from 1024. */
      port: number
      /** `tls` from the first byte, or `starttls`, which is then required. */
      security: 'tls' | 'starttls' | (string & {})
      /** Name to sign in with. */
      user: string
      /** Folder that is read. */
      folder: string
      /** Mail that arrived before this moment is not fetched; null begins with the next mail. ISO 8601. */
      since: string | null
      /** State of the connection. */
      status: {
        /** Whether the last connection succeeded; null before the first. */
        ok: boolean | null
        /** Time of the last connection. ISO 8601. */
        checkedAt: string | null
        /** Why the last connection failed, in one sentence. */
        error: string | null
        /** Whether the provider has ended the sign-in, so that a person has to sign in again. Default: `false`. */
        reauthRequired: boolean
        /** Time of the last mail that was fetched. ISO 8601. */
        lastMailAt: string | null
      }
    } | null
    /** Server that replies are sent through; null for none. */
    smtp: {
      /** How the service signs in: with a `password`, or by the sign-in of a person at the provider (`oauth`), which then decides the server and the user. Default: `password`. */
      auth: 'password' | 'oauth' | (string & {})
      /** Name or address of the server. */
      host: string
      /** Port: 25, 143, 465, 587, 993, or one from 1024. */
      port: number
      /** `tls` from the first byte, or `starttls`, which is then required. */
      security: 'tls' | 'starttls' | (string & {})
      /** Name to sign in with. Null where the server asks for none. */
      user: string | null
      /** State of the connection. */
      status: {
        /** Whether the last connection succeeded; null before the first. */
        ok: boolean | null
        /** Time of the last connection. ISO 8601. */
        checkedAt: string | null
        /** Why the last connection failed, in one sentence. */
        error: string | null
        /** Whether the provider has ended the sign-in, so that a person has to sign in again. Default: `false`. */
        reauthRequired: boolean
        /** Time of the next attempt while the server refuses the sign-in or cuts connections; null while nothing holds mail back. ISO 8601. Default: `null`. */
        nextTryAt: string | null
      }
    } | null
    /** Sign-in of a person at the provider of the mailbox; null without one. Default: `null`. */
    oauth: {
      /** Provider of the mailbox. */
      provider: 'google' | 'microsoft' | (string & {})
      /** Mailbox that the service signs in to. */
      user: string
      /** Time of the sign-in. ISO 8601. */
      grantedAt: string
    } | null
    /** Whether a password for `smtp` is stored. */
    hasSmtpPassword: boolean
    /** Whether a password for `imap` is stored. */
    hasImapPassword: boolean
    /** Whether mail from Mailgun has to be signed. */
    hasMailgunSigningKey: boolean
    /** Whether events of SendGrid have to be signed. Default: `false`. */
    hasSendgridVerificationKey: boolean
    /** Time at which the token for events of a mail provider was made; null: there is none. ISO 8601. Default: `null`. */
    eventsTokenMadeAt: string | null
    /** First characters of the token of the inbound address; null before the first. */
    inboundTokenPrefix: string | null
    /** Key that signs the mail of this inbox; null without one. */
    dkim: {
      /** Name of the key in the DNS of the domain. */
      selector: string
      /** Public key, in base64 of its DER form. */
      publicKey: string
    } | null
    /** Time at which the DNS of the address named this inbox; null: not proven, so the relay sends from its own address. ISO 8601. */
    domainProvenAt: string | null
    /** Whether another inbox of the installation has proven this address. */
    addressProvenElsewhere: boolean
  }
  /** Whether mail leaves: it rests after too many reports that addresses do not exist, or of spam. Default: `[object Object]`. */
  sending: {
    /** `resting`: mail waits until somebody releases it. */
    state: 'active' | 'resting' | (string & {})
    /** Time at which the rest began. ISO 8601. */
    since: string | null
    /** Why, in one sentence. */
    reason: string | null
  }
  /** Time of creation. ISO 8601. */
  createdAt: string
  /** Time of the last change. ISO 8601. */
  updatedAt: string
  /** Identity secret of the widget. It is shown only in this response. */
  secret: string
}

/** Filters and paging of `inboxes.list`. */
export interface InboxesListQuery {
  /** Number of the page, from 1. From 1 to 2147483647. Default: `1`. */
  page?: number | undefined
  /** Rows per page. From 1 to 100. Default: `20`. */
  limit?: number | undefined
  /** `nextCursor` of the page before. It replaces `page`, and costs the same at any depth. At most 512 characters. */
  cursor?: string | undefined
}

/** A source of records: an account of an external CRM, or files. */
export interface Integration {
  /** Id of the integration. */
  _id: string
  /** Id of the tenant that owns the resource. */
  tenantId: string
  /** Source of the records. `file`: files that you upload. `package`: the support history of another product. */
  provider: 'file' | 'zoho' | 'hubspot' | 'package' | (string & {})
  /** Name of the integration. */
  name: string
  /** Id of the account at the source; for files, and before the manifest of a package, the id of the integration. */
  accountId: string
  /** Name of the account at the source. */
  accountName: string | null
  /** E-mail address of the account at the source. */
  accountEmail: string | null
  /** Origin of the API of the source; null for files. */
  apiDomain: string | null
  /** Whether it imports. An inactive integration refuses imports and does not sync. */
  isActive: boolean
  /** Whether the source refuses the stored credentials, so that a person has to connect again. */
  reauthRequired: boolean
  /** End of the last completed run. ISO 8601. */
  lastSyncAt: string | null
  /** Activity of the integration. `paused`: it waits for a limit of the source. */
  syncStatus: 'idle' | 'queued' | 'running' | 'paused' | 'failed' | (string & {})
  /** Progress of the active run, or of the latest one. */
  syncProgress: {
    /** Records of the run, as far as they are known. */
    totalRecords: number
    /** Records that the run has read. */
    processedRecords: number
    /** Module that is being read; null when nothing runs. */
    currentModule: string | null
    /** The newest errors and warnings, at most 100. */
    errors: string[]
  }
  /** Parts that an import reads when it names none. */
  importSettings: {
    /** Contacts and leads, which become customers. */
    importContacts: boolean
    /** Deals, which become conversations. */
    importDeals: boolean
    /** Cases (tickets), which become conversations. */
    importTickets: boolean
    /** Notes, e-mails and messages of threads, which become messages. */
    importNotes: boolean
    /** Calls, tasks and meetings, which become calls. */
    importActivities: boolean
    /** Whether new records get the id of the source where it is free. */
    preserveIds: boolean
  }
  /** Automatic sync. */
  autoSync: {
    /** Whether changes of the source are imported regularly. */
    enabled: boolean
    /** Minutes between two syncs. */
    intervalMinutes: number
    /** Time of the next sync; null when it is off. ISO 8601. */
    nextRunAt: string | null
  }
  /** Result for a field that was edited here after an import. `merge`: the edited value stays. `source_wins`: the value of the source replaces it. `local_wins`: an import fills blank fields only. */
  conflict: 'merge' | 'source_wins' | 'local_wins' | (string & {})
  /** Whether automatic syncs cause events. An import of the history never does. */
  emitEvents: boolean
  /** For files: the target of each header, by module, such as `{"Contacts": {"Nachname": "lastName"}}`. null leaves a column out. */
  mapping: Record<string, Record<string, string | null>>
  /** For files: what words of a status, stage, priority, channel or type of call mean here, by module and field, such as `{"Cases": {"status": {"Waiting on Customer": "pending"}}}`. Words that it does not name mean what they usually do. */
  values: Record<string, Record<string, Record<string, string>>>
  /** IANA time zone of times in files without an offset, such as `Europe/Berlin`; null: UTC. */
  timeZone: string | null
  /** Order of day, month and year in dates of files that are not ISO 8601. */
  dateOrder: 'dmy' | 'mdy' | 'ymd' | (string & {})
  /** For files: the order of the dates of a column, by module and header, such as `{"Contacts": {"Created": "mdy"}}`. It holds where the values prove another one too. Columns that it does not name have the order that their values prove, else `dateOrder`. */
  dateOrders: Record<string, Record<string, 'dmy' | 'mdy' | 'ymd' | (string & {})>>
  /** ISO 3166 code of the country of phone numbers without `+`, such as `DE`; null: unknown. */
  defaultCountry: string | null
  /** Of a package. `following`: the team still works in the other product, so replies to its conversations are refused here, and later packages change their status. `done`: the team works here. null: no package. */
  handover: 'following' | 'done' | (string & {}) | null
  /** Time of creation. ISO 8601. */
  createdAt: string
  /** Time of the last change. ISO 8601. */
  updatedAt: string
}

/** Filters and paging of `integrations.fields`. */
export interface IntegrationsFieldsQuery {
  /** Id of the integration. Required. At most 128 characters. */
  integrationId?: string | undefined
  /** Another name of `integrationId`. At most 128 characters. */
  integration_id?: string | undefined
  /** Another name of `integrationId`. At most 128 characters. */
  id?: string | undefined
}

/** The invitation of a token. */
export interface Invitation {
  /** The tenant that the person joins. */
  tenant: {
    /** Name of the tenant. */
    name: string
  }
  /** The colleague who invites; null without a name. */
  inviter: {
    /** Name of the colleague. */
    name: string
  } | null
  /** E-mail address that is invited. */
  email: string
  /** First name. */
  firstName: string | null
  /** Last name. */
  lastName: string | null
  /** Time at which the token ends. ISO 8601. */
  expiresAt: string
}

/** An invite token. */
export interface InvitationToken {
  /** The invite token. At most 512 characters. */
  token: string
}

/** The person to invite. */
export interface InviteUser {
  /** E-mail address that the person signs in with. At most 254 characters. */
  email: string
  /** Role. It decides what the user may do. */
  role: 'viewer' | 'agent' | 'admin' | 'owner'
  /** First name. At most 100 characters. */
  firstName?: string | null | undefined
  /** Last name. At most 100 characters. */
  lastName?: string | null | undefined
}

/** A user with a new invite token. */
export interface InvitedUser {
  /** Id of the user. */
  _id: string
  /** Id of the tenant that owns the resource. */
  tenantId: string
  /** E-mail address that the person signs in with. */
  email: string
  /** First name. */
  firstName: string | null
  /** Last name. */
  lastName: string | null
  /** Role. It decides what the user may do. */
  role: 'viewer' | 'agent' | 'admin' | 'owner' | (string & {})
  /** Whether the user can sign in. False until the invitation is accepted, or after deactivation. */
  isActive: boolean
  /** Whether the user is there now. Automatic assignment and calls consider those who are `online`. */
  availability: 'online' | 'away' | 'offline' | (string & {})
  /** `auto`: live streams and input decide, as they do from the start. Else what was set, and so the value of `availability`. */
  availabilityMode: 'auto' | 'online' | 'away' | 'offline' | (string & {})
  /** Time from which `availability` has its value. ISO 8601. */
  availabilitySince: string
  /** Time from which the mode is `auto` again; null: it stays until it is changed. ISO 8601. */
  availabilityUntil: string | null
  /** Time from which the token is refused. ISO 8601. */
  inviteExpiresAt: string
  /** Whether the person has restricted the processing of their data. */
  processingRestricted: boolean
  /** Time of creation. ISO 8601. */
  createdAt: string
  /** Time of the last change. ISO 8601. */
  updatedAt: string
  /** Token to accept the invitation with. It is shown only in this response. */
  inviteToken: string
}

/** Any JSON. */
export type JsonValue = string | number | boolean | null | JsonValue[] | { [key: string]: JsonValue }

/** A list of labels. */
export interface Labels {
  /** Labels to add or to remove. At most 50 items. */
  labels: readonly string[]
}

/** The newest reply or inbound message of a conversation. */
export interface LastMessage {
  /** Id of the message. */
  _id: string
  /** Kind: notes and activities are no last message. */
  type: 'reply'
  /** `inbound` from the customer, `outbound` to the customer. */
  direction: 'inbound' | 'outbound' | (string & {})
  /** Kind of the sender; `api` is a key. */
  senderType: 'user' | 'customer' | 'system' | 'api' | (string & {})
  /** Time of the message. ISO 8601. */
  at: string
  /** The beginning as one line of plain text, of at most 140 characters and without what it quotes; null where there is no text. */
  preview: string | null
  /** Number of files. */
  files: number
}

/** A customer in a list. */
export interface ListedCustomer {
  /** Id of the customer. */
  _id: string
  /** Id of the tenant that owns the resource. */
  tenantId: string
  /** Name and contact data. At least one of name, e-mail and phone is present. */
  profile: {
    /** First name. */
    firstName: string | null
    /** Last name. */
    lastName: string | null
    /** E-mail address. */
    email: string | null
    /** Phone number, as entered. */
    phone: string | null
    /** Company that the customer works for. */
    company: string | null
  }
  /** Position in the company. */
  jobTitle: string | null
  /** Service level. */
  tier: 'bronze' | 'silver' | 'gold' | 'platinum' | (string & {})
  /** State of the relationship. */
  status: 'active' | 'inactive' | 'archived' | (string & {})
  /** Tags, unique without regard to case. At most 50. */
  tags: string[]
  /** Free-form fields with any JSON values. At most 200 fields and 32 KB. */
  customFields: Record<string, JsonValue>
  /** Ids of the customer in other systems, each as `source:id`. Written by `PUT /api/v1/customers/by-external-id/{source}/{id}`. */
  externalIds: string[]
  /** Time at which the customer was blocked: their mail is ignored and their chat widget cannot send. Null while they are not blocked. ISO 8601. */
  blockedAt: string | null
  /** Time at which the customer last wrote, exact to an hour: a later message within the hour does not change it, and no event says so. Null while they have never written. ISO 8601. */
  lastContactAt: string | null
  /** Time of creation. ISO 8601. */
  createdAt: string
  /** Time of the last change. ISO 8601. */
  updatedAt: string
  /** Number of conversations of the customer that are not closed; null unless `include=openConversations` asks for it, and without `read:conversations`. */
  openConversations: number | null
}

/** Sign of life of the process. */
export interface Liveness {
  /** Always `ok`. */
  status: 'ok'
}

/** One attempt with its request. */
export interface LoggedDelivery {
  /** Id of the log row. */
  _id: string
  /** Id of the webhook. */
  webhookId: string
  /** Event type. */
  event: string
  /** Result of the attempt; `pending` for the next planned attempt. */
  status: 'pending' | 'success' | 'failed' | (string & {})
  /** HTTP status of the receiver; null without a response. */
  statusCode: number | null
  /** Number of the attempt, from 1. */
  attempt: number
  /** End of the attempt; null while it is pending. ISO 8601. */
  deliveredAt: string | null
  /** Duration of the attempt in milliseconds. */
  responseTime: number | null
  /** Error for people; null after a success. */
  error: string | null
  /** Error for programs; null after a success. */
  errorCode: 'DNS' | 'CONNECT' | 'TLS' | 'TIMEOUT' | 'STATUS' | 'REDIRECT' | 'BLOCKED' | 'BODY' | 'ERASED' | (string & {}) | null
  /** Id of the event, the same in all attempts and redeliveries. */
  eventId: string
  /** Id of the delivery, the same in all its attempts. */
  deliveryId: string
  /** On a failed row the time of the next attempt, on a pending row that of this attempt; else null, also while the webhook is inactive. ISO 8601. */
  nextAttemptAt: string | null
  /** Milliseconds from the start of the attempt to each phase; null for a phase not reached. */
  timings: {
    /** Name resolved. */
    dns: number | null
    /** Connection established. */
    connect: number | null
    /** TLS handshake completed. */
    tls: number | null
    /** First byte of the response received. */
    firstByte: number | null
    /** Attempt ended. */
    total: number
  } | null
  /** IP address of the receiver. */
  remoteAddress: string | null
  /** Time of creation. ISO 8601. */
  createdAt: string
  /** The request with the webhook's present `url` and `headers`. The values of its own headers, the signatures and the time of sending are shown as `••••`. Null while the attempt is pending. */
  request: {
    /** HTTP method. */
    method: 'POST'
    /** HTTPS address of the receiver. */
    url: string
    /** Headers of the request. */
    headers: Record<string, string>
  } | null
  /** The stored body of the event; `{ "erased": true }` after an erasure. Null for a caller who may not read the event, for a test, and when the event is no longer stored. */
  body: Record<string, unknown> | null
}

/** An event as webhooks receive it. After the erasure of its subject, `data` is `{_id, erased: true}` and `changes` is absent; about a restricted user it is `{_id, tenantId, processingRestricted}`, without `changes` too. */
export interface LoggedEvent {
  /** Id of the event. */
  id: string
  /** Event type. */
  event: 'conversation.created' | 'conversation.updated' | 'conversation.assigned' | 'conversation.closed' | 'customer.created' | 'customer.updated' | 'message.sent' | 'message.received' | 'user.created' | 'user.updated' | 'call.initiated' | 'call.ringing' | 'call.answered' | 'call.completed' | 'call.failed' | 'call.recording.available' | 'mention.created' | 'conversation.merged' | 'conversation.unmerged' | 'customer.deleted' | 'conversation.deleted' | 'user.deleted' | 'message.updated' | 'message.deleted' | 'note.created' | 'mail.parked' | 'inbox.failing' | 'inbox.recovered' | 'integration.failing' | 'integration.recovered' | (string & {})
  /** Time of the event. ISO 8601. */
  timestamp: string
  /** The resource after the event. */
  data: Record<string, JsonValue>
  /** Each changed field by its path, for events about a change. */
  changes?: Record<string, {
    /** Value before the event. */
    from: JsonValue
    /** Value after the event. */
    to: JsonValue
  }>
}

/** Credentials of a person. */
export interface Login {
  /** E-mail address. Upper and lower case are the same. At most 254 characters. */
  email: string
  /** Password for this e-mail. At most 128 characters. */
  password: string
  /** Id of the tenant to sign in to. Required for a person with several memberships. At most 128 characters. */
  tenantId?: string | null | undefined
}

/** The choice that a visitor has made. */
export interface MadeChoice {
  /** Id of the message that offered it. */
  messageId: string
  /** Id of the choice. */
  choiceId: string
}

/** One attempt to send a message by e-mail. */
export interface MailAttempt {
  /** Number of the attempt, from 1. */
  attempt: number
  /** Time at which the attempt ended. ISO 8601. */
  at: string
  /** `deferred` and `failed` say what the server said; `unreachable`: it said nothing about this mail; `refused_sign_in`: it refused the user or the password; `unknown`: the connection ended before it answered, so the mail is sent again. */
  outcome: 'sent' | 'deferred' | 'failed' | 'unknown' | 'unreachable' | 'refused_sign_in' | (string & {})
  /** SMTP code; null when the server sent none. */
  code: number | null
  /** Sentence of the server, or about the connection. */
  response: string
  /** Addresses of the attempt. */
  recipients: string[]
  /** Server of the attempt. */
  host: string
  /** Duration in milliseconds. */
  durationMs: number
}

/** A sender who takes part in a conversation by e-mail. */
export interface MailParticipant {
  /** E-mail address. */
  address: string
  /** Name beside the address; null without one. */
  name: string | null
  /** Time of the first mail of this sender in the conversation. ISO 8601. */
  addedAt: string
  /** Whether that mail was authentic; null when no trusted server says so. */
  verified: boolean | null
}

/** Filters and paging of `mails.list`. */
export interface MailsListQuery {
  /** Only mails in this state. */
  status?: 'received' | 'processed' | 'parked' | 'ignored' | undefined
  /** Only mails of this inbox. At most 128 characters. */
  inboxId?: string | undefined
  /** Only mails with this reason. */
  reason?: 'duplicate' | 'discarded' | 'loop' | 'bounce' | 'bounce_unknown' | 'blocked' | 'no_sender' | 'parse_failed' | 'too_complex' | 'parse_timeout' | 'inbox_inactive' | 'inbox_deleted' | 'too_large' | 'fetch_failed' | 'internal' | undefined
  /** Whether only mails that need a person: parked ones, and for 7 days those that claim to be a stored mail. */
  needsYou?: boolean | undefined
  /** Only mails whose sender or subject holds every word, among the 1,000 newest that need a person; the first 100 of them. Needs `needsYou=true`. At most 200 characters. */
  search?: string | undefined
  /** Number of the page, from 1. From 1 to 2147483647. Default: `1`. */
  page?: number | undefined
  /** Rows per page. From 1 to 100. Default: `20`. */
  limit?: number | undefined
  /** `nextCursor` of the page before. It replaces `page`, and costs the same at any depth. At most 512 characters. */
  cursor?: string | undefined
}

/** The place of a mail, and its sender. */
export interface MakeConversation {
  /** Adds the mail to this conversation. At most 128 characters. */
  conversationId?: string | undefined
  /** Customer of the new conversation. Default: whoever has the address of the sender. At most 128 characters. */
  customerId?: string | undefined
  /** Sender of the mail. Default: the one that it names. */
  sender?: {
    /** Address of the sender. At most 254 characters. */
    address: string
    /** Name of the sender. At most 200 characters. */
    name?: string | null | undefined
  } | undefined
}

/** A new key that signs mail. */
export interface MakeDkimKey {
  /** Name of the key in the DNS. Default: `crm1`, or `crm2` when the present key is `crm1`. At most 63 characters. */
  selector?: string | null | undefined
}

/** How to replace the token of the inbound address. */
export interface MakeInboundToken {
  /** Seconds for which the previous secret stays valid; 0 ends it immediately. Default: 86400. From 0 to 604800. */
  overlapSeconds?: number | null | undefined
}

/** How to rotate the identity secret. */
export interface MakeWidgetSecret {
  /** Seconds for which the previous secret stays valid; 0 ends it immediately. Default: 86400. From 0 to 604800. */
  overlapSeconds?: number | null | undefined
}

/** The owner of a credential and the tenant. */
export interface Me {
  /** The signed-in user; null for an API key. */
  user: User | null
  /** Id and name of the tenant. */
  tenant: {
    /** Id of the tenant. */
    _id: string
    /** Name of the organisation. */
    name: string
  }
  /** All tenants that the person can sign in to; empty for an API key. */
  memberships: {
    /** Id of the user in that tenant. */
    userId: string
    /** Role. It decides what the user may do. */
    role: 'viewer' | 'agent' | 'admin' | 'owner' | (string & {})
    /** Id and name of the tenant. */
    tenant: {
      /** Id of the tenant. */
      _id: string
      /** Name of the organisation. */
      name: string
    }
  }[]
  /** The API key; null for a signed-in user. */
  apiKey: {
    /** Id of the API key. */
    _id: string
    /** Name that people recognise the key by. */
    name: string
    /** Environment of the key. It decides the prefix: `sk_live_` or `sk_test_`. */
    environment: 'production' | 'staging' | (string & {})
    /** Permissions that the key grants. */
    permissions: ('read:conversations' | 'write:conversations' | 'read:customers' | 'write:customers' | 'webhook:manage' | 'read:analytics' | (string & {}))[]
    /** Time from which the key is refused as expired; null when it never expires. ISO 8601. */
    expiresAt: string | null
  } | null
}

/** A note that mentions a user. */
export interface Mention {
  /** Id of the mention. */
  _id: string
  /** Id of the tenant that owns the resource. */
  tenantId: string
  /** Id of the conversation. */
  conversationId: string
  /** Id of the note. */
  messageId: string
  /** Id of the user whom the note mentions. */
  userId: string
  /** Id of the user who wrote the note; null for an API key. */
  by: string | null
  /** Time of the note. ISO 8601. */
  at: string
  /** Time at which the mentioned user has read the note. ISO 8601. */
  readAt: string | null
  /** Only with `include=note`: the note; null when it does not exist any more. */
  note?: {
    /** Subject of its conversation. */
    subject: string | null
    /** Text of the note, with mentions as `@[usr_…]`. */
    content: string
  } | null
}

/** The conversation to merge. */
export interface MergeConversation {
  /** Id of the conversation that becomes part of this one. */
  sourceId: string
}

/** The source of a merge, and the values that stay. */
export interface MergeCustomers {
  /** Id of the customer to merge into this one. It is deleted. */
  sourceId: string
  /** The customer whose value stays, by field. A blank value takes that of the other customer in any case. */
  prefer?: {
    /** First name. Default: target. */
    firstName?: 'source' | 'target' | undefined
    /** Last name. Default: target. */
    lastName?: 'source' | 'target' | undefined
    /** E-mail address. The other one stays a further address. Default: target. */
    email?: 'source' | 'target' | undefined
    /** Phone number, as entered. The other one stays a further number. Default: target. */
    phone?: 'source' | 'target' | undefined
    /** Company that the customer works for. Default: target. */
    company?: 'source' | 'target' | undefined
    /** Position in the company. Default: target. */
    jobTitle?: 'source' | 'target' | undefined
    /** Service level. Default: target. */
    tier?: 'source' | 'target' | undefined
  } | null | undefined
}

/** A message of a conversation. */
export interface Message {
  /** Id of the message. */
  _id: string
  /** Id of the tenant that owns the resource. */
  tenantId: string
  /** Id of the conversation. */
  conversationId: string
  /** Kind: `reply` to the customer, `note` for the team, `activity` by the service. */
  type: 'reply' | 'note' | 'activity' | (string & {})
  /** `inbound` from the customer, `outbound` to the customer, `internal` for the team. */
  direction: 'inbound' | 'outbound' | 'internal' | (string & {})
  /** Sender of the message. */
  sender: {
    /** Kind of the sender; `api` is a key. */
    type: 'user' | 'customer' | 'system' | 'api' | (string & {})
    /** Id of the user, customer or key; null when unknown. */
    _id: string | null
    /** Name of the sender at the time of the message. */
    name: string | null
  }
  /** Text of the message; empty for files alone. */
  content: string
  /** Markup of `content`. */
  contentType: 'text' | 'markdown' | 'html' | (string & {})
  /** Files of the message. */
  attachments: Attachment[]
  /** Progress of the transmission. */
  status: 'queued' | 'sent' | 'delivered' | 'read' | 'failed' | (string & {})
  /** Id that the client chose. A second message with it in the same conversation is not created. */
  clientMessageId: string | null
  /** Id of the message in another system. */
  externalId: string | null
  /** The e-mail; null for a message of another channel. */
  email: MessageEmail | null
  /** Recipients of an outbound e-mail, each with its progress; empty for any other message. */
  recipients: MessageRecipient[]
  /** Door that took the reply when it was stored: `email`, `chat` (the widget), `webhook` (your system, on `message.sent`), or `none`: it is stored, and nobody sends it. It never changes. Null for any other message, an imported one, and one of an earlier version. Default: `null`. */
  via: 'email' | 'chat' | 'webhook' | 'none' | (string & {}) | null
  /** Ids of the users of the team whom a note mentions, as `@[usr_…]` in its text; empty for any other message. Default: ``. */
  mentions: string[]
  /** Author of the draft, where somebody else has sent it; else null. */
  draftedBy: DraftAuthor | null
  /** Replies that the message offers to the visitor; empty for most. Default: ``. */
  choices: MessageChoice[]
  /** The choice that the visitor has made by this message; null for any other message. Default: `null`. */
  choice: MadeChoice | null
  /** Time at which a mail was sent, as it says, and never later than it arrived; else null. ISO 8601. Default: `null`. */
  sentAt: string | null
  /** Time of creation. ISO 8601. */
  createdAt: string
  /** Time of the last change. ISO 8601. */
  updatedAt: string
}

/** A reply that a message offers to the visitor as a button. */
export interface MessageChoice {
  /** Id of the choice; unique in its message. */
  id: string
  /** Text of the button. */
  label: string
}

/** The e-mail of a message. */
export interface MessageEmail {
  /** Sender in the header; null when a mail names none. */
  from: {
    /** E-mail address. */
    address: string
    /** Name beside the address. */
    name: string | null
  } | null
  /** Address for replies, where it differs from the sender. */
  replyTo: string | null
  /** All addresses for replies; empty where the sender is the only one. */
  replyToList: {
    /** E-mail address. */
    address: string
    /** Name beside the address. */
    name: string | null
  }[]
  /** Sender of the mail that a member of the team forwarded; null for any other mail. */
  forwardedFrom: {
    /** E-mail address. */
    address: string
    /** Name beside the address. */
    name: string | null
    /** Time of the forwarded mail; null where it cannot be read. ISO 8601. */
    date: string | null
  } | null
  /** Recipients. */
  to: {
    /** E-mail address. */
    address: string
    /** Name beside the address. */
    name: string | null
  }[]
  /** Recipients of a copy. */
  cc: {
    /** E-mail address. */
    address: string
    /** Name beside the address. */
    name: string | null
  }[]
  /** Hidden recipients; only of outbound mail. */
  bcc: {
    /** E-mail address. */
    address: string
    /** Name beside the address. */
    name: string | null
  }[]
  /** Subject of the mail. */
  subject: string | null
  /** Message-ID of the mail, without angle brackets. */
  messageId: string | null
  /** Message-ID of the mail that this one is a reply to. */
  inReplyTo: string | null
  /** Time in the header of the mail. ISO 8601. */
  date: string | null
  /** Whether the sender is authentic; null when no believed server says so. */
  verified: boolean | null
  /** Whether a machine wrote the mail. */
  automated: boolean
  /** Whether the mail asks for no automatic reply. */
  noAutoReply: boolean
  /** Whether recipients may have received the mail twice. */
  possiblyDoubled: boolean
  /** Parts of `content` that repeat messages of the conversation, in their order. */
  quoted: Quotation[]
  /** Offset in `content` at which the quoted end begins; null where own words follow. */
  quotedFrom: number | null
  /** Whether `content` is shorter than the mail. */
  truncated: boolean
}

/** A message that a search found. */
export interface MessageMatch {
  /** Id of the message. */
  messageId: string
  /** Id of its conversation. */
  conversationId: string
  /** Subject of the conversation. */
  subject: string
  /** The customer, or only id and name without `read:customers`; null when there is none. */
  customer: {
    /** Id of the customer. */
    _id: string
    /** Name and contact data. At least one of name, e-mail and phone is present. */
    profile: {
      /** First name. */
      firstName: string | null
      /** Last name. */
      lastName: string | null
      /** E-mail address. */
      email: string | null
      /** Phone number, as entered. */
      phone: string | null
      /** Company that the customer works for. */
      company: string | null
    }
  } | CustomerName | null
  /** Kind: `reply`, `note` or `activity`. */
  type: 'reply' | 'note' | 'activity' | (string & {})
  /** Direction of the message. */
  direction: 'inbound' | 'outbound' | 'internal' | (string & {})
  /** Time of the message. ISO 8601. */
  at: string
  /** Plain text around the first hit: at most 60 characters on each side, and whole characters. */
  snippet: string
  /** Start and end of each hit in `snippet`, in UTF-16 units. */
  ranges: number[][]
}

/** A recipient of an outbound e-mail. */
export interface MessageRecipient {
  /** E-mail address. */
  address: string
  /** Header that names the recipient. */
  kind: 'to' | 'cc' | 'bcc' | (string & {})
  /** Progress of the mail to this recipient. */
  status: 'queued' | 'sent' | 'delivered' | 'failed' | 'suppressed' | (string & {})
  /** Last SMTP code about this recipient. */
  code: number | null
  /** Last sentence of the server about this recipient. */
  text: string | null
  /** Time of the report that the mail came back; null: none came. ISO 8601. Default: `null`. */
  bouncedAt: string | null
  /** Time at which the recipient called the mail spam; null: never. ISO 8601. Default: `null`. */
  complainedAt: string | null
}

/** Filters and paging of `messages.list`. */
export interface MessagesListQuery {
  /** `asc`: oldest first; `desc`: newest first. Default: `asc`. */
  order?: 'asc' | 'desc' | undefined
  /** Number of the page, from 1. From 1 to 2147483647. Default: `1`. */
  page?: number | undefined
  /** Rows per page. From 1 to 100. Default: `50`. */
  limit?: number | undefined
  /** `nextCursor` of the page before. It replaces `page`, and costs the same at any depth. At most 512 characters. */
  cursor?: string | undefined
}

/** Requests of a tenant in one month, beside the limit of its plan. */
export interface MonthlyUsage {
  /** Month in UTC, `YYYY-MM`. */
  month: string
  /** The requests of the tenant. */
  usage: {
    /** Requests with a valid credential in that month, refused ones included. */
    totalRequests: number
    /** Further requests, such as presence and read marks, that no plan counts. */
    requestsOutsidePlan: number
    /** Requests by path template, such as `/api/v1/customers/{id}`. */
    requestsByEndpoint: Record<string, number>
    /** Requests by HTTP method. */
    requestsByMethod: Record<string, number>
  }
  /** The plan of the tenant. */
  limits: {
    /** Requests that the plan includes in a month; -1 for any number. */
    apiCalls: number
    /** Whether the plan includes any number of requests. */
    isUnlimited: boolean
  }
  /** The part of the usage that exceeds the limit. */
  overage: {
    /** Requests beyond the limit; 0 without a limit. */
    requests: number
    /** `requests` as a percentage of the limit, 2 decimals; 0 without a limit. */
    percentage: number
  }
}

/** The parameters that are to choose the conversations of a view. */
export interface NewViewFilter {
  /** Only conversations in one of these states. At most 4 items. */
  status?: readonly ('open' | 'closed' | 'pending' | 'snoozed')[] | undefined
  /** Only conversations of this priority. */
  priority?: 'low' | 'medium' | 'high' | 'urgent' | undefined
  /** Only conversations of this channel. */
  channel?: 'email' | 'chat' | 'phone' | 'whatsapp' | 'instagram' | 'twitter' | 'facebook' | 'sms' | undefined
  /** True: only conversations whose customer waits for a reply; false: only the others. */
  waiting?: boolean | undefined
  /** Only conversations of this user; `me` is whoever looks, `none` finds the unassigned. At most 128 characters. */
  assignedTo?: string | undefined
  /** Only conversations of this inbox. At most 128 characters. */
  inboxId?: string | undefined
  /** Only conversations of this customer. At most 128 characters. */
  customerId?: string | undefined
  /** Only conversations with this label. At most 64 characters. */
  label?: string | undefined
  /** Terms that must all occur in the subject, in one message, or in the customer. At most 200 characters. */
  search?: string | undefined
  /** Only conversations that changed at or after this time. ISO 8601. */
  updatedSince?: string | undefined
  /** Only conversations that began at or after this time. ISO 8601. */
  createdSince?: string | undefined
  /** Only conversations that began at or before this time. ISO 8601. */
  createdUntil?: string | undefined
}

/** An address that an agent may add to a reply. */
export interface OfferedRecipient {
  /** E-mail address; null, like the name, to a key without read:customers. */
  address: string | null
  /** Name that stood beside this very address in a mail. */
  name: string | null
  /** List that the address was meant for. */
  kind: 'to' | 'cc' | (string & {})
  /** Why it gets nothing by itself: an unverified mail names it in Reply-To or as a recipient, or it is the sender of one. */
  reason: 'reply_to' | 'copy' | 'unverified_sender' | (string & {})
}

/** A draft of the signed-in user, with its conversation. */
export interface OwnDraft {
  /** Id of the draft. */
  _id: string
  /** Id of the tenant that owns the resource. */
  tenantId: string
  /** Id of the conversation. */
  conversationId: string
  /** Author of the draft: a user or an API key. */
  author: DraftAuthor
  /** Kind of the message that it becomes: `reply` to the customer or `note` for the team. */
  type: 'reply' | 'note' | (string & {})
  /** Text of the draft; it may be empty. */
  content: string
  /** Markup of `content`. */
  contentType: 'text' | 'markdown' | 'html' | (string & {})
  /** Files of the draft. */
  attachments: Attachment[]
  /** Recipients of the e-mail. A save that names none fixes those of a reply that names none. */
  to: string[]
  /** Recipients of a copy. A save that names no recipients fixes those of a reply that names none. */
  cc: string[]
  /** Hidden recipients of a copy. */
  bcc: string[]
  /** On what the recipients were chosen at the last save. The draft is not sent while it is another one; null for a note, and for drafts of earlier versions. Default: `null`. */
  basis: DraftBasis | null
  /** Whether the caller, without read:customers, is not shown the recipients that the service chose. Default: `false`. */
  recipientsHidden: boolean
  /** Time at which the service sends it; null: nobody has planned it. ISO 8601. */
  sendAt: string | null
  /** Whether a message of the customer, or a reply of somebody else, after the last change of the draft stops it. */
  sendUnlessReplied: boolean
  /** Id of the draft of somebody else that this one is an edited form of. It ends with this one when that is sent. Null: none. Default: `null`. */
  basedOn: string | null
  /** `seq` of the conversation that the author has read. A reply or a note of somebody else of the team after it stops the draft at `sendAt`, as `If-Conversation-Seq` refuses a reply. Null: nothing is compared. Default: `null`. */
  ifSeq: number | null
  /** Reason why it was not sent at `sendAt`, which is null then: `REPLIED`, `RECIPIENT_CHANGED`, `AUTHOR_GONE`, or the code of the error. */
  sendError: string | null
  /** Number of the version; it rises with each change of the draft. */
  version: number
  /** Time of creation. ISO 8601. */
  createdAt: string
  /** Time of the last change. ISO 8601. */
  updatedAt: string
  /** The conversation of the draft. */
  conversation: {
    /** Id of the conversation. */
    _id: string
    /** Subject line. */
    subject: string
    /** State. `snoozed` becomes `open` at `snoozedUntil`. */
    status: 'open' | 'closed' | 'pending' | 'snoozed' | (string & {})
    /** Channel that the conversation takes place on. */
    channel: 'email' | 'chat' | 'phone' | 'whatsapp' | 'instagram' | 'twitter' | 'facebook' | 'sms' | (string & {})
    /** The customer; null when there is none. */
    customer: {
      /** Id of the customer. */
      _id: string
      /** Contact data, or the name alone without `read:customers`. */
      profile: {
        /** First name. */
        firstName: string | null
        /** Last name. */
        lastName: string | null
        /** E-mail address. */
        email: string | null
        /** Phone number, as entered. */
        phone: string | null
        /** Company that the customer works for. */
        company: string | null
      } | {
        /** First name. */
        firstName: string | null
        /** Last name. */
        lastName: string | null
      }
    } | null
  }
}

/** The signed-in user, with what nobody else sees. */
export interface OwnUser {
  /** Id of the user. */
  _id: string
  /** Id of the tenant that owns the resource. */
  tenantId: string
  /** E-mail address that the person signs in with. */
  email: string
  /** First name. */
  firstName: string | null
  /** Last name. */
  lastName: string | null
  /** Role. It decides what the user may do. */
  role: 'viewer' | 'agent' | 'admin' | 'owner' | (string & {})
  /** Whether the user can sign in. False until the invitation is accepted, or after deactivation. */
  isActive: boolean
  /** Whether the user is there now. Automatic assignment and calls consider those who are `online`. */
  availability: 'online' | 'away' | 'offline' | (string & {})
  /** `auto`: live streams and input decide, as they do from the start. Else what was set, and so the value of `availability`. */
  availabilityMode: 'auto' | 'online' | 'away' | 'offline' | (string & {})
  /** Time from which `availability` has its value. ISO 8601. */
  availabilitySince: string
  /** Time from which the mode is `auto` again; null: it stays until it is changed. ISO 8601. */
  availabilityUntil: string | null
  /** Time from which the open invitation is refused; null when there is none. ISO 8601. Default: `null`. */
  inviteExpiresAt: string | null
  /** Whether the person has restricted the processing of their data. */
  processingRestricted: boolean
  /** Time of creation. ISO 8601. */
  createdAt: string
  /** Time of the last change. ISO 8601. */
  updatedAt: string
  /** Senders whose images of other servers the user always wants to see, the last 200. No address is stored. */
  imageSenders: string[]
}

/** A file of a package. */
export interface PackageFile {
  /** Path in the package, such as `messages-0001.ndjson`. */
  path: string
  /** Size in bytes. */
  size: number
  /** SHA-256 of the bytes, in hexadecimal. */
  sha256: string
}

/** The package of an integration. */
export interface PackageState {
  /** Account of the manifest; null before there is one. */
  accountId: string | null
  /** Files that are here. */
  files: PackageFile[]
  /** Files of the manifest that are not here, or have other bytes. */
  missing: string[]
  /** Whether an import can start. */
  complete: boolean
}

/** Position of a page in its list. */
export interface Pagination {
  /** Number of rows in the whole list. */
  total: number
  /** Number of this page, from 1. */
  page: number
  /** Rows per page. */
  limit: number
  /** Number of pages in the whole list. */
  totalPages: number
  /** Whether the list is too long for an exact `total`. */
  totalIsEstimate: boolean
  /** `cursor` of the next page; null on the last page. */
  nextCursor: string | null
}

/** A request for a new password. */
export interface PasswordReset {
  /** E-mail address. Upper and lower case are the same. At most 254 characters. */
  email: string
  /** Id of a tenant of the person. Then only the password of that membership is reset. At most 128 characters. */
  tenantId?: string | null | undefined
}

/** Response times and outcomes of the requests of one month. */
export interface PerformanceMetrics {
  /** Month in UTC, `YYYY-MM`. */
  month: string
  /** Average response time in milliseconds; 0 without requests. */
  averageResponseTime: number
  /** Response time in milliseconds that 95 % of the requests do not exceed, with an error of at most 1 %. */
  p95ResponseTime: number
  /** Response time in milliseconds that 99 % of the requests do not exceed, with an error of at most 1 %. */
  p99ResponseTime: number
  /** `failedRequests` as a percentage of `totalRequests`, 2 decimals. */
  errorRate: number
  /** Requests with a valid credential in that month, refused ones included. */
  totalRequests: number
  /** Requests with a 2xx response. */
  successfulRequests: number
  /** Requests with a 4xx or 5xx response. */
  failedRequests: number
}

/** A conversation; `customerId` and `assignedTo` are objects. */
export interface PopulatedConversation {
  /** Id of the conversation. */
  _id: string
  /** Id of the tenant that owns the resource. */
  tenantId: string
  /** Subject line. */
  subject: string
  /** State. `snoozed` becomes `open` at `snoozedUntil`. */
  status: 'open' | 'closed' | 'pending' | 'snoozed' | (string & {})
  /** Priority. */
  priority: 'low' | 'medium' | 'high' | 'urgent' | (string & {})
  /** Channel that the conversation takes place on. */
  channel: 'email' | 'chat' | 'phone' | 'whatsapp' | 'instagram' | 'twitter' | 'facebook' | 'sms' | (string & {})
  /** Part of the service that created the conversation. */
  source: 'widget' | 'phone' | 'api' | 'email' | (string & {})
  /** The customer, or only id and name without `read:customers`; null when there is none. */
  customerId: Customer | CustomerName | null
  /** The user who is assigned; null when nobody is. */
  assignedTo: UserSummary | null
  /** Id of the inbox that the conversation belongs to. */
  inboxId: string
  /** Labels, unique without regard to case. At most 50. */
  labels: string[]
  /** Time at which a snoozed conversation opens; null until the next inbound message. ISO 8601. */
  snoozedUntil: string | null
  /** Whether an inbound message opens a snoozed conversation. */
  wakeOnReply: boolean
  /** Time of the last message; notes do not count. ISO 8601. */
  lastMessageAt: string | null
  /** The newest reply or inbound message; null without any. Default: `null`. */
  lastMessage: LastMessage | null
  /** Time of the last message of the customer; mail of machines does not count. ISO 8601. Default: `null`. */
  lastCustomerMessageAt: string | null
  /** Time of the first message of the customer that nobody has answered; null when nobody waits, and while it is closed. ISO 8601. Default: `null`. */
  waitingSince: string | null
  /** Number of replies and inbound messages; notes do not count. */
  messageCount: number
  /** Rises by one with every reply, inbound message and note, and never falls. `If-Conversation-Seq` names it. Default: `0`. */
  seq: number
  /** Time of the first outbound message that is no automatic reply. ISO 8601. */
  firstResponseAt: string | null
  /** Time at which the conversation was closed; null while it is not. ISO 8601. */
  closedAt: string | null
  /** Read receipts of both sides. */
  readAt: {
    /** Time at which the customer last read it. ISO 8601. */
    customer: string | null
    /** Time at which the team last read it. ISO 8601. */
    agent: string | null
  }
  /** Rating by the customer; null without one. */
  rating: {
    /** Score. */
    score: number
    /** Comment. */
    comment: string | null
    /** Time of the rating. ISO 8601. */
    at: string
  } | null
  /** Ids of the conversation in other systems. */
  externalIds: string[]
  /** Page on which the visitor of the chat widget began it; null for every other conversation. Default: `null`. */
  page: string | null
  /** Fields of an imported deal or case without a field of their own here, such as its amount. Written by imports alone. */
  customFields: Record<string, JsonValue>
  /** Senders who take part by e-mail besides the customer; at most 50. Default: ``. */
  participants: MailParticipant[]
  /** Id of the closed conversation that this one continues, because its mail came too late to open it; else null. Default: `null`. */
  previousConversationId: string | null
  /** Id of the conversation that this one was merged into; null when it was not. Default: `null`. */
  mergedInto: string | null
  /** Ids of the conversations that were merged into this one, earliest first; at most 20. Default: ``. */
  mergedFrom: string[]
  /** Time of creation. ISO 8601. */
  createdAt: string
  /** Time of the last change. ISO 8601. */
  updatedAt: string
  /** How far the signed-in user has read it; null to API keys. */
  unread: Unread | null
}

/** A user who has a conversation open. */
export interface Presence {
  /** The user. */
  user: {
    /** Id of the user. */
    _id: string
    /** First name of the user. */
    firstName: string | null
    /** Last name of the user. */
    lastName: string | null
  }
  /** `replying` while the user writes a reply, in any window; else `viewing`. */
  state: 'viewing' | 'replying' | (string & {})
  /** Time at which the user came. ISO 8601. */
  since: string
}

/** The users who are there, and how far the caller has read. */
export interface PresenceReply {
  /** Always true. */
  success: true
  /** The other users, the first one first. */
  data: Presence[]
  /** How far the caller has read. Only with `readSeq`. */
  read?: ReadState
}

/** Filters and paging of `privacy.export`. */
export interface PrivacyExportQuery {
  /** Format of the file. Default: `json`. */
  format?: 'json' | 'csv' | undefined
}

/** A request of a user about their own data. */
export interface PrivacyRequest {
  /** Id of the request. */
  _id: string
  /** Id of the tenant that owns the resource. */
  tenantId: string
  /** Id of the user who made the request; a pseudonym once a deletion of the user is completed. */
  userId: string
  /** Right that the person uses. */
  type: 'deletion' | 'access' | 'rectification' | 'restriction' | 'objection' | (string & {})
  /** State. A `processing` restriction is in force, and a `processing` deletion is completed by the service itself. */
  status: 'pending' | 'processing' | 'completed' | 'rejected' | 'cancelled' | (string & {})
  /** Reason of the person; null without one. */
  reason: string | null
  /** Details of the person; null without any. */
  details: string | null
  /** Field to rectify, in the words of the person; null for other types. */
  field: string | null
  /** Value that is wrong; null when the person named none. */
  currentValue: string | null
  /** Value that is right; null for other types. */
  requestedValue: string | null
  /** Notes of the tenant to the person; null without any. */
  notes: string | null
  /** Reason of a rejection; null otherwise. */
  rejectionReason: string | null
  /** Time by which the tenant has to have done it: one month after the request. ISO 8601. */
  dueAt: string
  /** Whether the request is open and `dueAt` is over. */
  isOverdue: boolean
  /** Time at which it was approved or rejected; null before. ISO 8601. */
  processedAt: string | null
  /** Time at which it was completed; null before. ISO 8601. */
  completedAt: string | null
  /** Time of creation. ISO 8601. */
  createdAt: string
  /** Time of the last change. ISO 8601. */
  updatedAt: string
}

/** A new request. */
export interface PrivacyRequestReply {
  /** Always true. */
  success: true
  /** Confirmation for people. */
  message: string
  /** New request. */
  request: PrivacyRequestSummary
}

/** A request as its submission returns it. */
export interface PrivacyRequestSummary {
  /** Id of the request. */
  id: string
  /** Type of the request; that of a restriction is `rectification`. */
  type: 'access' | 'rectification' | 'objection' | (string & {})
  /** Right that the person uses. */
  requestType: 'deletion' | 'access' | 'rectification' | 'restriction' | 'objection' | (string & {})
  /** State. A `processing` restriction is in force, and a `processing` deletion is completed by the service itself. */
  status: 'pending' | 'processing' | 'completed' | 'rejected' | 'cancelled' | (string & {})
  /** Time of the request. ISO 8601. */
  requestedAt: string
  /** Time by which the tenant has to have done it: one month after the request. ISO 8601. */
  dueAt: string
}

/** Filters and paging of `privacyRequests.list`. */
export interface PrivacyRequestsListQuery {
  /** Only requests in this state. */
  status?: 'pending' | 'processing' | 'completed' | 'rejected' | 'cancelled' | undefined
  /** Only requests of this type. */
  type?: 'deletion' | 'access' | 'rectification' | 'restriction' | 'objection' | undefined
  /** Only requests of this user. At most 128 characters. */
  userId?: string | undefined
  /** Number of the page, from 1. From 1 to 2147483647. Default: `1`. */
  page?: number | undefined
  /** Rows per page. From 1 to 100. Default: `20`. */
  limit?: number | undefined
  /** `nextCursor` of the page before. It replaces `page`, and costs the same at any depth. At most 512 characters. */
  cursor?: string | undefined
}

/** Customers to create or to update, by their ids in other systems. */
export interface PutCustomers {
  /** 1 to 100 customers, each with `source`, `id` and the fields of `PUT /api/v1/customers/{id}`. Each is checked by itself. At most 100 items. */
  customers: readonly Record<string, unknown>[]
}

/** Use and limit of one quota of a tenant. */
export interface QuotaUse {
  /** Present use. Changes by other processes of the service may be missing for a minute. */
  used: number
  /** Limit of the tenant; -1 without a limit. */
  limit: number
}

/** A part of a mail that repeats a message of its conversation. */
export interface Quotation {
  /** Offset in `content`, in UTF-16 units, at which the quotation begins. */
  from: number
  /** Offset behind it. HTML is quoted in whole elements and texts. */
  to: number
  /** Message that is repeated; null: not known. */
  messageId: string | null
}

/** How far a conversation was read. */
export interface ReadConversation {
  /** `seq` up to which the user has read. Default, and the most: that of the conversation. */
  seq?: number | null | undefined
}

/** How far the signed-in user has read a conversation. */
export interface ReadState {
  /** Id of the conversation. */
  conversationId: string
  /** `seq` of the conversation up to which the signed-in user has read. */
  seq: number
  /** Messages and notes that are unread. */
  unread: Unread
}

/** The time range to replay. */
export interface RecoverDeliveries {
  /** Events from this time on, but none from before the webhook or the last change of its `events`. ISO 8601. */
  since: string
  /** Events up to this time. Default: now. ISO 8601. */
  until?: string | null | undefined
  /** Count the events and create no delivery. */
  dryRun?: boolean | null | undefined
  /** `nextCursor` of the previous call. At most 200 characters. */
  cursor?: string | null | undefined
}

/** Result of one call. */
export interface RecoveredDeliveries {
  /** Events of this call whose delivery is missing or failed permanently. */
  matched: number
  /** Deliveries that were created for them; 0 with `dryRun`. */
  created: number
  /** `cursor` of the next call; null at the end. */
  nextCursor: string | null
}

/** A refresh token. */
export interface Refresh {
  /** The latest refresh token. At most 512 characters. */
  refreshToken: string
}

/** A new tenant and its owner. */
export interface Register {
  /** Name of the new tenant. At most 100 characters. */
  tenantName: string
  /** E-mail address. Upper and lower case are the same. At most 254 characters. */
  email: string
  /** Password for this e-mail, used exactly as sent. 10 to 128 characters. */
  password: string
  /** First name of the owner. At most 100 characters. */
  firstName?: string | null | undefined
  /** Last name of the owner. At most 100 characters. */
  lastName?: string | null | undefined
  /** The token that the server prints at its start; where `GET /api/auth/registration` says that it is needed. At most 512 characters. */
  setupToken?: string | null | undefined
}

/** Whether a tenant can be registered on this server. */
export interface Registration {
  /** Whether a tenant can be registered now. */
  open: boolean
  /** Whether it would be the first tenant of this server. */
  first: boolean
  /** Whether the registration needs the token that the server prints at its start: the first one does where others than its operator may reach the server. */
  setupToken: boolean
}

/** A rejection of a request. */
export interface RejectPrivacyRequest {
  /** Reason of the rejection. At most 10000 characters. */
  rejectionReason: string
  /** Notes of the tenant to the person; null without any. At most 10000 characters. */
  notes?: string | null | undefined
}

/** The conversation for which a canned reply is filled. */
export interface RenderCannedReply {
  /** Conversation that the values are of. */
  conversationId: string
}

/** A canned reply with the values of a conversation. */
export interface RenderedReply {
  /** Text with the values. Nothing in a value is replaced again. */
  content: string
  /** Markup of `content`. In Markdown the values are escaped. */
  contentType: 'text' | 'markdown' | (string & {})
  /** Variables that had neither a value nor a default: nothing stands in their place. */
  missing: string[]
}

/** How a reply leaves, and the people who get it when it names no recipients. */
export interface ReplyRecipients {
  /** Whether a reply leaves as an e-mail, by the channel and the inbox. */
  sendsMail: boolean
  /** How a reply leaves: `email`, `chat` (the widget), `webhook` (your system, on `message.sent`), or `none` (nobody carries it). */
  door: 'email' | 'chat' | 'webhook' | 'none' | (string & {})
  /** Sender of the e-mail; null where the reply is none. */
  from: {
    /** E-mail address. */
    address: string
    /** Name beside the address. */
    name: string | null
  } | null
  /** When the visitor of the chat widget was last there, to the minute; null: not known, or the conversation is no chat. ISO 8601. */
  visitorSeenAt: string | null
  /** Recipients; empty where nobody of the conversation has an address, and without e-mail. */
  to: SuggestedRecipient[]
  /** Recipients of a copy. */
  cc: SuggestedRecipient[]
  /** Addresses of unverified mail, for an agent to add. */
  offered: OfferedRecipient[]
}

/** A request for information about the own data. */
export interface RequestAccess {
  /** Reason of the person; null without one. At most 10000 characters. */
  reason?: string | null | undefined
  /** Details of the person; null without any. At most 10000 characters. */
  details?: string | null | undefined
}

/** A request to delete the data of the signed-in user. */
export interface RequestDeletion {
  /** Reason of the person; null without one. At most 10000 characters. */
  reason?: string | null | undefined
}

/** An objection to the processing of the own data. */
export interface RequestObjection {
  /** Reason of the person. At most 10000 characters. */
  reason: string
  /** Details of the person; null without any. At most 10000 characters. */
  details?: string | null | undefined
}

/** A request to rectify wrong data. */
export interface RequestRectification {
  /** Field to rectify, in your own words. At most 200 characters. */
  field: string
  /** Value that is wrong; null when the person named none. At most 10000 characters. */
  currentValue?: string | null | undefined
  /** Value that is right. At most 10000 characters. */
  requestedValue: string
  /** Reason of the person; null without one. At most 10000 characters. */
  reason?: string | null | undefined
}

/** A request to store the own data without processing it. */
export interface RequestRestriction {
  /** Reason of the person. At most 10000 characters. */
  reason: string
  /** Details of the person; null without any. At most 10000 characters. */
  details?: string | null | undefined
}

/** How long a tenant keeps what it does not need any more. */
export interface Retention {
  /** Months after which a closed conversation in which nothing has changed since is erased; null: never. */
  closedConversationMonths: number | null
  /** Months after which a file of a message is removed; null: never. */
  attachmentMonths: number | null
}

/** Counts of the rows that a retention would remove, if it were applied now. */
export interface RetentionPreview {
  /** Months that conversations were counted for; null: none were. */
  closedConversationMonths: number | null
  /** Months that files were counted for; null: none were. */
  attachmentMonths: number | null
  /** Closed conversations that would be erased. */
  conversations: {
    /** Number of conversations that would go now. At most 10,000 are counted. */
    count: number
    /** Whether there are more than were counted. */
    isMore: boolean
  }
  /** Files that would be removed, those of the conversations not among them by that alone. */
  attachments: {
    /** Number of files that would go now. At most 10,000 are counted. */
    count: number
    /** Their size in bytes. */
    bytes: number
    /** Whether there are more than were counted. */
    isMore: boolean
  }
}

/** How to rotate an API key. */
export interface RotateApiKey {
  /** Seconds for which the old key still works. Default: 86400. From 0 to 604800. */
  overlapSeconds?: number | null | undefined
}

/** How to rotate the signing secret. */
export interface RotateWebhookSecret {
  /** Seconds for which the previous secret stays valid; 0 ends it immediately. Default: 86400. From 0 to 604800. */
  overlapSeconds?: number | null | undefined
}

/** A problem with one field of a row. */
export interface RowProblem {
  /** Path of the refused field in its row. */
  field: string
  /** Description of the problem for people. */
  message: string
  /** The broken rule, for programs. */
  rule: string
  /** Always `body`. */
  in: string
}

/** Customers and conversations that show what the service does. One request removes them. */
export interface SampleData {
  /** Id of this set of sample rows. */
  runId: string
  /** Time at which they were added. ISO 8601. */
  addedAt: string
}

/** A draft, as it replaces the one before. */
export interface SaveDraft {
  /** Text of the draft; it may be empty. Default: empty. At most 65536 characters. */
  content?: string | null | undefined
  /** Kind of the message that it becomes: `reply` to the customer or `note` for the team. Default: reply. */
  type?: 'reply' | 'note' | null | undefined
  /** Markup of `content`. Default: text. */
  contentType?: 'text' | 'markdown' | 'html' | null | undefined
  /** Ids of uploaded files. While the draft names a file, it is not removed. At most 10 items. */
  attachments?: readonly string[] | null | undefined
  /** Recipients of the e-mail. A save that names none fixes those of a reply that names none. At most 50 items. */
  to?: readonly string[] | null | undefined
  /** Recipients of a copy. A save that names no recipients fixes those of a reply that names none. At most 50 items. */
  cc?: readonly string[] | null | undefined
  /** Hidden recipients of a copy. At most 50 items. */
  bcc?: readonly string[] | null | undefined
  /** Time at which the service sends the draft: in the future, at most 366 days from now, and only with a text or a file. Default: null, not at all. ISO 8601. */
  sendAt?: string | null | undefined
  /** Whether a message of the customer, or a reply of somebody else, after the last change of the draft stops it. Default: true. */
  sendUnlessReplied?: boolean | null | undefined
  /** `seq` of the conversation that the author has read. A reply or a note of somebody else of the team after it stops the draft at `sendAt`, as `If-Conversation-Seq` refuses a reply. Default: nothing is compared. */
  ifSeq?: number | null | undefined
  /** Id of the draft of somebody else that this one is an edited form of. The message will name its author as `draftedBy`, and its files may be named here. Default: as before; null: none. */
  basedOn?: string | null | undefined
  /** `version` that the draft must have, 0 for none yet. Default: the draft is replaced whatever it is. */
  expectedVersion?: number | null | undefined
}

/** Filters and paging of `search.find`. */
export interface SearchFindQuery {
  /** Words and operators. At most 200 characters. */
  q?: string | undefined
  /** Only these groups. Default: all that the credential may read; `customers` needs `read:customers`. */
  types?: 'customers' | 'conversations' | 'messages' | readonly ('customers' | 'conversations' | 'messages')[] | undefined
  /** Rows in each group. From 1 to 20. Default: `5`. */
  limit?: number | undefined
}

/** Results of a search, by groups. */
export interface SearchResults {
  /** Customers, the newest first; null when not asked. */
  customers: CustomerMatch[] | null
  /** Conversations, the one with the latest message first; null when not asked. */
  conversations: ConversationMatch[] | null
  /** Messages, the newest first; null when not asked. */
  messages: MessageMatch[] | null
  /** Whether each group may be incomplete. */
  isPartial: {
    /** Whether there may be more customers: the time was over, or the search stopped looking. */
    customers: boolean
    /** Whether there may be more conversations: the time was over, or the search stopped looking. */
    conversations: boolean
    /** Whether there may be more messages: the time was over, or the search stopped looking. */
    messages: boolean
  }
}

/** The version of a draft that is sent, and the consent to other recipients. */
export interface SendDraft {
  /** `version` of the draft that the sender has read. Default: the draft is sent whatever it is. */
  expectedVersion?: number | null | undefined
  /** `details.now` of a `RECIPIENT_CHANGED`: the sender agrees to it, and recipients that the service chose are chosen anew. */
  basis?: {
    /** How a reply leaves: `email`, `chat` (the widget), `webhook` (your system, on `message.sent`), or `none` (nobody carries it). */
    door: 'email' | 'chat' | 'webhook' | 'none'
    /** Address that an e-mail comes from, in lower case; else null. At most 320 characters. */
    from: string | null
    /** Address of the customer, in lower case; null without one, and to a key without read:customers. At most 320 characters. */
    customerEmail: string | null
  } | null | undefined
}

/** Tokens of a session, with its user and tenant. */
export interface Session {
  /** Token for `Authorization: Bearer`. */
  accessToken: string
  /** Token for one call of `POST /api/auth/refresh`. */
  refreshToken: string
  /** Type of the access token. */
  tokenType: 'Bearer'
  /** Lifetime of the access token in seconds. */
  expiresIn: 900
  /** The signed-in user. */
  user: User
  /** Id and name of the tenant. */
  tenant: {
    /** Id of the tenant. */
    _id: string
    /** Name of the organisation. */
    name: string
  }
}

/** Whether the person works with this session. */
export interface SetActivity {
  /** `idle` when the person has not touched this session for a minute, `active` when they do again. */
  state: 'active' | 'idle'
}

/** Secrets of the e-mail settings of an inbox. */
export interface SetEmailCredentials {
  /** Password for the SMTP server of the inbox. Null removes it. It is never shown. At most 1024 characters. */
  smtpPassword?: string | null | undefined
  /** Password for the mailbox of the inbox. Null removes it. It is never shown. At most 1024 characters. */
  imapPassword?: string | null | undefined
  /** Key that Mailgun signs its requests with. Null removes it. It is never shown. At most 1024 characters. */
  mailgunSigningKey?: string | null | undefined
  /** Public key of the signed event webhook of SendGrid, as it shows it. Null removes it. It is never shown. At most 1024 characters. */
  sendgridVerificationKey?: string | null | undefined
}

/** Fields that all the conversations get. */
export interface SetOfConversations {
  /** State. `snoozed` becomes `open` at `snoozedUntil`. Default: open. */
  status?: 'open' | 'closed' | 'pending' | 'snoozed' | null | undefined
  /** Id of the user who is assigned; null when nobody is. */
  assignedTo?: string | null | undefined
  /** Priority. Default: medium. */
  priority?: 'low' | 'medium' | 'high' | 'urgent' | null | undefined
  /** Id of the inbox that the conversation belongs to. */
  inboxId?: string | undefined
  /** Time at which a snoozed conversation opens; null until the next inbound message. Only with status `snoozed`. ISO 8601. */
  snoozedUntil?: string | null | undefined
}

/** Whether the caller has a conversation open, and writes a reply. */
export interface SetPresence {
  /** `none` when the caller has left the conversation. */
  state: 'viewing' | 'replying' | 'none'
  /** `seq` up to which the caller has read: it is marked as read too, and `read` says how far. */
  readSeq?: number | undefined
}

/** The fields of a module of a source. */
export interface SourceFields {
  /** Module of the source. */
  module: 'Contacts' | 'Deals' | 'Cases' | 'Accounts' | 'Leads' | (string & {})
  /** Name of the module for people. */
  label: string
  /** Fields of the module. */
  fields: {
    /** Name of the field at the source; a header of a file. */
    apiName: string
    /** Name for people. */
    label: string
    /** Type at the source. */
    type: string
    /** Whether every record has it. */
    required: boolean
    /** Whether the source computes it. */
    readOnly: boolean
    /** Whether the account added it. */
    custom: boolean
    /** Longest value; null when unknown. */
    maxLength: number | null
    /** Values of a pick list. */
    options: {
      /** Value of a record. */
      value: string
      /** Text for people. */
      label: string
    }[]
    /** Module that it refers to; null for other types. */
    lookupModule: string | null
    /** Field here; null when it is not imported. */
    mappedTo: string | null
  }[]
}

/** Start of a sign-in at the provider of a mailbox. */
export interface StartEmailSignIn {
  /** Provider of the mailbox. */
  provider: 'google' | 'microsoft'
  /** Address of a shared mailbox at Microsoft that the person may use. Default: the mailbox of the person. At most 254 characters. */
  mailbox?: string | null | undefined
}

/** The parts of an import. */
export interface StartImport {
  /** Contacts and leads. Default: the setting of the integration. */
  importContacts?: boolean | null | undefined
  /** Deals. Default: the setting of the integration. */
  importDeals?: boolean | null | undefined
  /** Cases. Default: the setting of the integration. */
  importTickets?: boolean | null | undefined
  /** Notes. Default: the setting of the integration. */
  importNotes?: boolean | null | undefined
  /** Calls, tasks and meetings. Default: the setting of the integration. */
  importActivities?: boolean | null | undefined
  /** Ids of the source where they are free. Default: the setting of the integration. */
  preserveIds?: boolean | null | undefined
  /** Only records that were changed at the source on these days. */
  dateRange?: {
    /** First day of the last change, `YYYY-MM-DD`, UTC. At most 40 characters. */
    startDate?: string | null | undefined
    /** Last day of the last change, `YYYY-MM-DD`, UTC. At most 40 characters. */
    endDate?: string | null | undefined
  } | null | undefined
  /** For a package: the inbox here of each of its inboxes, by the id there. */
  inboxes?: Record<string, string> | null | undefined
  /** Report what the import would do, and write nothing. Default: false. */
  dryRun?: boolean | null | undefined
}

/** A sign-in at an external CRM, or at the provider of a mailbox, that waits for the person. */
export interface StartedSignIn {
  /** Address where the person signs in and grants access. */
  authorizationUrl: string
  /** Name of this sign-in, for the confirmation. It serves once. */
  state: string
  /** End of the sign-in: 10 minutes after its start. ISO 8601. */
  expiresAt: string
}

/** The result for one row. */
export interface StoredCustomer {
  /** Position of the row in the request, from 0. */
  index: number
  /** The outcome of the row. */
  result: 'created' | 'updated' | 'unchanged' | 'refused' | (string & {})
  /** The customer afterwards; null when the row was refused. */
  customer: Customer | null
  /** The reasons of a refusal; empty for every other result. */
  problems: RowProblem[]
}

/** A recipient of a reply that names none. */
export interface SuggestedRecipient {
  /** E-mail address; null, like the name, to a key without read:customers. */
  address: string | null
  /** Name that stood beside this very address in a mail. */
  name: string | null
  /** Whether the newest mail from this address is authentic; null when no believed server says so, or it never wrote. */
  verified: boolean | null
  /** Whether the customer of the conversation has this address. */
  isCustomers: boolean
}

/** An address that does not exist, as its mail server reports. It gets no mail. */
export interface SuppressedAddress {
  /** Id of the suppressed address. */
  _id: string
  /** Id of the tenant that owns the resource. */
  tenantId: string
  /** E-mail address, in lower case. */
  address: string
  /** Status code of the report that suppressed it, such as `5.1.1`. */
  status: string
  /** Sentence of the mail server; null without one. */
  text: string | null
  /** Id of the message that was not delivered. */
  messageId: string | null
  /** Id of the customer with this address; null without one. */
  customerId: string | null
  /** Time of creation. ISO 8601. */
  createdAt: string
  /** Time of the last change. ISO 8601. */
  updatedAt: string
}

/** Filters and paging of `suppressedAddresses.list`. */
export interface SuppressedAddressesListQuery {
  /** Only this address, in any case. At most 254 characters. */
  address?: string | undefined
  /** Number of the page, from 1. From 1 to 2147483647. Default: `1`. */
  page?: number | undefined
  /** Rows per page. From 1 to 100. Default: `20`. */
  limit?: number | undefined
  /** `nextCursor` of the page before. It replaces `page`, and costs the same at any depth. At most 512 characters. */
  cursor?: string | undefined
}

/** Number of conversations with one label. */
export interface TagCount {
  /** Label as it is written on conversations. */
  tag: string
  /** Conversations with the label. */
  count: number
  /** `count` as a percentage of all labelled conversations in the range, 2 decimals. */
  percentage: number
}

/** An organisation with its own data, users and keys. */
export interface Tenant {
  /** Id of the tenant. */
  _id: string
  /** Name of the organisation. */
  name: string
  /** Whether the tenant is suspended: every credential of it is refused. */
  isSuspended: boolean
  /** ISO 3166 code of the country in which phone numbers without one are read, such as `DE`; null: unknown. */
  country: string | null
  /** How long it keeps closed conversations and files. */
  retention: Retention
  /** Use and limit by quota: `customers`, `conversations`, `messages` and so on are numbers of resources, `attachmentBytes` is the size of the attachments of messages in bytes, `inboundMailBytes` that of mails as they arrived, and `importFileBytes` that of files to import. */
  usage: Record<string, QuotaUse>
  /** Time of creation. ISO 8601. */
  createdAt: string
  /** Time of the last change. ISO 8601. */
  updatedAt: string
}

/** Filters and paging of `tenant.auditLog`. */
export interface TenantAuditLogQuery {
  /** Number of the page, from 1. From 1 to 2147483647. Default: `1`. */
  page?: number | undefined
  /** Rows per page. From 1 to 100. Default: `20`. */
  limit?: number | undefined
  /** `nextCursor` of the page before. It replaces `page`, and costs the same at any depth. At most 512 characters. */
  cursor?: string | undefined
}

/** An export of everything that a package can have of a tenant. */
export interface TenantExport {
  /** Id of the export. */
  _id: string
  /** `ready`: its parts can be downloaded. `expired`: they are deleted. */
  status: 'queued' | 'running' | 'ready' | 'failed' | 'expired' | (string & {})
  /** Whether the files of messages are parts. */
  attachments: boolean
  /** Id of the owner who asked for it. */
  requestedBy: string
  /** Records so far, by kind. */
  counts: Record<string, number>
  /** Number of parts. */
  partCount: number
  /** Reason of the end, of `failed` and `expired`; null without one. */
  error: {
    /** Code. */
    code: string
    /** Sentence. */
    message: string
  } | null
  /** Time of creation. ISO 8601. */
  createdAt: string
  /** Time of the end. ISO 8601. */
  finishedAt: string | null
  /** Time at which the parts are removed, 7 days after the request. ISO 8601. */
  expiresAt: string
}

/** An export with its parts. */
export interface TenantExportDetails {
  /** Id of the export. */
  _id: string
  /** `ready`: its parts can be downloaded. `expired`: they are deleted. */
  status: 'queued' | 'running' | 'ready' | 'failed' | 'expired' | (string & {})
  /** Whether the files of messages are parts. */
  attachments: boolean
  /** Id of the owner who asked for it. */
  requestedBy: string
  /** Records so far, by kind. */
  counts: Record<string, number>
  /** Number of parts. */
  partCount: number
  /** Reason of the end, of `failed` and `expired`; null without one. */
  error: {
    /** Code. */
    code: string
    /** Sentence. */
    message: string
  } | null
  /** Time of creation. ISO 8601. */
  createdAt: string
  /** Time of the end. ISO 8601. */
  finishedAt: string | null
  /** Time at which the parts are removed, 7 days after the request. ISO 8601. */
  expiresAt: string
  /** The parts from `from` on, at most 1,000. */
  parts: TenantExportPart[]
}

/** A file of a package. */
export interface TenantExportPart {
  /** Path in the folder of the package. */
  name: string
  /** Bytes. */
  size: number
  /** SHA-256 of the bytes, hexadecimal. */
  sha256: string
  /** Address of the download. */
  url: string
}

/** Filters and paging of `tenant.getExport`. */
export interface TenantGetExportQuery {
  /** Number of the first part that is shown, from 1. From 1 to 1000000. Default: `1`. */
  from?: number | undefined
}

/** Filters and paging of `tenant.getRetention`. */
export interface TenantGetRetentionQuery {
  /** Counts for this value instead of the setting, before it is switched on. From 1 to 120. */
  closedConversationMonths?: number | undefined
  /** Counts for this value instead of the setting. From 1 to 120. */
  attachmentMonths?: number | undefined
}

/** The first steps of a new team: those that are done, and those that are left. */
export interface TenantSetup {
  /** The steps in their order. */
  steps: {
    /** `channel`: a first chat message or mail has arrived. `invite`: a first invitation was accepted. `answer`: a person has sent a first reply. `notifications`: an admin has switched them on. */
    id: 'channel' | 'invite' | 'answer' | 'notifications' | (string & {})
    /** Whether nothing is left to do. `channel` is open again while a door of an inbox fails. */
    done: boolean
    /** Time at which it was done first. It is never taken back; null before. ISO 8601. */
    doneAt: string | null
    /** Why a step that was done is open again, in one sentence; null otherwise. */
    detail: string | null
  }[]
  /** Time at which an admin has hidden the list; null before, and when a door has failed since. ISO 8601. */
  dismissedAt: string | null
  /** The sample rows of the tenant; null while there are none. Default: `null`. */
  sampleData: SampleData | null
}

/** A test of the mail servers of an inbox. */
export interface TestEmail {
  /** Address that gets a test mail; without one the test ends before a mail is sent. At most 254 characters. */
  to?: string | null | undefined
}

/** A test attempt with its request. */
export interface TestedDelivery {
  /** Id of the log row. */
  _id: string
  /** Id of the webhook. */
  webhookId: string
  /** Event type. */
  event: string
  /** Result of the attempt; `pending` for the next planned attempt. */
  status: 'pending' | 'success' | 'failed' | (string & {})
  /** HTTP status of the receiver; null without a response. */
  statusCode: number | null
  /** Number of the attempt, from 1. */
  attempt: number
  /** End of the attempt; null while it is pending. ISO 8601. */
  deliveredAt: string | null
  /** Duration of the attempt in milliseconds. */
  responseTime: number | null
  /** Error for people; null after a success. */
  error: string | null
  /** Error for programs; null after a success. */
  errorCode: 'DNS' | 'CONNECT' | 'TLS' | 'TIMEOUT' | 'STATUS' | 'REDIRECT' | 'BLOCKED' | 'BODY' | 'ERASED' | (string & {}) | null
  /** Id of the event, the same in all attempts and redeliveries. */
  eventId: string
  /** Id of the delivery, the same in all its attempts. */
  deliveryId: string
  /** On a failed row the time of the next attempt, on a pending row that of this attempt; else null, also while the webhook is inactive. ISO 8601. */
  nextAttemptAt: string | null
  /** Milliseconds from the start of the attempt to each phase; null for a phase not reached. */
  timings: {
    /** Name resolved. */
    dns: number | null
    /** Connection established. */
    connect: number | null
    /** TLS handshake completed. */
    tls: number | null
    /** First byte of the response received. */
    firstByte: number | null
    /** Attempt ended. */
    total: number
  } | null
  /** IP address of the receiver. */
  remoteAddress: string | null
  /** Time of creation. ISO 8601. */
  createdAt: string
  /** The request as it was sent. */
  request: {
    /** HTTP method. */
    method: 'POST'
    /** HTTPS address of the receiver. */
    url: string
    /** Headers of the request. */
    headers: Record<string, string>
  }
}

/** Result of a test of the connection. */
export interface TestedIntegration {
  /** Whether the source can be read. */
  ok: boolean
  /** Time of the test. ISO 8601. */
  checkedAt: string
  /** The account at the source; null when it cannot be read. */
  account: {
    /** Id of the account. */
    id: string
    /** Name of the account. */
    name: string | null
    /** E-mail address of the account. */
    email: string | null
  } | null
  /** The modules of the source. */
  modules: {
    /** Module of the source. */
    module: string
    /** Whether the credentials may read it. */
    readable: boolean
  }[]
  /** Reason why it cannot be read; null when it can. */
  error: {
    /** Error for programs. */
    code: 'REAUTH_REQUIRED' | 'SOURCE_ERROR' | (string & {})
    /** Error for people. */
    message: string
  } | null
}

/** A message or a change of a conversation. */
export interface TimelineEntry {
  /** Id of the message or the activity. */
  _id: string
  /** Kind of the entry. */
  kind: 'message' | 'activity' | (string & {})
  /** Time of the entry, by which the timeline is ordered. ISO 8601. */
  at: string
  /** The message; null for an activity. */
  message: Message | null
  /** The activity; null for a message. */
  activity: Activity | null
}

/** The source of a merge that is taken back. */
export interface UnmergeCustomers {
  /** Id of the customer who was merged into this one. */
  sourceId: string
}

/** Both customers after a merge was taken back. */
export interface UnmergedCustomers {
  /** The customer who was merged, with the old id. */
  source: Customer
  /** The customer into whom the other one was merged. */
  target: Customer
  /** Everything that did not go back: paths of fields that somebody changed after the merge, and ids of moved rows that belong to somebody else now. */
  kept: string[]
}

/** How far a user has read a conversation. */
export interface Unread {
  /** Messages and notes that the signed-in user has not read; 100 means 100 or more. */
  count: number
  /** Id of the oldest of these messages; null without any, and in lists. */
  firstMessageId: string | null
}

/** The message from which a conversation is unread. */
export interface UnreadConversation {
  /** Id of the oldest unread message. Default: the newest one by somebody else. */
  messageId?: string | null | undefined
}

/** Changes of an API key. An absent field keeps its value. */
export interface UpdateApiKey {
  /** Name that people recognise the key by. At most 100 characters. */
  name?: string | undefined
  /** Permissions that the key grants. At most 50 items. */
  permissions?: readonly ('read:conversations' | 'write:conversations' | 'read:customers' | 'write:customers' | 'webhook:manage' | 'read:analytics')[] | undefined
  /** False for a revoked key, which is refused. True activates it again. */
  isActive?: boolean | undefined
  /** Name that customers read as the author of what is written with the key; null when they read none, and the team reads `name`. At most 100 characters. */
  displayName?: string | null | undefined
  /** Time from which the key is refused as expired; null when it never expires. ISO 8601. */
  expiresAt?: string | null | undefined
  /** Reminder to rotate the key; null without one. It never disables the key. */
  rotationPolicy?: {
    /** Whether the key reports when its rotation is due. */
    enabled: boolean
    /** Days from the creation of the key until its rotation is due. From 1 to 365. */
    intervalDays: number
    /** Days before the due date from which `rotationDueSoon` is true. Less than `intervalDays`. From 0 to 90. */
    notifyDaysBefore: number
  } | null | undefined
  /** Rate limit of the key itself; null when only the limit of the service applies. */
  rateLimit?: {
    /** Requests that the key may make in one window. From 1 to 1000000. */
    requests: number
    /** Length of the window, a duration such as `30s`, `5 minutes` or `hour`. */
    window: string
  } | null | undefined
  /** IP addresses and CIDR blocks that may use the key. Empty when every address may. At most 100 items. */
  ipWhitelist?: readonly string[] | null | undefined
}

/** Changes of a canned reply. An absent field keeps its value. */
export interface UpdateCannedReply {
  /** Word that finds the canned reply in the composer: 1 to 40 small letters, digits, `-` and `_`. No two shared ones have the same, and no two of one user. */
  shortcut?: string | undefined
  /** Title, for people. At most 100 characters. */
  title?: string | undefined
  /** Text of the reply. `{{customer.firstName}}` is replaced by its value, and `{{customer.firstName|there}}` by `there` when there is none. Variables: `customer.firstName`, `customer.lastName`, `customer.email`, `customer.phone`, `customer.company`, `agent.firstName`, `agent.lastName`, `agent.email`, `inbox.name`, `conversation._id`, `conversation.subject`. At most 20000 characters. */
  content?: string | undefined
  /** Markup of `content`. Default: text. */
  contentType?: 'text' | 'markdown' | undefined
  /** Ids of the inboxes in which it is offered. Empty: in all of them. At most 100 items. */
  inboxIds?: readonly string[] | undefined
  /** Whether the whole team has it. Otherwise only its owner sees it. Default: true. An API key makes shared ones alone. */
  isShared?: boolean | undefined
}

/** Changes of a conversation. An absent field keeps its value. */
export interface UpdateConversation {
  /** Subject line. At most 300 characters. */
  subject?: string | undefined
  /** State. `snoozed` becomes `open` at `snoozedUntil`. Default: open. */
  status?: 'open' | 'closed' | 'pending' | 'snoozed' | null | undefined
  /** Priority. Default: medium. */
  priority?: 'low' | 'medium' | 'high' | 'urgent' | null | undefined
  /** Id of the user who is assigned; null when nobody is. */
  assignedTo?: string | null | undefined
  /** Labels, unique without regard to case. At most 50. At most 50 items. */
  labels?: readonly string[] | null | undefined
  /** Id of the inbox that the conversation belongs to. */
  inboxId?: string | undefined
  /** Id of the customer; null when there is none. */
  customerId?: string | null | undefined
  /** Channel that the conversation takes place on. Default: email. */
  channel?: 'email' | 'chat' | 'phone' | 'whatsapp' | 'instagram' | 'twitter' | 'facebook' | 'sms' | null | undefined
  /** Time at which a snoozed conversation opens; null until the next inbound message. Only with status `snoozed`. ISO 8601. */
  snoozedUntil?: string | null | undefined
  /** Whether an inbound message opens a snoozed conversation. Only with status `snoozed`. Default: true. */
  wakeOnReply?: boolean | null | undefined
  /** Values that the conversation must have: with another one nothing is changed, and it is a CONFLICT whose `details.changed` has the expected and the actual value of each. */
  expected?: ExpectedConversation | undefined
}

/** Changes of a customer. An absent field keeps its value. */
export interface UpdateCustomer {
  /** First name. At most 100 characters. */
  firstName?: string | null | undefined
  /** Last name. At most 100 characters. */
  lastName?: string | null | undefined
  /** E-mail address. At most 254 characters. */
  email?: string | null | undefined
  /** Phone number, as entered. At most 40 characters. */
  phone?: string | null | undefined
  /** Company that the customer works for. At most 200 characters. */
  company?: string | null | undefined
  /** Position in the company. At most 200 characters. */
  jobTitle?: string | null | undefined
  /** Service level. Default: bronze. */
  tier?: 'bronze' | 'silver' | 'gold' | 'platinum' | null | undefined
  /** Tags, unique without regard to case. At most 50. At most 50 items. */
  tags?: readonly string[] | null | undefined
  /** Free-form fields with any JSON values. At most 200 fields and 32 KB. */
  customFields?: Record<string, JsonValue> | null | undefined
  /** State of the relationship. Default: active. */
  status?: 'active' | 'inactive' | 'archived' | null | undefined
}

/** Changes of a note. An absent field keeps its value. */
export interface UpdateCustomerNote {
  /** Text of the note. At most 20000 characters. */
  content?: string | undefined
  /** Markup of `content`. */
  contentType?: 'text' | 'markdown' | undefined
  /** `version` that the note must have. Default: the note is changed whatever it is. */
  expectedVersion?: number | null | undefined
}

/** How a file is read. */
export interface UpdateImportFile {
  /** Encoding. Null: by the bytes. */
  encoding?: 'utf-8' | 'utf-16le' | 'utf-16be' | 'windows-1250' | 'windows-1251' | 'windows-1252' | 'windows-1253' | 'windows-1254' | 'windows-1255' | 'windows-1256' | 'windows-1257' | 'windows-1258' | 'shift_jis' | 'gb18030' | 'big5' | 'euc-kr' | null | undefined
  /** Delimiter of a CSV file. Null: the one by which most rows agree. */
  delimiter?: string | null | undefined
  /** Line with the names of the columns; 0: none. Null: the first line that looks like it. From 0 to 50. */
  headerRow?: number | null | undefined
  /** Sheet of a workbook, or file of an archive. Null: the default. At most 100 characters. */
  sheet?: string | null | undefined
}

/** Changes of an inbox. An absent field keeps its value. */
export interface UpdateInbox {
  /** Name of the inbox. At most 100 characters. */
  name?: string | undefined
  /** Channel that the inbox receives. Default: email. */
  channel?: 'email' | 'chat' | 'phone' | 'whatsapp' | 'instagram' | 'twitter' | 'facebook' | 'sms' | null | undefined
  /** Whether the inbox is in use. Default: true. */
  isActive?: boolean | null | undefined
  /** Make this the default inbox of the tenant. */
  isDefault?: boolean | null | undefined
  /** Ids of the users who work in the inbox. At most 200 items. */
  members?: readonly string[] | null | undefined
  /** Automatic assignment of new conversations. */
  autoAssign?: {
    /** Whether new conversations without an assignee are assigned. Default: false. */
    enabled?: boolean | null | undefined
    /** Order of the members. */
    strategy?: 'round_robin' | null | undefined
    /** Whether members must be online. With false, those are skipped who have set that they are away or offline. Default: true. */
    onlyOnline?: boolean | null | undefined
    /** Open conversations from which a member is skipped; null for no limit. From 1 to 10000. */
    maxOpen?: number | null | undefined
  } | null | undefined
  /** Chat widget of the inbox. */
  widget?: {
    /** Whether the widget may be used. Default: false. */
    enabled?: boolean | null | undefined
    /** Origins of the pages that may show the widget. HTTPS, or http on localhost. At most 50 items. */
    allowedOrigins?: readonly string[] | null | undefined
    /** First sentence that visitors see. At most 500 characters. */
    greeting?: string | null | undefined
    /** Colour of the widget, such as `#3457d5`. */
    color?: string | null | undefined
    /** Whether visitors need a signed identity. Default: false. */
    identityRequired?: boolean | null | undefined
    /** Whether visitors see the name of the tenant and the first names of up to three members who are online. Default: false. */
    showTeam?: boolean | null | undefined
    /** Texts of the widget that replace its own in every language, by their keys. */
    texts?: Record<string, string> | null | undefined
    /** Whether the widget asks an anonymous visitor for an e-mail address after the first message. Default: `replyByMail.enabled`. */
    askEmail?: boolean | null | undefined
    /** Replies that a visitor has not read within five minutes are mailed to the address that they gave. */
    replyByMail?: {
      /** Whether they are mailed. Default: false. */
      enabled?: boolean | null | undefined
      /** Id of the inbox that sends the mail: one with a transport. It may be the same inbox. */
      inboxId?: string | null | undefined
    } | null | undefined
  } | null | undefined
  /** How the inbox receives and sends e-mail. */
  email?: {
    /** Address of the inbox. Several inboxes may have entered it, and one of the whole installation may have proven it. At most 254 characters. */
    address?: string | null | undefined
    /** Name that recipients see beside the address. At most 100 characters. */
    displayName?: string | null | undefined
    /** Whether the mailbox receives `local+anything@domain`. Replies then find their conversation by a signed address. Default: false. */
    plusAddressing?: boolean | null | undefined
    /** Names of the mail servers whose `Authentication-Results` are believed. At most 5 items. */
    authservIds?: readonly string[] | null | undefined
    /** Addresses, or domains such as `@shop.example`, whose mail is from whom its Reply-To names: forms of websites and shops. At most 50 items. */
    replyToSenders?: readonly string[] | null | undefined
    /** Markdown below every reply, with the variables `{{agent.firstName}}`, `{{agent.lastName}}` and `{{inbox.name}}`. At most 5000 characters. */
    signature?: string | null | undefined
    /** ARN of the Amazon SNS topic whose events of Amazon SES are taken; null takes none. At most 400 characters. */
    sesTopicArn?: string | null | undefined
    /** Configuration set of Amazon SES that sends its events to the topic. */
    sesConfigurationSet?: string | null | undefined
    /** How replies leave: `none` (your system delivers on `message.sent`), `relay` (the relay of the installation) or `smtp` (the server in `smtp`). Default: none. */
    transport?: 'none' | 'relay' | 'smtp' | null | undefined
    /** Seconds in which a reply can be taken back before it is sent. Default: 0. From 0 to 60. */
    sendDelaySeconds?: number | null | undefined
    /** Days after which a mail to a closed conversation begins a new one. Default: 30. From 1 to 365. */
    reopenDays?: number | null | undefined
    /** Automatic reply to a mail that begins a conversation. */
    autoReply?: {
      /** Whether automatic replies are sent. Default: false. */
      enabled?: boolean | null | undefined
      /** Text of the automatic reply. At most 5000 characters. */
      content?: string | null | undefined
    } | null | undefined
    /** Mailbox that mail is fetched from; null for none. */
    imap?: {
      /** Whether mail is fetched. Default: true. */
      enabled?: boolean | null | undefined
      /** How the service signs in: with a `password`, or by the sign-in of a person at the provider (`oauth`), which then decides the server and the user. Default: password. */
      auth?: 'password' | 'oauth' | null | undefined
      /** Name or address of the server. Required for the auth `password`. At most 253 characters. */
      host?: string | null | undefined
      /** Port: 25, 143, 465, 587, 993, or one from 1024. Required for the auth `password`. From 1 to 65535. */
      port?: number | null | undefined
      /** `tls` from the first byte, or `starttls`, which is then required. Required for the auth `password`. */
      security?: 'tls' | 'starttls' | null | undefined
      /** Name to sign in with. Required for the auth `password`. At most 254 characters. */
      user?: string | null | undefined
      /** Folder that is read. Default: INBOX. At most 255 characters. */
      folder?: string | null | undefined
      /** Mail that arrived before this moment is not fetched; null begins with the next mail. ISO 8601. */
      since?: string | null | undefined
    } | null | undefined
    /** Server that replies are sent through; null for none. */
    smtp?: {
      /** How the service signs in: with a `password`, or by the sign-in of a person at the provider (`oauth`), which then decides the server and the user. Default: password. */
      auth?: 'password' | 'oauth' | null | undefined
      /** Name or address of the server. Required for the auth `password`. At most 253 characters. */
      host?: string | null | undefined
      /** Port: 25, 143, 465, 587, 993, or one from 1024. Required for the auth `password`. From 1 to 65535. */
      port?: number | null | undefined
      /** `tls` from the first byte, or `starttls`, which is then required. Required for the auth `password`. */
      security?: 'tls' | 'starttls' | null | undefined
      /** Name to sign in with. Null where the server asks for none. At most 254 characters. */
      user?: string | null | undefined
    } | null | undefined
  } | null | undefined
}

/** Changes of an integration. An absent field keeps its value. */
export interface UpdateIntegration {
  /** Name of the integration. At most 100 characters. */
  name?: string | undefined
  /** Whether it imports. An inactive integration refuses imports and does not sync. Default: true. */
  isActive?: boolean | null | undefined
  /** Parts that an import reads when it names none. An absent one keeps its value. */
  importSettings?: {
    /** Contacts and leads, which become customers. Default: true. */
    importContacts?: boolean | null | undefined
    /** Deals, which become conversations. Default: true. */
    importDeals?: boolean | null | undefined
    /** Cases (tickets), which become conversations. Default: true. */
    importTickets?: boolean | null | undefined
    /** Notes, e-mails and messages of threads, which become messages. Default: true. */
    importNotes?: boolean | null | undefined
    /** Calls, tasks and meetings, which become calls. Default: true. */
    importActivities?: boolean | null | undefined
    /** Whether new records get the id of the source where it is free. Default: false. */
    preserveIds?: boolean | null | undefined
  } | null | undefined
  /** Result for a field that was edited here after an import. `merge`: the edited value stays. `source_wins`: the value of the source replaces it. `local_wins`: an import fills blank fields only. Default: merge. */
  conflict?: 'merge' | 'source_wins' | 'local_wins' | null | undefined
  /** Whether automatic syncs cause events. An import of the history never does. Default: false. */
  emitEvents?: boolean | null | undefined
  /** For files: the target of each header, by module, such as `{"Contacts": {"Nachname": "lastName"}}`. null leaves a column out. A named module is replaced, null removes it; the others stay. */
  mapping?: Record<string, Record<string, string | null> | null> | null | undefined
  /** For files: what words of a status, stage, priority, channel or type of call mean here, by module and field, such as `{"Cases": {"status": {"Waiting on Customer": "pending"}}}`. Words that it does not name mean what they usually do. A named module is replaced, null removes it; the others stay. */
  values?: Record<string, Record<string, Record<string, string>> | null> | null | undefined
  /** IANA time zone of times in files without an offset, such as `Europe/Berlin`; null: UTC. At most 100 characters. */
  timeZone?: string | null | undefined
  /** Order of day, month and year in dates of files that are not ISO 8601. Default: dmy. */
  dateOrder?: 'dmy' | 'mdy' | 'ymd' | null | undefined
  /** For files: the order of the dates of a column, by module and header, such as `{"Contacts": {"Created": "mdy"}}`. It holds where the values prove another one too. Columns that it does not name have the order that their values prove, else `dateOrder`. A named module is replaced, null removes it; the others stay. */
  dateOrders?: Record<string, Record<string, 'dmy' | 'mdy' | 'ymd'> | null> | null | undefined
  /** ISO 3166 code of the country of phone numbers without `+`, such as `DE`; null: unknown. At most 2 characters. */
  defaultCountry?: string | null | undefined
}

/** Changes of the signed-in user. An absent field keeps its value. */
export interface UpdateMe {
  /** First name. At most 100 characters. */
  firstName?: string | null | undefined
  /** Last name. At most 100 characters. */
  lastName?: string | null | undefined
  /** Sets the mode; null sets `auto`: live streams and input decide. */
  availability?: 'online' | 'away' | 'offline' | null | undefined
  /** Time from which the mode is `auto` again, within the next 7 days; only beside `availability`. Without it, an `availability` stays until it is changed. ISO 8601. */
  availabilityUntil?: string | null | undefined
  /** One sender to add to `imageSenders`, or to remove from them. */
  imageSender?: {
    /** SHA-256, in hex, of the JSON array of the id of the user, the id of the inbox and the address of the sender in lower case. */
    digest: string
    /** Whether images of the sender are shown from now on. */
    isShown: boolean
  } | undefined
}

/** Progress of a message. */
export interface UpdateMessage {
  /** New status. It can only advance: sent, then delivered, then read; or failed. */
  status?: 'delivered' | 'read' | 'failed' | undefined
}

/** Changes of the retention. An absent field keeps its value. */
export interface UpdateRetention {
  /** Months after which a closed conversation in which nothing has changed since is erased; null: never. From 1 to 120. */
  closedConversationMonths?: number | null | undefined
  /** Months after which a file of a message is removed; null: never. From 1 to 120. */
  attachmentMonths?: number | null | undefined
}

/** Changes of the tenant. An absent field keeps its value. */
export interface UpdateTenant {
  /** Name of the organisation. At most 100 characters. */
  name?: string | undefined
  /** ISO 3166 code of the country in which phone numbers without one are read, such as `DE`; null: unknown. At most 2 characters. */
  country?: string | null | undefined
  /** How long it keeps closed conversations and files. Only an owner may send it. */
  retention?: UpdateRetention | undefined
}

/** Changes of the list. An absent field keeps its value. */
export interface UpdateTenantSetup {
  /** Whether the list is hidden. */
  dismissed?: boolean | undefined
  /** Notes that an admin has switched notifications on. */
  notifications?: true | undefined
}

/** Changes of a user. An absent field keeps its value. */
export interface UpdateUser {
  /** First name. At most 100 characters. */
  firstName?: string | null | undefined
  /** Last name. At most 100 characters. */
  lastName?: string | null | undefined
  /** Sets the mode; null sets `auto`: live streams and input decide. */
  availability?: 'online' | 'away' | 'offline' | null | undefined
  /** Time from which the mode is `auto` again, within the next 7 days; only beside `availability`. Without it, an `availability` stays until it is changed. ISO 8601. */
  availabilityUntil?: string | null | undefined
  /** Role. It decides what the user may do. */
  role?: 'viewer' | 'agent' | 'admin' | 'owner' | undefined
  /** Whether the user can sign in. False ends all sessions. */
  isActive?: boolean | undefined
}

/** Changes of a view. An absent field keeps its value; a filter replaces the whole filter. */
export interface UpdateView {
  /** Name of the view, for people. At most 100 characters. */
  name?: string | undefined
  /** Parameters of the list of conversations, which choose those that the view shows. Without any it shows all of them. It loses a customer who is erased, and a user who is removed. */
  filter?: NewViewFilter | undefined
  /** Order of the conversations, as in their list. Default: `-updatedAt`. */
  sort?: 'createdAt' | '-createdAt' | 'updatedAt' | '-updatedAt' | 'priority' | 'lastMessageAt' | '-lastMessageAt' | 'waiting' | undefined
  /** Whether the whole team sees it. Otherwise only its owner does. Default: false. */
  isShared?: boolean | undefined
}

/** Changes of a webhook. An absent field keeps its value. */
export interface UpdateWebhook {
  /** Name of the webhook. At most 100 characters. */
  name?: string | undefined
  /** HTTPS address of the receiver. At most 2048 characters. */
  url?: string | undefined
  /** Event types to deliver. At most 100 items. */
  events?: readonly ('conversation.created' | 'conversation.updated' | 'conversation.assigned' | 'conversation.closed' | 'customer.created' | 'customer.updated' | 'message.sent' | 'message.received' | 'user.created' | 'user.updated' | 'call.initiated' | 'call.ringing' | 'call.answered' | 'call.completed' | 'call.failed' | 'call.recording.available' | 'mention.created' | 'conversation.merged' | 'conversation.unmerged' | 'customer.deleted' | 'conversation.deleted' | 'user.deleted' | 'message.updated' | 'message.deleted' | 'note.created' | 'mail.parked' | 'inbox.failing' | 'inbox.recovered' | 'integration.failing' | 'integration.recovered')[] | undefined
  /** Whether events are delivered. Default: true. */
  isActive?: boolean | null | undefined
  /** Additional headers of every delivery. At most 20, together 4 KB. They replace all stored headers; the value `••••` keeps the stored value of its name. A change of the origin of `url` removes the stored headers. */
  headers?: Record<string, string> | null | undefined
  /** Retries of a failed delivery. */
  retryPolicy?: {
    /** Retries after the first attempt. With `exponential` delays, 3 end 14 s after the first attempt and 10 after 34 minutes. Default: 3. From 0 to 10. */
    maxRetries?: number | null | undefined
    /** Delays between attempts: `linear` 5, 10, 15 … s; `exponential` 2, 4, 8 … s. Default: exponential. */
    backoffStrategy?: 'linear' | 'exponential' | null | undefined
  } | null | undefined
}

/** How each table of an archive is read, where its content does not say it. */
export interface UploadImportArchive {
  /** Encoding. Default: what the bytes say. */
  encoding?: 'utf-8' | 'utf-16le' | 'utf-16be' | 'windows-1250' | 'windows-1251' | 'windows-1252' | 'windows-1253' | 'windows-1254' | 'windows-1255' | 'windows-1256' | 'windows-1257' | 'windows-1258' | 'shift_jis' | 'gb18030' | 'big5' | 'euc-kr' | undefined
  /** Delimiter of a CSV file: one sign, or `tab`. Default: the one by which most rows agree. */
  delimiter?: string | undefined
  /** Line with the names of the columns of a CSV file or a sheet, 0 to 50; 0: none. Default: the first line that looks like it. */
  headerRow?: string | undefined
}

/** The texts of the form, which come before the file. */
export interface UploadImportFile {
  /** Module whose records the file holds. */
  module: 'Contacts' | 'Leads' | 'Deals' | 'Cases' | 'Notes' | 'Calls'
  /** Encoding. Default: what the bytes say. */
  encoding?: 'utf-8' | 'utf-16le' | 'utf-16be' | 'windows-1250' | 'windows-1251' | 'windows-1252' | 'windows-1253' | 'windows-1254' | 'windows-1255' | 'windows-1256' | 'windows-1257' | 'windows-1258' | 'shift_jis' | 'gb18030' | 'big5' | 'euc-kr' | undefined
  /** Delimiter of a CSV file: one sign, or `tab`. Default: the one by which most rows agree. */
  delimiter?: string | undefined
  /** Line with the names of the columns of a CSV file or a sheet, 0 to 50; 0: none. Default: the first line that looks like it. */
  headerRow?: string | undefined
  /** Sheet of a workbook, default: the first one with rows that is not hidden. File of an archive, default: the one that is called as the module, else the only one. At most 100 characters. */
  sheet?: string | undefined
}

/** Requests of a tenant in one month of its history. */
export interface UsageOfMonth {
  /** Month in UTC, `YYYY-MM`. */
  month: string
  /** Requests with a valid credential in that month, refused ones included. */
  totalRequests: number
  /** Further requests, such as presence and read marks, that no plan counts. */
  requestsOutsidePlan: number
  /** Requests by path template, such as `/api/v1/customers/{id}`. */
  requestsByEndpoint: Record<string, number>
}

/** The membership of a person in one tenant. */
export interface User {
  /** Id of the user. */
  _id: string
  /** Id of the tenant that owns the resource. */
  tenantId: string
  /** E-mail address that the person signs in with. */
  email: string
  /** First name. */
  firstName: string | null
  /** Last name. */
  lastName: string | null
  /** Role. It decides what the user may do. */
  role: 'viewer' | 'agent' | 'admin' | 'owner' | (string & {})
  /** Whether the user can sign in. False until the invitation is accepted, or after deactivation. */
  isActive: boolean
  /** Whether the user is there now. Automatic assignment and calls consider those who are `online`. */
  availability: 'online' | 'away' | 'offline' | (string & {})
  /** `auto`: live streams and input decide, as they do from the start. Else what was set, and so the value of `availability`. */
  availabilityMode: 'auto' | 'online' | 'away' | 'offline' | (string & {})
  /** Time from which `availability` has its value. ISO 8601. */
  availabilitySince: string
  /** Time from which the mode is `auto` again; null: it stays until it is changed. ISO 8601. */
  availabilityUntil: string | null
  /** Time from which the open invitation is refused; null when there is none. ISO 8601. Default: `null`. */
  inviteExpiresAt: string | null
  /** Whether the person has restricted the processing of their data. */
  processingRestricted: boolean
  /** Time of creation. ISO 8601. */
  createdAt: string
  /** Time of the last change. ISO 8601. */
  updatedAt: string
}

/** A user inside another resource. */
export interface UserSummary {
  /** Id of the user. */
  _id: string
  /** E-mail address that the person signs in with. */
  email: string
  /** First name. */
  firstName: string | null
  /** Last name. */
  lastName: string | null
}

/** Filters and paging of `users.listMentions`. */
export interface UsersListMentionsQuery {
  /** Number of the page, from 1. From 1 to 2147483647. Default: `1`. */
  page?: number | undefined
  /** Rows per page. From 1 to 100. Default: `20`. */
  limit?: number | undefined
  /** `nextCursor` of the page before. It replaces `page`, and costs the same at any depth. At most 512 characters. */
  cursor?: string | undefined
  /** True: only mentions that are not read; false: only the others. */
  unread?: boolean | undefined
  /** `note`: the text of each note and the subject of its conversation. */
  include?: 'note' | readonly 'note'[] | undefined
}

/** Filters and paging of `users.list`. */
export interface UsersListQuery {
  /** Number of the page, from 1. From 1 to 2147483647. Default: `1`. */
  page?: number | undefined
  /** Rows per page. From 1 to 100. Default: `20`. */
  limit?: number | undefined
  /** `nextCursor` of the page before. It replaces `page`, and costs the same at any depth. At most 512 characters. */
  cursor?: string | undefined
}

/** A saved list of conversations: a filter and an order with a name. */
export interface View {
  /** Id of the view. */
  _id: string
  /** Id of the tenant that owns the resource. */
  tenantId: string
  /** Name of the view, for people. */
  name: string
  /** Parameters of the list of conversations, which choose those that the view shows. Without any it shows all of them. It loses a customer who is erased, and a user who is removed. */
  filter: ViewFilter
  /** Order of the conversations, as in their list. */
  sort: 'createdAt' | '-createdAt' | 'updatedAt' | '-updatedAt' | 'priority' | 'lastMessageAt' | '-lastMessageAt' | 'waiting' | (string & {})
  /** Whether the whole team sees it. Otherwise only its owner does. */
  isShared: boolean
  /** Id of the user who made it, or took it for themselves. Null: the user was removed. */
  ownerId: string | null
  /** Time of creation. ISO 8601. */
  createdAt: string
  /** Time of the last change. ISO 8601. */
  updatedAt: string
}

/** The number of conversations in a view. */
export interface ViewCount {
  /** Conversations of the view, drafts of `unsent`, notes of `mentions`, or mails of `mailNeedsYou`. */
  total: number
  /** Conversations of the view with messages that the signed-in user has not read, among the 10,000 that changed last and are not closed; null for `closed`, `unsent`, `mentions` and `mailNeedsYou`. */
  unread: number | null
  /** Whether `total` may be wrong: above 10,000 rows it is not exact. */
  isEstimate: boolean
}

/** The parameters that choose the conversations of a view. */
export interface ViewFilter {
  /** Only conversations in one of these states. */
  status?: ('open' | 'closed' | 'pending' | 'snoozed' | (string & {}))[]
  /** Only conversations of this priority. */
  priority?: 'low' | 'medium' | 'high' | 'urgent' | (string & {})
  /** Only conversations of this channel. */
  channel?: 'email' | 'chat' | 'phone' | 'whatsapp' | 'instagram' | 'twitter' | 'facebook' | 'sms' | (string & {})
  /** True: only conversations whose customer waits for a reply; false: only the others. */
  waiting?: boolean
  /** Only conversations of this user; `me` is whoever looks, `none` finds the unassigned. */
  assignedTo?: string
  /** Only conversations of this inbox. */
  inboxId?: string
  /** Only conversations of this customer. */
  customerId?: string
  /** Only conversations with this label. */
  label?: string
  /** Terms that must all occur in the subject, in one message, or in the customer. */
  search?: string
  /** Only conversations that changed at or after this time. ISO 8601. */
  updatedSince?: string
  /** Only conversations that began at or after this time. ISO 8601. */
  createdSince?: string
  /** Only conversations that began at or before this time. ISO 8601. */
  createdUntil?: string
}

/** Filters and paging of `views.list`. */
export interface ViewsListQuery {
  /** Number of the page, from 1. From 1 to 2147483647. Default: `1`. */
  page?: number | undefined
  /** Rows per page. From 1 to 100. Default: `20`. */
  limit?: number | undefined
  /** `nextCursor` of the page before. It replaces `page`, and costs the same at any depth. At most 512 characters. */
  cursor?: string | undefined
}

/** A subscription of a receiver to event types. */
export interface Webhook {
  /** Id of the webhook. */
  _id: string
  /** Id of the tenant that owns the resource. */
  tenantId: string
  /** Name of the webhook. */
  name: string
  /** HTTPS address of the receiver. */
  url: string
  /** Event types to deliver. */
  events: ('conversation.created' | 'conversation.updated' | 'conversation.assigned' | 'conversation.closed' | 'customer.created' | 'customer.updated' | 'message.sent' | 'message.received' | 'user.created' | 'user.updated' | 'call.initiated' | 'call.ringing' | 'call.answered' | 'call.completed' | 'call.failed' | 'call.recording.available' | 'mention.created' | 'conversation.merged' | 'conversation.unmerged' | 'customer.deleted' | 'conversation.deleted' | 'user.deleted' | 'message.updated' | 'message.deleted' | 'note.created' | 'mail.parked' | 'inbox.failing' | 'inbox.recovered' | 'integration.failing' | 'integration.recovered' | (string & {}))[]
  /** Whether events are delivered. */
  isActive: boolean
  /** Additional headers of every delivery. Each value is shown as `••••`. */
  headers: Record<string, string>
  /** Retries of a failed delivery. */
  retryPolicy: {
    /** Retries after the first attempt. With `exponential` delays, 3 end 14 s after the first attempt and 10 after 34 minutes. */
    maxRetries: number
    /** Delays between attempts: `linear` 5, 10, 15 … s; `exponential` 2, 4, 8 … s. */
    backoffStrategy: 'linear' | 'exponential' | (string & {})
  }
  /** Success and failure of the latest attempts. */
  health: {
    /** `failing`: the latest attempt failed. `disabled`: no deliveries are made. */
    state: 'healthy' | 'failing' | 'disabled' | (string & {})
    /** Failed attempts since the last success. */
    consecutiveFailures: number
    /** Time of the last successful attempt. ISO 8601. */
    lastSuccessAt: string | null
    /** Time of the last failed attempt. ISO 8601. */
    lastFailureAt: string | null
    /** Reason why the webhook is inactive; null while it is active. `gone`: the receiver sent 410. `failing`: no success for 7 days. `manual`: a caller deactivated it. `permission`: the API key or user that made it may not read its events any more. */
    disabledReason: 'gone' | 'failing' | 'manual' | 'permission' | (string & {}) | null
  }
  /** End of the validity of the previous secret during a rotation; else null. ISO 8601. */
  previousSecretExpiresAt: string | null
  /** Time of creation. ISO 8601. */
  createdAt: string
  /** Time of the last change. ISO 8601. */
  updatedAt: string
}

/** Filters and paging of `webhooks.list`. */
export interface WebhooksListQuery {
  /** Only active webhooks (true) or only inactive ones (false). */
  isActive?: boolean | undefined
  /** Number of the page, from 1. From 1 to 2147483647. Default: `1`. */
  page?: number | undefined
  /** Rows per page. From 1 to 100. Default: `20`. */
  limit?: number | undefined
  /** `nextCursor` of the page before. It replaces `page`, and costs the same at any depth. At most 512 characters. */
  cursor?: string | undefined
}

/** Filters and paging of `webhooks.logs`. */
export interface WebhooksLogsQuery {
  /** Only attempts of this status. */
  status?: 'pending' | 'success' | 'failed' | undefined
  /** Number of the page, from 1. From 1 to 2147483647. Default: `1`. */
  page?: number | undefined
  /** Rows per page. From 1 to 100. Default: `20`. */
  limit?: number | undefined
  /** `nextCursor` of the page before. It replaces `page`, and costs the same at any depth. At most 512 characters. */
  cursor?: string | undefined
}
