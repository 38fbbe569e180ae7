import { attachmentDueAt } from '../sort-keys.ts'
import { computed, defineKindOf } from './define-kind.ts'
import {
  because,
  moment,
  nullableMoment,
  nullableReference,
  number,
  optional,
  reference,
  tenantRow,
  text,
  times,
  word,
} from './fields.ts'

/** A file. Its bytes are in the attachment store, and never without this row. */
export interface AttachmentRecord {
  _id: string
  tenantId: string
  /** `uploading`: a part of the bytes may be stored, and no operation reads them. */
  state: 'uploading' | 'stored'
  filename: string
  /** The type that it is served with. */
  contentType: string
  size: number
  /** Hex, of the bytes; empty while they arrive. */
  sha256: string
  /** The one message that carries it; null: none yet. */
  messageId: string | null
  /** The draft that holds it, so that no message and no other draft takes it; null or absent: none. */
  draftId?: string | null
  /** The integration whose import reads it; absent for a file of messages. No message can carry it. */
  integrationId?: string
  /** The mail whose bytes it is, as it arrived; absent for every other file. No operation of attachments shows it. */
  inboundMailId?: string
  /** When a file of an import is removed; absent of one that an earlier version took. */
  keptUntil?: string
  /** The widget session that uploaded it; absent for an upload of the team. */
  widgetSessionId?: string
  /** It is hidden from then on; the row is deleted as soon as its bytes are. */
  erasedAt: string | null
  createdAt: string
  updatedAt: string
}

/** The fields that stay of an attachment until its bytes are removed. It has no owner then. */
export function erasedAttachment(at: string) {
  const empty = { filename: '', contentType: 'application/octet-stream', size: 0, sha256: '' }
  return { ...empty, messageId: null, draftId: null, erasedAt: at }
}

export const attachments = defineKindOf<AttachmentRecord>()('attachments', {
  idPrefix: 'att',
  fields: {
    ...tenantRow,
    state: word('internal'),
    filename: text('both'),
    contentType: because('the type of the bytes, which the service detects', text('plain')),
    size: number('plain'),
    sha256: text('secret'),
    messageId: nullableReference('messages'),
    draftId: optional(nullableReference('drafts')),
    integrationId: optional(reference('integrations')),
    inboundMailId: optional(because('an id of a mail', text('internal'))),
    keptUntil: optional(moment('internal')),
    widgetSessionId: optional(because('an id of a session that ends within days', text('internal'))),
    erasedAt: nullableMoment('internal'),
    ...times,
  },
  computed: { dueAt: computed.nullableText(attachmentDueAt) },
  owners: { messages: 'messageId', drafts: 'draftId' },
  lookups: {
    message: { columns: ['messageId'], onlySet: true },
    draft: { columns: ['draftId'], onlySet: true },
  },
  acrossTenants: { dueAttachments: { columns: ['dueAt'] } },
  // The row stays until its bytes are removed: it is how they are found.
  erasure: { rows: 'deleted', leftover: erasedAttachment },
  // Mails of strangers and files of imports take none of the space of the team.
  quota: {
    rows: 5_000_000,
    bytes: [
      { name: 'attachmentBytes', field: 'size', limit: 10 * 1024 ** 3 },
      { name: 'inboundMailBytes', field: 'size', limit: 10 * 1024 ** 3, having: 'inboundMailId' },
      { name: 'importFileBytes', field: 'size', limit: 5 * 1024 ** 3, having: 'integrationId' },
      // A twentieth of `attachmentBytes`.
      { name: 'visitorFileBytes', field: 'size', limit: 512 * 1024 ** 2, having: 'widgetSessionId' },
    ],
  },
  retention: 'permanent',
})
