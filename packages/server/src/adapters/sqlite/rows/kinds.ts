import { foldLabel } from '@crmkit/core/vocabulary'
import type { Kind, Records } from '../../../storage/records.ts'
import type { OwnerFields } from '../../../storage/rules/erased.ts'
import {
  attachmentDueAt,
  lastNameKey,
  priorityRank,
  sessionOverAt,
  snoozeDueAt,
} from '../../../storage/rules/sort-keys.ts'
import { customerSearchText, plainSearchText } from '../../../storage/search-text.ts'
import type { SqlValue } from '../connection/sql.ts'

/** The columns that hold a row's owners. */
type Owned<K extends Kind> = KindTable<Records[K]> & OwnerFields<K>

/** Where the records of a kind are kept, and what is copied out of them for lists, joins and unique rules. */
export interface KindTable<Row> {
  table: string
  columns: Record<string, (row: Row) => SqlValue>
  /** Labels in a table of their own, with the lists' default sort key. */
  labels?: { table: string; of: (row: Row) => string[]; sortedAt: (row: Row) => string }
  /** The trigram index. Its tables are partitioned: row numbers lie in the tenant's range. */
  search?: { table: string; text: (row: Row) => string }
  /** Ids by which an erasure finds the row. */
  subjects?: { table: string; of: (row: Row) => string[] }
  owners?: Readonly<Partial<Record<Kind, string>>>
  /** The row belongs to the whole server and carries the empty tenant id. */
  isServerWide?: true
}

function flag(isSet: boolean): number {
  return isSet ? 1 : 0
}

const users: KindTable<Records['users']> = {
  table: 'users',
  columns: {
    email_normalized: (row) => row.emailNormalized,
    identity_id: (row) => row.identityId,
    role: (row) => row.role,
    is_active: (row) => flag(row.isActive),
    created_at: (row) => row.createdAt,
  },
}

const sessions: KindTable<Records['sessions']> = {
  table: 'sessions',
  columns: { over_at: sessionOverAt },
}

const apiKeys: KindTable<Records['apiKeys']> = {
  table: 'api_keys',
  columns: {
    key_hash: (row) => row.keyHash,
    environment: (row) => row.environment,
    is_active: (row) => flag(row.isActive),
    created_at: (row) => row.createdAt,
  },
}

const customers: KindTable<Records['customers']> = {
  table: 'customers',
  columns: {
    tier: (row) => row.tier,
    status: (row) => row.status,
    created_at: (row) => row.createdAt,
    updated_at: (row) => row.updatedAt,
    last_name_key: (row) => lastNameKey(row.profile.lastName),
    search_text: customerSearchText,
  },
  labels: { table: 'customer_tags', of: (row) => row.tags.map(foldLabel), sortedAt: (row) => row.createdAt },
  search: { table: 'customer_search', text: customerSearchText },
}

const conversations: Owned<'conversations'> = {
  table: 'conversations',
  owners: { customers: 'customer_id' },
  columns: {
    status: (row) => row.status,
    priority: (row) => row.priority,
    priority_rank: (row) => priorityRank(row.priority),
    channel: (row) => row.channel,
    // Not null, so that the unassigned are a range of the same index.
    assigned_to: (row) => row.assignedTo ?? '',
    inbox_id: (row) => row.inboxId,
    customer_id: (row) => row.customerId,
    due_at: snoozeDueAt,
    created_at: (row) => row.createdAt,
    updated_at: (row) => row.updatedAt,
    search_text: (row) => plainSearchText(row.subject),
  },
  labels: {
    table: 'conversation_labels',
    of: (row) => row.labels.map(foldLabel),
    sortedAt: (row) => row.updatedAt,
  },
  search: { table: 'conversation_search', text: (row) => plainSearchText(row.subject) },
}

const messages: Owned<'messages'> = {
  table: 'messages',
  owners: { conversations: 'conversation_id', customers: 'author_customer_id' },
  columns: {
    conversation_id: (row) => row.conversationId,
    client_message_id: (row) => row.clientMessageId,
    created_at: (row) => row.createdAt,
  },
  search: { table: 'message_search', text: (row) => plainSearchText(row.content) },
}

const idempotency: KindTable<Records['idempotency']> = {
  table: 'idempotency',
  columns: { expires_at: (row) => row.expiresAt },
  subjects: { table: 'idempotency_subjects', of: (row) => row.subjects },
}

const usage: KindTable<Records['usage']> = {
  table: 'usage',
  columns: {
    month: (row) => row.month,
    api_key_id: (row) => row.apiKeyId,
    expires_at: (row) => row.expiresAt,
  },
}

export const kindTables: { readonly [K in Kind]: Owned<K> } = {
  tenants: { table: 'tenants', columns: {} },
  identities: { table: 'identities', columns: { email: (row) => row.email }, isServerWide: true },
  users,
  sessions,
  apiKeys,
  inboxes: { table: 'inboxes', columns: { created_at: (row) => row.createdAt } },
  customers,
  conversations,
  messages,
  attachments: {
    table: 'attachments',
    columns: { message_id: (row) => row.messageId, due_at: attachmentDueAt },
    owners: { messages: 'message_id' },
  },
  webhooks: {
    table: 'webhooks',
    columns: { is_active: (row) => flag(row.isActive), created_at: (row) => row.createdAt },
  },
  auditLog: { table: 'audit_log', columns: { at: (row) => row.at } },
  idempotency,
  usage,
  tasks: { table: 'tasks', columns: {} },
  erasedLinks: { table: 'erased_links', columns: {} },
}
