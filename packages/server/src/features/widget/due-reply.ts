import { type MessageRecipient, noEmailSettings, type StoredMessage } from '@crmkit/core'
import type { JobParts } from '../../jobs/background-job.ts'
import { findMailTags } from '../../mail/addresses/mail-key.ts'
import { suppressedAmong } from '../../mail/addresses/suppressed-among.ts'
import { chatRecipientsChange } from '../../mail/out/chat-mail-result.ts'
import { isOutboundLimit, recipientWrites } from '../../mail/out/outbound-budget.ts'
import { awayMs } from '../../mail/out/plan-chat-mail.ts'
import { giveUpMs } from '../../mail/out/queue-reply.ts'
import { addressMark } from '../../mail/out/stop-link.ts'
import type { Change } from '../../ports/change.ts'
import type { TenantReads } from '../../ports/storage.ts'
import { isoTime } from '../../shared/clock.ts'
import { isBlockedCustomer } from '../../shared/is-blocked-address.ts'
import { completeWidget } from '../../shared/widget-page.ts'
import type { ChatMails } from '../../storage/kinds/chat-mails.ts'
import type { ConversationRecord } from '../../storage/kinds/conversations.ts'
import type { CustomerRecord } from '../../storage/kinds/customers.ts'
import type { InboxRecord } from '../../storage/kinds/inboxes.ts'
import type { MailSend } from '../../storage/kinds/mail-sends.ts'
import type { TenantLimits } from '../../storage/kinds/tenants.ts'
import type { Stored } from '../../storage/records.ts'
import { addressUsesOf } from '../../storage/rules/address-uses.ts'
import { addressCaps, allowedAtMs, conversationCaps, withMoment } from './chat-mail-rules.ts'
import { addressWrite, contactOfVisitor, hasRepliedFrom } from './visitor-mail.ts'

const repliesMax = 20
/** The newest messages of a conversation among which unread replies are looked for. */
const messagesMax = 100
/** An inbox without a transport, or a budget that is spent: somebody has to change it first. */
const laterMs = 3_600_000

export type DueParts = Pick<JobParts, 'ids' | 'secrets' | 'mail'> & {
  store: TenantReads
  tenantLimits: TenantLimits | undefined
  nowMs: number
}

/** The rows that decide about the mail of a conversation. */
interface Facts {
  row: Stored<ChatMails>
  conversation: Stored<ConversationRecord>
  customer: Stored<CustomerRecord>
  inbox: Stored<InboxRecord>
  replies: readonly Stored<StoredMessage>[]
  address: string
  isConfirmed: boolean
}

/**
 * Returns the change of a conversation whose look is due: a mail with its unread replies, a later look, or no more look. All of it is
 * decided on rows that the commit requires as they were read, so a visitor who reads at this moment gets no mail.
 */
export async function dueReplyChange(parts: DueParts, row: Stored<ChatMails>): Promise<Change> {
  const facts = await findFacts(parts, row)
  if (!('replies' in facts)) return lookChange(parts, row, facts)
  return mailChange(parts, facts)
}

/** Why no mail goes now: when the next look is, ms since 1970, or null for none; and the conversation that says so. */
interface Look {
  atMs: number | null
  conversation?: Stored<ConversationRecord>
}

async function findFacts(parts: DueParts, row: Stored<ChatMails>): Promise<Facts | Look> {
  const { store, nowMs, mail } = parts
  const conversation = await store.conversations.find(row.conversationId)
  if (conversation === undefined || !conversation.visitorId) return { atMs: null }
  const over: Look = { atMs: null, conversation }
  const found = await findPeople(parts, conversation)
  if (found === undefined) return over
  const { customer, inbox, contact } = found
  const { address } = contact
  if (address === null || row.stopped.includes(addressMark(address))) return over
  if ((await suppressedAmong(store, [address])).size > 0) return over
  const newest = {
    conversationId: conversation._id,
    sort: '-createdAt',
    page: 1,
    limit: messagesMax,
  } as const
  const { rows } = await store.messages.listRows(newest)
  const unread = rows.filter((message) => isUnread(message, conversation)).reverse()
  const [oldest] = unread
  if (oldest === undefined) return over
  const isConfirmed = contact.isSigned || hasRepliedFrom(rows, address)
  const since = [oldest.createdAt, contact.seenAt ?? ''].map((at) => Date.parse(at) || 0)
  const dueMs = Math.max(...since) + awayMs
  const sentTo = isConfirmed ? undefined : await store.chatMailAddresses.find(addressMark(address))
  const allowedMs = Math.max(
    allowedAtMs(row.mailedAt, conversationCaps.mailedAt, nowMs),
    allowedAtMs(sentTo?.mailedAt ?? [], addressCaps.mailedAt, nowMs),
  )
  if (Math.max(dueMs, allowedMs) > nowMs) return { atMs: Math.max(dueMs, allowedMs), conversation }
  // Without an address of the service there is no link to stop the mail by, so there is no mail.
  const isReady = mail.baseUrl !== undefined && (inbox.email ?? noEmailSettings).transport !== 'none'
  if (!isReady) return { atMs: nowMs + laterMs, conversation }
  return { row, conversation, customer, inbox, replies: unread.slice(0, repliesMax), address, isConfirmed }
}

