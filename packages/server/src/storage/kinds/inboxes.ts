import { createHash } from 'node:crypto'
import type { Inbox } from '@crmkit/core'
import { normalizeEmail } from '@crmkit/core/vocabulary'
import { computed, defineKindOf } from './define-kind.ts'
import {
  because,
  flag,
  json,
  nullableMoment,
  nullableText,
  optional,
  sealed,
  tenantRow,
  text,
  times,
  word,
} from './fields.ts'

export interface EarlierSignature {
  signature: string
  endedAt: string
}

type Widget = Inbox['widget']
type AddedToWidget = 'showTeam' | 'texts' | 'askEmail' | 'replyByMail'

export interface InboxRecord extends Omit<Inbox, 'autoAssign' | 'email' | 'sending' | 'widget'> {
  /** These settings are absent in rows of earlier versions. */
  widget: Omit<Widget, AddedToWidget> & Partial<Pick<Widget, AddedToWidget>>
  /** `onlyOnline` is absent in rows of earlier versions: whoever was assigned work then is assigned work now. */
  autoAssign: Omit<Inbox['autoAssign'], 'onlyOnline'> & Partial<Pick<Inbox['autoAssign'], 'onlyOnline'>>
  /** Absent in rows of earlier versions. `earlierSignatures`: the last ones, the oldest first; people still quote mails with them. */
  email?: Inbox['email'] & { earlierSignatures?: readonly EarlierSignature[] }
  /** Absent before the first rest; `releasedAt`: when somebody released its mail last. */
  sending?: Inbox['sending'] & { releasedAt?: string }
  /** When a page loaded its widget, and the origin of the page: `2026-01-31T12:00:00.000Z https://shop.example`. Absent before the first. */
  widgetSeen?: string
  /** AES-256-GCM of the widget's identity secrets, bound to tenant and inbox id; absent before the first. */
  sealed?: string
  /** AES-256-GCM of the secrets of its e-mail; absent without any. Read and written by `mail-secrets.ts` alone. */
  mailSecrets?: string | null
  /** SHA-256 of the token of its inbound address, and of the one before it until `previousInboundTokenEndsAt`. */
  inboundTokenHash?: string
  previousInboundTokenHash?: string | null
  previousInboundTokenEndsAt?: string | null
  /** The token for events is signed with its number, and so is the one before it until `previousEndsAt`. */
  eventsToken?: { number: number; previousEndsAt: string | null } | null
  /** The last look at its mailbox; absent before the first. */
  mailboxVisit?: MailboxVisit
}

export interface MailboxVisit {
  /** The settings that it was for: with other ones the mailbox is due immediately. */
  of: string
  /** When somebody has to look again. */
  dueAt: string
  /** Looks in a row that failed. */
  failures: number
}

/** The identity secrets of the same inbox have the inbox's id alone, so neither can stand in for the other. */
export function mailSecretsId(inboxId: string): string {
  return `${inboxId}:mail`
}

/**
 * The key by which the inboxes with a mailbox to read are found, each once and in one order; null for every other. The
 * password or the grant decides too, because without either there is nothing to sign in with.
 */
export function imapMailboxOf({ _id, tenantId, isActive, email }: InboxRecord): string | null {
  const { imap, oauth, hasImapPassword } = email ?? {}
  const maySignIn = imap?.auth === 'oauth' ? Boolean(oauth) : hasImapPassword
  return isActive && imap?.enabled && maySignIn ? `${tenantId} ${_id}` : null
}

/** Changes with every setting for which the connection to the mailbox has to be made anew. */
export function settingsOfMailbox({ email, mailSecrets }: InboxRecord): string {
  const { status: _status, ...imap } = email?.imap ?? { status: null }
  return createHash('sha256')
    .update(JSON.stringify([imap, mailSecrets ?? null, email?.oauth ?? null]))
    .digest('base64url')
}

/** Returns the last look that was for the present settings. */
export function visitOf(inbox: InboxRecord): MailboxVisit | undefined {
  const { mailboxVisit } = inbox
  return mailboxVisit?.of === settingsOfMailbox(inbox) ? mailboxVisit : undefined
}

const beforeAll = '1970-01-01T00:00:00.000Z'

/** When the mailbox is to be read, before its key: a time, and no two mailboxes have the same text. Null for no mailbox. */
export function mailboxDueOf(inbox: InboxRecord): string | null {
  const key = imapMailboxOf(inbox)
  return key && `${visitOf(inbox)?.dueAt ?? beforeAll} ${key}`
}

export const inboxes = defineKindOf<InboxRecord>()('inboxes', {
  idPrefix: 'inb',
  fields: {
    ...tenantRow,
    name: because('it says the purpose of the inbox', text('plain')),
    channel: word('plain'),
    isActive: flag('plain'),
    isDefault: flag('plain'),
    members: json('id'),
    autoAssign: because('how the inbox chooses among ids of users', json('plain')),
    widget: because('looks and texts of a widget, which an organization writes for everybody', json('plain')),
    widgetSeen: because('a page of the organization', optional(text('plain'))),
    sealed: optional(sealed(text('secret'))),
    email: because('the address of a team', optional(json('plain'))),
    sending: because('counts of reports, and times', optional(json('plain'))),
    mailSecrets: optional(sealed(nullableText('secret'), mailSecretsId)),
    inboundTokenHash: optional(text('secret')),
    previousInboundTokenHash: optional(nullableText('secret')),
    previousInboundTokenEndsAt: optional(nullableMoment('internal')),
    eventsToken: because(
      'a number and a time',
      optional(json('internal', { number: 1, previousEndsAt: null })),
    ),
    mailboxVisit: because('a hash of settings, a time and a count', optional(json('internal'))),
    ...times,
  },
  computed: {
    widgetKey: computed.nullableText(({ widget }: InboxRecord) => widget?.publicKey ?? null),
    inboundToken: computed.nullableText(({ inboundTokenHash }: InboxRecord) => inboundTokenHash ?? null),
    previousInboundToken: computed.nullableText(
      ({ previousInboundTokenHash }: InboxRecord) => previousInboundTokenHash ?? null,
    ),
    emailAddress: computed.nullableText(({ email }: InboxRecord) =>
      email?.address ? normalizeEmail(email.address) : null,
    ),
    provenAddress: computed.nullableText(({ email }: InboxRecord) =>
      email?.address && email.domainProvenAt ? normalizeEmail(email.address) : null,
    ),
    imapMailbox: computed.nullableText(imapMailboxOf),
    mailboxDue: computed.nullableText(mailboxDueOf),
  },
  list: { orders: { '-createdAt': { by: 'createdAt', isDescending: true, index: 'created' } } },
  // A visitor's browser knows the public key alone, and a mail the address.
  acrossTenants: {
    widgetKeys: { columns: ['widgetKey'], isUnique: true },
    emailAddresses: { columns: ['emailAddress'] },
    // Anybody may enter an address: it is theirs alone who have proven its domain.
    provenAddresses: { columns: ['provenAddress'], isUnique: true },
    inboundTokens: { columns: ['inboundToken'], isUnique: true },
    previousInboundTokens: { columns: ['previousInboundToken'], isUnique: true },
    imapMailboxes: { columns: ['imapMailbox'] },
    dueMailboxes: { columns: ['mailboxDue'] },
  },
  erasure: { rows: 'kept' },
  quota: { rows: 1_000 },
  retention: 'permanent',
})
