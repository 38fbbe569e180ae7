import type { InboundMail } from '@crmkit/core'
import { duplicateNeedsYouDays, normalizeEmail } from '@crmkit/core/vocabulary'
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
  /** A person has asked for a conversation of the mail: `conversationId` is it. Absent for every other mail. */
  made?: MadeOfMail | null
  /** The newest Message-IDs of its References, the oldest first, for replies to it. Absent before it is read. */
  references?: string[]
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

export interface MadeOfMail {
  /** The conversation has begun for this mail, and waits for it. */
  isNew: boolean
  /** The person has named the sender, whose address is the mail's `from`. */
  isSenderGiven: boolean
  senderName: string | null
}

const dayMs = 24 * 3_600_000
const always = '9999-12-31T23:59:59.999Z'

/** Returns until when a mail needs a person; null for one that needs none. */
export function needsYouUntil({
  status,
  reason,
  duplicateOf,
  receivedAt,
}: Pick<InboundMailRecord, 'status' | 'reason' | 'duplicateOf' | 'receivedAt'>): string | null {
  if (status === 'parked') return always
  if (status !== 'ignored' || reason !== 'duplicate' || !duplicateOf) return null
  return new Date(Date.parse(receivedAt) + duplicateNeedsYouDays * dayMs).toISOString()
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
    references: optional(json('customer', ['1@example.com'])),
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
    made: optional(json('customer', { isNew: true, isSenderGiven: true, senderName: 'Ada Lovelace' })),
    dueAt: nullableMoment('internal'),
    tries: number('internal'),
    ...times,
  },
  computed: {
    threadKey: computed.nullableText(
      ({ conversationId, rfcMessageId, status, duplicateOf = null }: InboundMailRecord) =>
        status === 'processed' && conversationId !== null && rfcMessageId !== null && duplicateOf === null
          ? `${conversationId} ${rfcMessageId}`
          : null,
    ),
    needsYou: computed.nullableText((mail: InboundMailRecord) => needsYouUntil(mail) && 'yes'),
    needsYouUntil: computed.nullableText(needsYouUntil),
    unlinkedSender: computed.nullableText(unlinkedSenderOf),
    mailQueue: computed.nullableText(mailQueueOf),
  },
  owners: { conversations: 'conversationId', messages: 'messageId' },
  // A mail that arrives twice is stored once. A conversation holds one Message-ID once, but for copies that a person adds.
  unique: { dedupKey: ['dedupKey'], threadKey: ['threadKey'] },
  list: {
    filters: {
      ids: { ids: true },
      status: { matches: 'status', index: 'status' },
      inboxId: { matches: 'inboxId', index: 'inbox' },
      reason: { matches: 'reason', index: 'reason', onlySet: true },
      needsYou: { matches: 'needsYou', index: 'needsYou', onlySet: true, alsoHolds: ['needsYouUntil'] },
      needsYouAt: { since: 'needsYouUntil' },
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
