import { defineKind } from './define-kind.ts'
import {
  because,
  json,
  moment,
  nullableMoment,
  type RowOf,
  reference,
  tenantRow,
  text,
  times,
} from './fields.ts'

const fields = {
  ...tenantRow,
  conversationId: reference('conversations'),
  /** When it is looked whether the visitor has unread replies; null: nothing waits. */
  dueAt: nullableMoment('internal'),
  /** When replies were mailed, in the last 24 hours, the oldest first. */
  mailedAt: because('moments', json<string[]>('internal', ['2026-01-01T00:00:00.000Z'])),
  /** When transcripts were mailed, in the last 24 hours, the oldest first. */
  transcribedAt: because('moments', json<string[]>('internal', ['2026-01-01T00:00:00.000Z'])),
  /** `addressMark` of each address that asked for no more mail about this conversation. */
  stopped: json<string[]>('secret', ['5f2b1c9e8d7a6b5c']),
  ...times,
}

/** Mail about one conversation of the chat widget; it has the id of the conversation. */
export type ChatMails = RowOf<typeof fields>

export const chatMails = defineKind('chatMails', {
  idPrefix: null,
  fields,
  owners: { conversations: 'conversationId' },
  lookups: { conversation: { columns: ['conversationId'] } },
  acrossTenants: { dueChatMails: { columns: ['dueAt'] } },
  erasure: { rows: 'deleted' },
  quota: { unlimited: 'each is a conversation, and conversations are limited' },
  retention: 'permanent',
})

const addressFields = {
  ...tenantRow,
  /** `addressMark` of the address: nobody reads it from here. */
  _id: text('secret'),
  mailedAt: because('moments', json<string[]>('internal', ['2026-01-01T00:00:00.000Z'])),
  transcribedAt: because('moments', json<string[]>('internal', ['2026-01-01T00:00:00.000Z'])),
  endsAt: moment('internal'),
  ...times,
}

/** When visitors' mail went to one address, over all conversations of a tenant, in the last 24 hours. */
export type ChatMailAddress = RowOf<typeof addressFields>

export const chatMailAddresses = defineKind('chatMailAddresses', {
  idPrefix: null,
  fields: addressFields,
  erasure: { rows: 'kept' },
  quota: { unlimited: 'each is a mail that was sent, and ends after a day' },
  retention: { endsAt: 'endsAt' },
})
