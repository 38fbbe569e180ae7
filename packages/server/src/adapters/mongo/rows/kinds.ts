import { foldLabel } from '@crmkit/core/vocabulary'
import type { Kind, Records } from '../../../storage/records.ts'
import { erasureTypes, type OwnerFields } from '../../../storage/rules/erased.ts'
import type { Document } from '../../../storage/rules/rows.ts'
import {
  attachmentDueAt,
  lastNameKey,
  priorityRank,
  sessionOverAt,
  snoozeDueAt,
} from '../../../storage/rules/sort-keys.ts'
import { customerSearchText, plainSearchText } from '../../../storage/search-text.ts'
import type { CollectionName } from '../connection/collections.ts'
import type { StoredRow } from '../connection/scope.ts'
import { gramsOf } from '../search/grams.ts'

type Keys = Record<string, string | number | null>

/** What is worked out of the records of a kind. Everything else is found by the record's own fields. */
export interface KindRule<Row> {
  keys?: (row: Row) => Keys
  labels?: (row: Row) => string[]
  /** Ids by which an erasure finds the row. */
  subjects?: (row: Row) => string[]
  text?: (row: Row) => string
  /** A row of an unsharded collection by which this one is found without its tenant; null when it is not. */
  pointer?: { collection: CollectionName; of: (row: Row) => Keys | null }
  /** The fields that hold a row's owners. */
  owners?: Readonly<Partial<Record<Kind, string>>>
  /** The row belongs to the whole server and carries the empty tenant id. */
  isServerWide?: true
}

function dueKeys(dueAt: string | null): Keys | null {
  return dueAt === null ? null : { dueAt }
}

const kindRules: { readonly [K in Kind]: KindRule<Records[K]> & OwnerFields<K> } = {
  tenants: {},
  identities: { isServerWide: true },
  users: {
    pointer: {
      collection: 'memberships',
      of: ({ identityId, createdAt }) => ({ identityId, createdAt }),
    },
  },
  sessions: { keys: (row) => ({ overAt: sessionOverAt(row) }) },
  apiKeys: { pointer: { collection: 'keyHashes', of: ({ keyHash }) => ({ keyHash }) } },
  inboxes: {},
  customers: {
    keys: (row) => ({ lastName: lastNameKey(row.profile.lastName) }),
    labels: (row) => row.tags.map(foldLabel),
    text: customerSearchText,
  },
  conversations: {
    keys: (row) => ({ priorityRank: priorityRank(row.priority) }),
    labels: (row) => row.labels.map(foldLabel),
    text: (row) => plainSearchText(row.subject),
    pointer: {
      collection: 'dueSnoozes',
      of: (row) => dueKeys(snoozeDueAt(row)),
    },
    owners: { customers: 'row.customerId' },
  },
  messages: {
    keys: ({ sender }) => ({ customerId: sender.type === 'customer' ? sender._id : null }),
    text: (row) => plainSearchText(row.content),
    owners: { conversations: 'row.conversationId', customers: 'keys.customerId' },
  },
  attachments: {
    pointer: { collection: 'dueAttachments', of: (row) => dueKeys(attachmentDueAt(row)) },
    owners: { messages: 'row.messageId' },
  },
  webhooks: {},
  auditLog: {},
  idempotency: { subjects: (row) => row.subjects },
  usage: {},
  erasedLinks: {},
  tasks: {
    keys: ({ type, subjectId }) => ({ erases: erasureTypes.includes(type) ? subjectId : null }),
  },
}

export function ruleOf(kind: Kind): KindRule<Document> {
  const rule = Object.hasOwn(kindRules, kind) ? kindRules[kind] : undefined
  if (!rule) throw new TypeError(`there is no kind ${kind}`)
  return rule as unknown as KindRule<Document>
}

type Derived = Pick<StoredRow, 'keys' | 'labels' | 'subjects' | 'text' | 'grams'>

export function derivedOf({ keys, labels, subjects, text }: KindRule<Document>, row: Document): Derived {
  const folded = text?.(row)
  return {
    ...(keys && { keys: keys(row) }),
    ...(labels && { labels: [...new Set(labels(row))] }),
    ...(subjects && { subjects: [...new Set(subjects(row))] }),
    ...(folded !== undefined && { text: folded, grams: gramsOf(folded) }),
  }
}
