import type { InboundMail } from '@crmkit/core'
import { normalizeEmail } from '@crmkit/core/vocabulary'
import { computed, defineKindOf } from './define-kind.ts'
import {
  because,
  json,
  moment,
  nullableMoment,
  nullableReference,
  nullableText,
  number,
  optional,
  reference,
  tenantRow,
  text,
  times,
  word,
} from './fields.ts'

/** A mail that arrived. Its bytes are those of an attachment, which no other operation shows. */
export interface InboundMailRecord extends Omit<InboundMail, 'duplicateOf'> {
  /** A row of an earlier version has none. */
  duplicateOf?: string | null
  attachmentId: string
  /** The same for the same mail of the same inbox. */
  dedupKey: string
  /** SHA-256 of the body, in hex. A row of an earlier version has none. */
  bodyHash?: string
  /** When it is processed; null: it waits for nothing. */
  dueAt: string | null
  /** Failures that were not the mail's. */
  tries: number
}

/**
 * Returns the sender of a mail that no conversation holds, so that it is found with its customer. An empty envelope is that of
 * a report, and names nobody.
 */
export function unlinkedSenderOf({ conversationId, from, envelope }: InboundMailRecord): string | null {
  const sender = from || envelope.from
  return conversationId === null && sender ? normalizeEmail(sender) : null
}

/** Returns the queue in which a mail waits, that of its inbox; those of a tenant are next to each other. */
function mailQueueOf({
  tenantId,
  inboxId,
  dueAt,
}: Pick<InboundMailRecord, 'tenantId' | 'inboxId' | 'dueAt'>): string | null {
  return dueAt === null ? null : `${tenantId} ${inboxId}`
}

export const inboundMails = defineKindOf<InboundMailRecord>()('inboundMails', {
  idPrefix: 'mail',
  fields: {
    ...tenantRow,
    inboxId: reference('inboxes'),
    door: word('plain'),
    status: word('plain'),
    reason: because('a word of a short list, such as duplicate', nullableText('plain')),
    envelope: json('customer', { from: 'ada@example.com', to: ['help@example.com'] }),
    from: nullableText('customer'),
    subject: nullableText('customer'),
    rfcMessageId: nullableText('customer'),
    sizeBytes: number('plain'),
    conversationId: nullableReference('conversations'),
    messageId: nullableReference('messages'),
    error: because('a sentence of the service', nullableText('plain')),
    receivedAt: moment('plain'),
    processedAt: nullableMoment('plain'),
    rawDeletedAt: nullableMoment('plain'),
    attachmentId: because('an id of a file', text('internal')),
    dedupKey: text('secret'),
    bodyHash: optional(text('secret')),
    duplicateOf: optional(nullableReference('inboundMails')),
    dueAt: nullableMoment('internal'),
    tries: number('internal'),
    ...times,
  },
  computed: {
    threadKey: computed.nullableText(({ conversationId, rfcMessageId, status }: InboundMailRecord) =>
      status === 'processed' && conversationId !== null && rfcMessageId !== null
        ? `${conversationId} ${rfcMessageId}`
        : null,
    ),
    unlinkedSender: computed.nullableText(unlinkedSenderOf),
    mailQueue: computed.nullableText(mailQueueOf),
  },
  owners: { conversations: 'conversationId', messages: 'messageId' },
  // A mail that arrives twice is stored once, and a conversation holds one Message-ID once.
  unique: { dedupKey: ['dedupKey'], threadKey: ['threadKey'] },
  list: {
    filters: {
      status: { matches: 'status', index: 'status' },
      inboxId: { matches: 'inboxId', index: 'inbox' },
      dedupKey: { matches: 'dedupKey', index: 'identity' },
      unlinkedSender: { matches: 'unlinkedSender', index: 'sender', onlySet: true },
      rfcMessageId: { matches: 'rfcMessageId', index: 'thread', onlySet: true },
    },
    orders: {
      '-createdAt': { by: 'createdAt', isDescending: true, index: 'created' },
      createdAt: { by: 'createdAt', isDescending: false, index: 'created' },
    },
  },
  lookups: {
    conversation: { columns: ['conversationId'], onlySet: true },
    message: { columns: ['messageId'], onlySet: true },
  },
  acrossTenants: { dueMails: { columns: ['mailQueue', 'dueAt'] } },
  erasure: { rows: 'deleted' },
  quota: { unlimited: 'mail that arrives cannot be refused; its bytes are deleted after 90 days' },
  retention: 'permanent',
})
