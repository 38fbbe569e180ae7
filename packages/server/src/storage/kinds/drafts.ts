import type { Attachment, StoredDraft } from '@crmkit/core'
import { computed, defineKindOf } from './define-kind.ts'
import {
  because,
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
  word,
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
    type: word('plain'),
    content: text('both'),
    contentType: word('plain'),
    attachments: json('both', [sampleFile]),
    to: json('customer', ['ada@example.com']),
    cc: json('customer', ['ada@example.com']),
    bcc: json('customer', ['ada@example.com']),
    basis: optional(
      json('customer', { door: 'email', from: 'help@example.com', customerEmail: 'ada@example.com' }),
    ),
    filled: optional(because('names of fields, never their values', json('internal', ['to', 'cc']))),
    sendAt: nullableMoment('plain'),
    sendUnlessReplied: flag('plain'),
    ifSeq: optional(nullableNumber('plain')),
    basedOn: optional(nullableText('id')),
    basedOnAuthor: optional(json('id', { type: 'api', _id: 'key_1' })),
    sendError: because('a code of the service', nullableText('plain')),
    seenSeq: number('internal'),
    dueAt: nullableMoment('internal'),
    ...times,
  },
  computed: {
    /** The customer's address for which its recipients were chosen. */
    basisEmail: computed.nullableText(({ basis }: StoredDraft) => basis?.customerEmail ?? null),
    /** The author of a draft that was to be sent and was not. */
    unsentOf: computed.nullableText(({ sendError, authorId }: StoredDraft) =>
      sendError === null ? null : authorId,
    ),
    /** The author of a draft that the service is to send. */
    plannedOf: computed.nullableText(({ sendAt, authorId }: StoredDraft) =>
      sendAt === null ? null : authorId,
    ),
  },
  owners: { conversations: 'conversationId' },
  unique: { authorId: ['conversationId', 'authorId'] },
  list: {
    filters: {
      conversationId: { matches: 'conversationId', index: 'created' },
      authorId: { matches: 'authorId', index: 'authored' },
      basisEmail: { matches: 'basisEmail', index: 'basis', onlySet: true },
      unsentOf: { matches: 'unsentOf', index: 'unsent', onlySet: true, sortedBy: 'updatedAt' },
      plannedOf: { matches: 'plannedOf', index: 'planned', onlySet: true, sortedBy: 'updatedAt' },
    },
    orders: {
      createdAt: { by: 'createdAt', isDescending: false },
      '-updatedAt': { by: 'updatedAt', isDescending: true },
    },
    needsOneOf: ['conversationId', 'authorId', 'basisEmail', 'unsentOf', 'plannedOf'],
  },
  acrossTenants: { dueDrafts: { columns: ['dueAt'] } },
  erasure: { rows: 'deleted' },
  quota: { rows: 1_000_000 },
  retention: 'permanent',
})
