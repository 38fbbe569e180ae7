import type { Readable } from 'node:stream'
import { type DoorPart, domainOf, Failure } from '@crmkit/core'
import type MailComposer from 'nodemailer/lib/mail-composer'
import type { Write } from '../../ports/change.ts'
import type { MailRelay, MailSettings } from '../../ports/mail-sender.ts'
import type { SecretBox } from '../../ports/secret-box.ts'
import { atFirstUse } from '../../shared/at-first-use.ts'
import { isoTime } from '../../shared/clock.ts'
import { escapeHtml } from '../../shared/escape-html.ts'
import type { MailSend } from '../../storage/kinds/mail-sends.ts'
import { giveUpMs } from './queue-reply.ts'

const composer = atFirstUse<typeof MailComposer>('nodemailer/lib/mail-composer')

/** A mail of the service itself, which is no message of a conversation. */
export type SystemMail = LinkMail | DoorMail | ExportMail

/** The conversation of a visitor of the chat widget, which the visitor has asked for. It is composed when it is sent. */
export interface TranscriptMail {
  purpose: 'transcript'
  to: string
  /** Messages after this moment are not in it. */
  until: string
  /** Whether the words of the visitor are in it too: the address is known to be theirs. */
  isConfirmed: boolean
}

/** Informs an admin that a door does not work. */
export interface DoorMail {
  purpose: 'doorFails'
  to: string
  part: DoorPart
  /** The name of the inbox or of the integration. */
  name: string
  reason: string
  since: string
  /** Null where the operator has set no address of the service. */
  link: string | null
}

/** Informs an owner that somebody takes all data of the tenant. */
interface ExportMail {
  purpose: 'tenantExported'
  to: string
  /** The owner who asked for it. */
  by: string
  at: string
  link: string | null
}

interface LinkMail {
  purpose: 'invitation' | 'passwordReset'
  to: string
  /** Holds a token, so it is stored sealed and never logged. */
  link: string
  /** The name of the person who invites; null without one. */
  invitedBy: string | null
}

interface NewSystemMail {
  _id: string
  tenantId: string
  now: string
  mail: SystemMail | TranscriptMail
  /** The conversation that it is about: its erasure ends the mail. */
  conversationId?: string
  /** The inbox whose server sends it; by default the relay does. */
  inboxId?: string
  /** No attempt is made after this moment; by default 48 hours. */
  giveUpAt?: string
}

/** Returns the write that sends a mail through the relay, in the same commit as whatever it is about. */
export function systemMailWrite(
  secrets: SecretBox,
  {
    _id,
    tenantId,
    now,
    mail,
    giveUpAt = isoTime(Date.parse(now) + giveUpMs),
    conversationId = '',
    inboxId = '',
  }: NewSystemMail,
): Write<'mailSends'> {
  const row: MailSend = {
    _id,
    tenantId,
    conversationId,
    inboxId,
    status: 'queued',
    dueAt: now,
    lockToken: null,
    tries: 0,
    sendAt: now,
    giveUpAt,
    references: [],
    quotedMessageId: null,
    systemMail: secrets.seal(JSON.stringify(mail), { tenantId, id: _id }),
    attempts: [],
    createdAt: now,
    updatedAt: now,
  }
  return { op: 'insert', kind: 'mailSends', row }
}

/** Returns what a system mail says; undefined for the mail of a message. */
export function openSystemMail(
  secrets: SecretBox,
  { _id: id, tenantId, systemMail }: Pick<MailSend, '_id' | 'tenantId' | 'systemMail'>,
): SystemMail | TranscriptMail | undefined {
  return systemMail === undefined ? undefined : JSON.parse(secrets.open(systemMail, { tenantId, id }))
}

/** Returns whether this installation can send mail with links to itself. */
export function sendsSystemMail({ relay, hasLinks }: MailSettings): boolean {
  return relay !== undefined && hasLinks
}

/** Throws SERVICE_UNAVAILABLE where no mail can be sent. */
export function assertSendsSystemMail({ relay, hasLinks }: MailSettings): void {
  if (relay === undefined)
    throw new Failure(
      'SERVICE_UNAVAILABLE',
      'This installation has no mail relay: its operator sets CRM_SMTP_URL',
    )
  if (!hasLinks)
    throw new Failure(
      'SERVICE_UNAVAILABLE',
      'This installation has no address for links in mail: its operator sets CRM_BASE_URL',
    )
}

