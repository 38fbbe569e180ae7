import {
  type DomainEvent,
  type IdFactory,
  type Message,
  normalizeEmail,
  type SuppressedAddress,
  shownMessage,
  statusOfRecipients,
} from '@crmkit/core'
import { customerGuard } from '../../features/conversations/conversation-references.ts'
import type { Write } from '../../ports/change.ts'
import { messageStatusChange } from '../../shared/message-status-change.ts'
import { ownerOfAddress } from '../../shared/people-of-address.ts'
import { type Stored, withoutVersion } from '../../storage/records.ts'
import { suppressedAmong } from '../addresses/suppressed-among.ts'
import { chatRecipientsChange } from '../out/chat-mail-result.ts'
import type { BouncedRecipient, BounceFacts } from '../parse/mail-facts.ts'
import { signedConversations, type ThreadQuery } from './find-thread.ts'
import { restWrites } from './rest-inbox.ts'

/** The newest messages of a conversation among which the one of a report is searched. */
const messagesMax = 100
/** The address does not exist, or is disabled. Every other code may be about the mail, or about today. */
const isHard = /^5\.(?:1\.\d{1,3}|2\.1)$/

type ReportedMail = Pick<ThreadQuery, 'store' | 'tags' | 'inbox' | 'mail' | 'facts' | 'domain'> & {
  ids: IdFactory
  bounce: BounceFacts
  now: string
}

type ReportParts = Pick<ReportedMail, 'store' | 'ids' | 'now'>

export interface PlannedBounce {
  writes: Write[]
  events: DomainEvent[]
  conversationId: string
  messageId: string
  /** Whether a recipient of the message is meant. */
  isAbout: boolean
}

/**
 * Returns the change of a report about a mail of ours. It names our signed Message-ID, or came to a signed address, and it is
 * about a recipient of that mail. Undefined for any other report, which is an ordinary mail, so that nobody can
 * suppress the address of a stranger.
 */
export async function planBounce(reported: ReportedMail): Promise<PlannedBounce | undefined> {
  const { bounce } = reported
  const reports = new Map(
    bounce.recipients.flatMap((recipient) => {
      const { address, originalAddress } = recipient
      return [address, originalAddress ?? address].map((each) => [each, recipient] as const)
    }),
  )
  const row = await findReportedMessage(reported, reports)
  if (row === undefined) return undefined
  return reportChange(reported, row, reports)
}

/** Returns the change of reports about recipients of a message, by their addresses in normal form. */
export async function reportChange(
  parts: ReportParts,
  row: Stored<Message>,
  reports: Reports,
): Promise<PlannedBounce> {
  const { store, ids, now } = parts
  const before = shownMessage(withoutVersion(row))
  const recipients = before.recipients.map((recipient) => {
    const report = reports.get(normalizeEmail(recipient.address))
    return report === undefined ? recipient : { ...recipient, ...progressOf(recipient, report, now) }
  })
  // The chat has its message, whatever became of the mail about it.
  const isChat = before.via === 'chat'
  const status = isChat ? before.status : statusAfter(before.status, statusOfRecipients(recipients))
  const set = { recipients, status, updatedAt: now }
  const message: Message = { ...before, ...set }
  const isAbout = recipients.some(({ address }) => reports.has(normalizeEmail(address)))
  const isChanged = JSON.stringify(recipients) !== JSON.stringify(before.recipients)
  const noted =
    status === before.status
      ? { writes: [], events: [] }
      : await messageStatusChange({ store, ids, now }, { before, message })
  if (isChat)
    noted.events.push(...(await chatRecipientsChange({ store, ids, now }, [row], () => recipients)).events)
  const update: Write = { op: 'update', kind: 'messages', id: row._id, expectVersion: row.version, set }
  const rest = isChanged ? await restWrites(parts, message) : []
  const suppressions = await suppressionWrites(parts, message, reports)
  const writes = [...(isChanged ? [update] : []), ...noted.writes, ...suppressions, ...rest]
  return {
    writes,
    events: noted.events,
    conversationId: before.conversationId,
    messageId: before._id,
    isAbout,
  }
}

