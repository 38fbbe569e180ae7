import { type Message, newCall, newConversation, newMessage, type StoredCall } from '@crmkit/core'
import type { ConnectorProvider, SourceRecord } from '../../ports/connector.ts'
import { customerOfRecord } from '../../shared/customer-of-record.ts'
import type { ConversationRecord } from '../../storage/kinds/conversations.ts'
import type { CustomerRecord } from '../../storage/kinds/customers.ts'
import type { Records } from '../../storage/kinds/registry.ts'
import { kindOf, type RecordDraft } from './record-drafts.ts'

/* The rows that records become. Pure. */

type Values = Readonly<Record<string, unknown>>

export interface NewRow {
  id: string
  tenantId: string
  now: string
  externalId: string
  provider: ConnectorProvider
  record: SourceRecord
  draft: RecordDraft
}

const customPrefix = 'custom.'

function customOf(values: Values): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(values).flatMap(([path, value]) =>
      path.startsWith(customPrefix) && value !== null && value !== undefined
        ? [[path.slice(customPrefix.length), value]]
        : [],
    ),
  )
}

/** The custom fields of files and packages are at the top level. */
const isAtTop = (provider: ConnectorProvider) => provider === 'file' || provider === 'package'

/** Where the custom fields of a provider are. */
function placeCustom(
  provider: ConnectorProvider,
  fields: Record<string, unknown>,
  custom: Record<string, unknown>,
): Record<string, unknown> {
  if (isAtTop(provider)) return { ...fields, ...custom }
  return Object.keys(custom).length === 0 ? fields : { ...fields, [provider]: custom }
}

function newCustomFields({ provider, record, draft }: NewRow): CustomerRecord['customFields'] {
  const { module, id, url } = record
  const custom = placeCustom(provider, {}, customOf(draft.values)) as CustomerRecord['customFields']
  // A package that came from here comes back as it was.
  return provider === 'package' ? custom : { external: { provider, module, id, url }, ...custom }
}

function timesOf({ record, now }: NewRow) {
  const createdAt = record.createdAt ?? record.modifiedAt ?? now
  return { createdAt, updatedAt: record.modifiedAt ?? createdAt }
}

const textOf = (values: Values, path: string) => (values[path] ?? null) as string | null

export function newCustomerRow(made: NewRow & { externalIds: readonly string[] }): CustomerRecord {
  const { id, tenantId, now, externalIds, draft, record } = made
  const { values, tags } = draft
  const { tier, customerStatus, isBlocked } = record.fields
  return {
    _id: id,
    tenantId,
    profile: {
      firstName: textOf(values, 'profile.firstName'),
      lastName: textOf(values, 'profile.lastName'),
      email: textOf(values, 'profile.email'),
      phone: textOf(values, 'profile.phone'),
      company: textOf(values, 'profile.company'),
    },
    jobTitle: textOf(values, 'jobTitle'),
    tier: tier ?? 'bronze',
    status: customerStatus ?? 'active',
    ...(isBlocked && { blockedAt: now }),
    tags,
    customFields: newCustomFields(made),
    externalIds: [...externalIds],
    importedAt: now,
    ...timesOf(made),
  }
}

export interface NewConversationRow extends NewRow {
  inboxId: string
  customerId: string | null
  /** The description of a case is its first message. */
  hasMessage: boolean
}

const channelsOf = new Set(['email', 'chat', 'phone', 'whatsapp', 'instagram', 'twitter', 'facebook', 'sms'])

export function newConversationRow(made: NewConversationRow): ConversationRecord {
  const { id, tenantId, now, externalId, record, draft, inboxId, customerId, hasMessage } = made
  const { createdAt, updatedAt } = timesOf(made)
  const status = record.fields.status ?? 'open'
  const { closedAt = null } = record.fields
  const channel = record.fields.channel ?? 'email'
  const subject = textOf(draft.values, 'subject') ?? ''
  return {
    ...newConversation({ subject, inboxId, customerId }, { id, tenantId, now }),
    status,
    priority: (draft.values['priority'] ?? 'medium') as ConversationRecord['priority'],
    channel: (channelsOf.has(channel) ? channel : 'email') as ConversationRecord['channel'],
    labels: draft.tags,
    lastMessageAt: hasMessage ? createdAt : null,
    messageCount: hasMessage ? 1 : 0,
    closedAt: status === 'closed' ? (closedAt ?? updatedAt) : null,
    externalIds: [externalId],
    page: null,
    customFields: newCustomFields(made),
    importedAt: now,
    createdAt,
    updatedAt,
  }
}

export interface NewMessageRow extends NewRow {
  conversation: ConversationRecord
  /** The customer of the conversation. */
  customer: CustomerRecord | null
  /** The customer who wrote it; null: somebody else. */
  author: CustomerRecord | null
  /** The customer could read it. */
  isReply?: boolean
}

/** The note or reply of a record, or the description of a case as its first message. */
export function newMessageRow(made: NewMessageRow): Message {
  const { id, externalId, record, draft, conversation } = made
  const isNote = kindOf(record.module) === 'messages'
  const { createdAt, updatedAt } = timesOf(made)
  const content = textOf(draft.values, isNote ? 'content' : 'description') ?? ''
  const { body, author, customer } = senderOf(made, isNote)
  const parts = { id, conversation, customer: customer && customerOfRecord(customer), author, now: createdAt }
  const message = newMessage({ content, ...body }, parts)
  return { ...message, externalId: isNote ? externalId : null, updatedAt: isNote ? updatedAt : createdAt }
}