/** The names of an installation's tenants are chosen by strangers: a blank keeps mail programs from making links of them. */
function withoutLinks(name: string): string {
  return name.replace(/([.:@/])(?=\S)/g, '$1 ')
}

interface Text {
  subject: string
  before: readonly string[]
  after: readonly string[]
}

function textOf(mail: SystemMail, tenantName: string): Text {
  if (mail.purpose === 'doorFails') return textOfDoor(mail, tenantName)
  if (mail.purpose === 'tenantExported') return textOfExport(mail, tenantName)
  const { purpose, to, invitedBy } = mail
  if (purpose === 'passwordReset')
    return {
      subject: 'Set a new password',
      before: [
        `Somebody asked for a new password for ${to}.`,
        'This link sets one. It works once, within 30 minutes, and ends all your sessions:',
      ],
      after: ['If it was not you, do nothing: your password stays as it is.'],
    }
  const tenant = withoutLinks(tenantName)
  const host = invitedBy === null ? 'You are invited' : `${withoutLinks(invitedBy)} invites you`
  return {
    subject: `Invitation to ${tenant}`,
    before: [
      `${host} to the customer support of ${tenant}.`,
      'This link accepts the invitation. It works once, within seven days:',
    ],
    after: ['If you do not expect an invitation, do nothing.'],
  }
}

const doorSentences: Readonly<Record<DoorPart, readonly [subject: string, meaning: string]>> = {
  receiving: ['Mail is not fetched', 'New mail of customers waits in the mailbox until this is mended.'],
  sending: ['Mail does not leave', 'Replies wait up to 48 hours, and are sent when this is mended.'],
  syncing: ['A source cannot be read', 'Changes of the source do not arrive until this is mended.'],
}

function textOfDoor({ part, name, reason, since }: DoorMail, tenantName: string): Text {
  const [subject, meaning] = doorSentences[part]
  return {
    subject: `${subject}: ${withoutLinks(name)}`,
    before: [
      `${withoutLinks(name)} of ${withoutLinks(tenantName)} does not work since ${shownTime(since)}.`,
      withoutLinks(reason),
      meaning,
    ],
    after: ['You get this mail as an admin, at most once a day for each inbox and source.'],
  }
}

function textOfExport({ by, at }: ExportMail, tenantName: string): Text {
  const tenant = withoutLinks(tenantName)
  return {
    subject: `All data of ${tenant} is exported`,
    before: [
      `${withoutLinks(by)} asked for an export of all data of ${tenant} at ${shownTime(at)}.`,
      'For seven days owners can download it.',
    ],
    after: ['If no owner did this, set a new password now: it ends all your sessions.'],
  }
}

function shownTime(at: string): string {
  return `${at.slice(0, 16).replace('T', ' ')} UTC`
}

interface Composed {
  id: string
  createdAt: string
  relay: MailRelay
  mail: SystemMail
  tenantName: string
}

/** Returns the mail; the same one at every attempt. */
export function composeSystemMail({ id, createdAt, relay, mail, tenantName }: Composed): Readable {
  const { subject, before, after } = textOf(mail, tenantName)
  const { to, link } = mail
  const paragraphs = (lines: readonly string[]) => lines.map((line) => `<p>${escapeHtml(line)}</p>`)
  const url = link === null ? null : escapeHtml(link)
  return new (composer())({
    disableFileAccess: true,
    disableUrlAccess: true,
    from: { address: relay.from, name: '' },
    to: { address: to, name: '' },
    subject,
    messageId: `<${id}@${domainOf(relay.from)}>`,
    date: new Date(createdAt),
    headers: { 'Auto-Submitted': 'auto-generated', 'X-Auto-Response-Suppress': 'All' },
    text: [...before, ...(link === null ? [] : [link]), ...after].join('\n\n'),
    html: [
      ...paragraphs(before),
      ...(url === null ? [] : [`<p><a href="${url}">${url}</a></p>`]),
      ...paragraphs(after),
    ].join('\n'),
    baseBoundary: id,
  })
    .compile()
    .createReadStream()
}
