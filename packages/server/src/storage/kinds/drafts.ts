import type { Attachment, StoredDraft } from '@crmkit/core'
import { defineKindOf } from './define-kind.ts'
import {
  flag,
  json,
  nullableMoment,
  nullableNumber,
  nullableText,
  number,
  optional,
  reference,
  tenantRow,
  text,
  times,
} from './fields.ts'

/** A row for tests. */
const sampleFile: Attachment = {
  _id: 'att_1',
  filename: 'lamp.txt',
  contentType: 'text/plain',
  size: 6,
  url: '/api/v1/attachments/att_1',
}

/** A message that is not sent yet. */
export const drafts = defineKindOf<StoredDraft>()('drafts', {
  idPrefix: 'drf',
  fields: {
    ...tenantRow,
    conversationId: reference('conversations'),
    author: json('user', { type: 'user', _id: 'usr_1', name: 'Ada' }),
    authorId: text('id'),
    type: text('plain'),
    content: text('both'),
    contentType: text('plain'),
    attachments: json('both', [sampleFile]),
    to: json('customer', ['ada@example.com']),
    cc: json('customer', ['ada@example.com']),
    bcc: json('customer', ['ada@example.com']),
    basis: optional(
      json('customer', { door: 'email', from: 'help@example.com', customerEmail: 'ada@example.com' }),
    ),
    filled: optional(json('internal', ['to', 'cc'])),
    sendAt: nullableMoment('plain'),
    sendUnlessReplied: flag('plain'),
    ifSeq: optional(nullableNumber('plain')),
    sendError: nullableText('plain'),
    seenSeq: number('internal'),
    dueAt: nullableMoment('internal'),
    ...times,
  },
  owners: { conversations: 'conversationId' },
  unique: { authorId: ['conversationId', 'authorId'] },
  list: {
    filters: {
      conversationId: { matches: 'conversationId', index: 'created' },
      authorId: { matches: 'authorId', index: 'authored' },
    },
    orders: { createdAt: { by: 'createdAt', isDescending: false } },
    needsOneOf: ['conversationId', 'authorId'],
  },
  acrossTenants: { dueDrafts: { columns: ['dueAt'] } },
  erasure: { rows: 'deleted' },
  quota: { rows: 1_000_000 },
  retention: 'permanent',
})