/** A person, or the tenant's own system, may have noted more: that the mail was read, or has arrived. */
function statusAfter(before: Message['status'], reported: Message['status']): Message['status'] {
  if (before === 'read' || before === 'failed') return before
  if (before === 'delivered' && reported === 'sent') return before
  return reported
}

type Reports = ReadonlyMap<string, BouncedRecipient>

const dayMs = 24 * 3_600_000
/** Servers give up after so long: a sentence that names no mail is about none that is older. */
const sentenceDaysMax = 5

function isYoungEnough({ createdAt }: Pick<Message, 'createdAt'>, { bounce, now }: ReportedMail): boolean {
  return bounce.form !== 'text' || Date.parse(now) - Date.parse(createdAt) <= sentenceDaysMax * dayMs
}

async function findReportedMessage(
  reported: ReportedMail,
  reports: Reports,
): Promise<Stored<Message> | undefined> {
  const { store, tags, bounce, ...mail } = reported
  const isReported = ({ recipients = [] }: Partial<Pick<Message, 'recipients'>>) =>
    recipients.some(({ address }) => reports.has(normalizeEmail(address)))
  const id = bounce.returnedMessageId ?? ''
  const messageId = tags?.messageOf(id.slice(0, Math.max(0, id.lastIndexOf('@'))))
  const named = messageId === undefined ? undefined : await store.messages.find(messageId)
  const signed = signedConversations({ tags, ...mail })
  // Anybody who got a mail knows its id, and can write a sentence: that has to come to the address of the conversation.
  const isProven = bounce.form !== 'text' || signed.includes(named?.conversationId ?? '')
  if (named && isProven && isReported(named)) return shownMessage(named)
  for (const conversationId of signed) {
    const { rows } = await store.messages.listRows({
      conversationId,
      sort: '-createdAt',
      page: 1,
      limit: messagesMax,
    })
    const found = rows.find((row) => isReported(row) && isYoungEnough(row, reported))
    if (found) return shownMessage(found)
  }
  return undefined
}

/** A delayed mail may still arrive: only the sentence of the report is noted. */
function progressOf(
  before: Message['recipients'][number],
  { action, status, text }: BouncedRecipient,
  now: string,
): Partial<Message['recipients'][number]> {
  if (action === 'delivered')
    return before.status === 'queued' || before.status === 'sent' ? { status: 'delivered' } : {}
  if (action === 'complaint') return { complainedAt: before.complainedAt ?? now }
  const isSaid = status !== null && text?.startsWith(status)
  const sentence = (isSaid ? text : [status, text].filter(Boolean).join(' ')) || before.text
  if (action === 'suppressed' && before.status !== 'failed') return { status: 'suppressed', text: sentence }
  if (action !== 'failed' || before.status === 'suppressed') return { text: sentence }
  return { status: 'failed', text: sentence, bouncedAt: before.bouncedAt ?? now }
}

async function suppressionWrites(
  { store, ids, now }: ReportParts,
  message: Message,
  reports: Reports,
): Promise<Write[]> {
  const hard = message.recipients.flatMap(({ address }) => {
    const report = reports.get(normalizeEmail(address))
    const isFinal = report?.action === 'failed' && isHard.test(report.status ?? '')
    return report && (isFinal || report.action === 'complaint')
      ? [[normalizeEmail(address), report] as const]
      : []
  })
  const addresses = [...new Map(hard)].map(([address, { status, text }]) => ({ address, status, text }))
  const known = await suppressedAmong(
    store,
    addresses.map(({ address }) => address),
  )
  const writes = addresses.map(async ({ address, status, text }): Promise<Write[]> => {
    if (known.has(address)) return []
    const owner = await ownerOfAddress(store, address)
    const row: SuppressedAddress = {
      _id: ids.next('sup'),
      tenantId: message.tenantId,
      address,
      status: status ?? '',
      text,
      messageId: message._id,
      customerId: owner?._id ?? null,
      createdAt: now,
      updatedAt: now,
    }
    return [{ op: 'insert', kind: 'suppressedAddresses', row }, ...customerGuard(row.customerId)]
  })
  return (await Promise.all(writes)).flat()
}