/** The author of a message, and its direction. */
function senderOf({ record, customer, author, isReply = false }: NewMessageRow, isNote: boolean) {
  const { name = null, role = null } = record.author ?? {}
  const system = { type: 'system', _id: null, name: name ?? record.fields.ownerName ?? null } as const
  if (!isNote) return { body: { direction: 'inbound' as const }, author: system, customer }
  if (!isReply) return { body: { type: 'note' as const }, author: system, customer }
  const isInbound = role === null ? author !== null : role === 'customer'
  if (isInbound)
    return { body: { direction: 'inbound' as const }, author: system, customer: author ?? customer }
  const agent = name === null ? system : ({ type: 'user', _id: null, name } as const)
  return { body: { direction: 'outbound' as const }, author: agent, customer }
}

const callKinds = { Tasks: 'task', Events: 'meeting' } as const

export function newCallRow(
  made: NewRow & { customerId: string | null; conversationId: string | null },
): StoredCall {
  const { id, tenantId, externalId, record, draft, customerId, conversationId } = made
  const { fields, module } = record
  const { createdAt, updatedAt } = timesOf(made)
  const direction = fields.isMissed ? 'inbound' : (fields.direction ?? 'outbound')
  const call = newCall(
    {
      direction,
      from: textOf(draft.values, 'from'),
      to: textOf(draft.values, 'to'),
      customerId,
      conversationId,
    },
    { id, tenantId, now: createdAt },
  )
  return {
    ...withCallValues(call, draft.values),
    kind: callKinds[module as keyof typeof callKinds] ?? 'call',
    externalIds: [externalId],
    status: fields.isMissed ? 'failed' : 'completed',
    failureReason: fields.isMissed ? 'no_answer' : null,
    updatedAt,
  }
}

function withCallValues(call: StoredCall, values: Values): StoredCall {
  return {
    ...call,
    startedAt: textOf(values, 'startedAt'),
    endedAt: textOf(values, 'endedAt'),
    durationSeconds: (values['durationSeconds'] ?? null) as number | null,
    from: textOf(values, 'from'),
    to: textOf(values, 'to'),
    metadata: { ...call.metadata, notes: textOf(values, 'notes') },
  }
}

/** The values of a kind's rows by the paths of drafts, to compare them with those of the source. */
interface RowValues<K extends RecordDraft['kind']> {
  valuesOf(row: Records[K], provider: ConnectorProvider): Record<string, unknown>
  /** Returns the row with other values. */
  withValues(row: Records[K], provider: ConnectorProvider, values: Values): Records[K]
}

type CustomFields = CustomerRecord['customFields']

function customValues(customFields: CustomFields | undefined, provider: ConnectorProvider) {
  const own = (isAtTop(provider) ? customFields : customFields?.[provider]) ?? {}
  return Object.fromEntries(
    Object.entries(own).map(([name, value]) => [`${customPrefix}${name}`, value] as const),
  )
}

const rowValues: { readonly [K in RecordDraft['kind']]: RowValues<K> } = {
  customers: {
    valuesOf: ({ profile, jobTitle, customFields }, provider) => ({
      ...Object.fromEntries(Object.entries(profile).map(([name, value]) => [`profile.${name}`, value])),
      jobTitle,
      ...customValues(customFields, provider),
    }),
    withValues: (row, provider, values) => ({
      ...row,
      profile: {
        firstName: textOf(values, 'profile.firstName'),
        lastName: textOf(values, 'profile.lastName'),
        email: textOf(values, 'profile.email'),
        phone: textOf(values, 'profile.phone'),
        company: textOf(values, 'profile.company'),
      },
      jobTitle: textOf(values, 'jobTitle'),
      customFields: placeChanged(provider, row.customFields, values),
    }),
  },
  conversations: {
    valuesOf: ({ subject, priority, customFields }, provider) => ({
      subject,
      priority,
      ...customValues(customFields, provider),
    }),
    withValues: (row, provider, values) => ({
      ...row,
      subject: textOf(values, 'subject') ?? '',
      priority: values['priority'] as ConversationRecord['priority'],
      customFields: placeChanged(provider, row.customFields, values),
    }),
  },
  messages: {
    valuesOf: ({ content }) => ({ content }),
    withValues: (row, _, values) => ({ ...row, content: textOf(values, 'content') ?? '' }),
  },
  calls: {
    valuesOf: ({ startedAt, endedAt, durationSeconds, from, to, metadata }) => ({
      startedAt,
      endedAt,
      durationSeconds,
      from,
      to,
      notes: metadata.notes,
    }),
    withValues: (row, _, values) => withCallValues(row, values),
  },
}

export function rowValuesOf<K extends RecordDraft['kind']>(kind: K): RowValues<K> {
  return rowValues[kind]
}

/** Replaces the custom fields that the values name; all others stay. */
function placeChanged(provider: ConnectorProvider, fields: CustomFields, values: Values): CustomFields {
  const named = Object.keys(values).flatMap((path) =>
    path.startsWith(customPrefix) ? [path.slice(customPrefix.length)] : [],
  )
  const own = (isAtTop(provider) ? fields : (fields[provider] ?? {})) as Record<string, unknown>
  const rest = Object.fromEntries(Object.entries(own).filter(([name]) => !named.includes(name)))
  const all = { ...rest, ...customOf(values) }
  // The values come from the row or from `cleanCustomFields`, so they are JSON.
  return (isAtTop(provider) ? all : placeCustom(provider, { ...fields }, all)) as CustomFields
}