/** Returns who gets the mail, and the inbox that sends it; undefined where nobody does any more. */
async function findPeople({ store }: DueParts, conversation: Stored<ConversationRecord>) {
  const { customerId, inboxId, visitorId } = conversation
  const [customer, widgetInbox] = await Promise.all([
    customerId === null ? undefined : store.customers.find(customerId),
    inboxId === null ? undefined : store.inboxes.find(inboxId),
  ])
  if (customer === undefined || widgetInbox === undefined || !visitorId) return undefined
  const { enabled, inboxId: mailInboxId } = completeWidget(widgetInbox).replyByMail
  const isOn = widgetInbox.isActive && widgetInbox.widget.enabled && enabled && mailInboxId !== null
  const inbox = isOn ? await store.inboxes.find(mailInboxId) : undefined
  if (inbox === undefined || (await isBlockedCustomer(store, customer))) return undefined
  return { customer, inbox, contact: await contactOfVisitor(store, visitorId, customer) }
}

/** Whether the visitor has not read a reply of a person, which no mail holds yet. */
function isUnread(
  { direction, type, via, sender, createdAt, recipients = [] }: StoredMessage,
  { readAt }: ConversationRecord,
): boolean {
  const isReply = direction === 'outbound' && type === 'reply' && via === 'chat'
  const isOfPerson = sender.type === 'user' || sender.type === 'api'
  return isReply && isOfPerson && recipients.length === 0 && createdAt > (readAt.customer ?? '')
}

/** A message that arrives meanwhile plans a look of its own only where none is planned: so the conversation must be as it was read. */
function lookChange(
  { nowMs }: DueParts,
  { _id: id, version: expectVersion }: Stored<ChatMails>,
  { atMs, conversation }: Look,
): Change {
  const set = { dueAt: atMs === null ? null : isoTime(atMs), updatedAt: isoTime(nowMs) }
  const guard = conversation === undefined ? [] : [guardOf(conversation)]
  return { writes: [{ op: 'update', kind: 'chatMails', id, expectVersion, set }, ...guard], events: [] }
}

function guardOf({ _id: id, version: expectVersion, seq }: Stored<ConversationRecord>) {
  return { op: 'patch', kind: 'conversations', id, expectVersion, when: { seq } } as const
}

async function mailChange(parts: DueParts, facts: Facts): Promise<Change> {
  const { store, ids, nowMs, secrets, tenantLimits } = parts
  const { row, conversation, customer, inbox, replies, address } = facts
  const now = isoTime(nowMs)
  const { tenantId, _id: conversationId } = conversation
  const transport = inbox.email?.transport === 'relay' ? 'relay' : 'smtp'
  const counted = await recipientWrites(
    { store, now, tenantLimits },
    { transport, inboxId: inbox._id, count: 1 },
  ).catch((error: unknown) => {
    if (isOutboundLimit(error)) return undefined
    throw error
  })
  const isReady = counted !== undefined && (await findMailTags(store, secrets)) !== undefined
  if (!isReady) return lookChange(parts, row, { atMs: nowMs + laterMs, conversation })
  const recipient: MessageRecipient = {
    address,
    kind: 'to',
    status: 'queued',
    code: null,
    text: null,
    bouncedAt: null,
    complainedAt: null,
  }
  const messages = await chatRecipientsChange({ store, ids, now }, replies, () => [recipient])
  const sentTo = await store.chatMailAddresses.find(addressMark(address))
  const set = {
    // Further replies than one mail holds, and those of this moment, have their look.
    dueAt: isoTime(nowMs + 15 * 60_000),
    mailedAt: withMoment(row.mailedAt, now),
    updatedAt: now,
  }
  return {
    writes: [
      { op: 'update', kind: 'chatMails', id: row._id, expectVersion: row.version, set },
      guardOf(conversation),
      { op: 'patch', kind: 'customers', id: customer._id, expectVersion: customer.version },
      addressWrite({ tenantId, address, now }, sentTo, 'mailedAt'),
      { op: 'insert', kind: 'mailSends', row: sendOf(facts, now) },
      ...addressUsesOf({ tenantId, conversationId, addresses: [address], now }),
      ...messages.writes,
      ...counted,
    ],
    events: messages.events,
  }
}

function sendOf({ conversation, inbox, replies, isConfirmed }: Facts, now: string): MailSend {
  return {
    // Of a reply that another process mails at this moment there is a row with this id.
    _id: replies.at(-1)?._id ?? '',
    tenantId: conversation.tenantId,
    conversationId: conversation._id,
    inboxId: inbox._id,
    status: 'queued',
    dueAt: now,
    lockToken: null,
    tries: 0,
    sendAt: now,
    giveUpAt: isoTime(Date.parse(now) + giveUpMs),
    references: [],
    quotedMessageId: null,
    chatMessageIds: replies.map(({ _id }) => _id),
    isConfirmed,
    attempts: [],
    createdAt: now,
    updatedAt: now,
  }
}
