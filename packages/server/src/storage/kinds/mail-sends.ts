import type { MailAttempt } from '@crmkit/core'
import { computed, defineKindOf } from './define-kind.ts'
import {
  because,
  flag,
  json,
  moment,
  nullableMoment,
  nullableReference,
  nullableText,
  number,
  optional,
  reference,
  sealed,
  tenantRow,
  text,
  times,
  word,
} from './fields.ts'

/** The sending of one message by e-mail, which has the id of the message; or of one system mail. */
export interface MailSend {
  _id: string
  tenantId: string
  /** Empty for a system mail. */
  conversationId: string
  /** Empty for a system mail: those of a tenant are one queue. */
  inboxId: string
  status: 'queued' | 'done'
  /** Since when the customer had waited before this reply, and the `seq` that it gave; absent in rows of before. */
  waitedSince?: string | null
  waitedSeq?: number
  /** The next attempt, or the end of the lease of the running one; null when no attempt follows. */
  dueAt: string | null
  /** The running attempt; null between attempts. */
  lockToken: string | null
  /** Attempts that the server has answered with a temporary refusal. */
  tries: number
  /** From this moment on the mail cannot be taken back. */
  sendAt: string
  /** No attempt is planned after this moment. */
  giveUpAt: string
  /** Message-IDs of the mails before it, the oldest first. */
  references: string[]
  /** The message that is quoted below. */
  quotedMessageId: string | null
  /** The server and the id that it gave the mail (`remoteKeyOf`); absent before a server has accepted it with one. */
  remoteKey?: string | null
  /** Of a mail to a visitor of the chat widget: the messages that it holds, the oldest first. Its id is the last one's. */
  chatMessageIds?: string[]
  /** Whether the visitor has replied from the address, or the page has signed it: then the mail names the conversation. */
  isConfirmed?: boolean
  /** The text and the recipient of a system mail, sealed, because it may hold a token; absent for a message. */
  systemMail?: string
  /** The latest ones, the oldest first. */
  attempts: MailAttempt[]
  createdAt: string
  updatedAt: string
}

/** The server of a mail and the id that it gave: ids of the relay and those of the servers of inboxes do not meet. */
export function remoteKeyOf(server: 'relay' | { inboxId: string }, remoteId: string): string {
  return `${server === 'relay' ? server : server.inboxId} ${remoteId}`
}

/** A row for tests. */
const sampleAttempt: MailAttempt = {
  attempt: 1,
  at: '2026-01-01T00:00:00.000Z',
  outcome: 'failed',
  code: 550,
  response: 'No such mailbox',
  recipients: ['ada@example.com'],
  host: 'mail.example.com',
  durationMs: 12,
}

export const mailSends = defineKindOf<MailSend>()('mailSends', {
  idPrefix: null,
  fields: {
    ...tenantRow,
    conversationId: reference('conversations'),
    inboxId: reference('inboxes'),
    status: word('plain'),
    dueAt: nullableMoment('internal'),
    waitedSince: optional(nullableMoment('plain')),
    waitedSeq: optional(number('internal')),
    lockToken: because('a random text of a process', nullableText('internal')),
    tries: number('internal'),
    sendAt: moment('plain'),
    giveUpAt: moment('plain'),
    references: json('customer', ['1@example.com']),
    quotedMessageId: nullableReference('messages'),
    chatMessageIds: optional(because('ids of messages', json('id', ['msg_1']))),
    isConfirmed: optional(flag('internal')),
    systemMail: optional(sealed(text('secret'))),
    remoteKey: because('an id of a mail server', optional(nullableText('internal'))),
    attempts: json('customer', [sampleAttempt]),
    ...times,
  },
  computed: {
    queuedInboxId: computed.nullableText(({ status, inboxId, tenantId }: MailSend) =>
      status === 'queued' ? inboxId || tenantId : null,
    ),
  },
  owners: { conversations: 'conversationId' },
  lookups: { conversation: { columns: ['conversationId'] } },
  list: {
    filters: { remoteKey: { matches: 'remoteKey', index: 'remote', onlySet: true } },
    orders: { '-createdAt': { by: 'createdAt', isDescending: true } },
    needsOneOf: ['remoteKey'],
  },
  acrossTenants: {
    dueMailSends: { columns: ['queuedInboxId', 'dueAt'] },
    // The events of the relay name mails of all tenants.
    remoteSends: { columns: ['remoteKey'] },
  },
  erasure: { rows: 'deleted' },
  quota: {
    unlimited:
      'each is a message or an invitation, and both are limited; a reset is one row for each address',
  },
  retention: 'permanent',
})
