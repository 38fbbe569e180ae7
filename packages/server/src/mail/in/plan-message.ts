import {
  type Conversation,
  changesBetween,
  conversationAfterMessage,
  type IdFactory,
  type MailParticipant,
  type Message,
  type MessageEmail,
  messageEvent,
  newConversation,
  newMessage,
  normalizeEmail,
} from '@crmkit/core'
import { chooseAssignee } from '../../features/conversations/choose-assignee.ts'
import { findCustomerOf } from '../../features/conversations/conversation-references.ts'
import { messageChange } from '../../features/conversations/create-message.ts'
import type { RoundRobin } from '../../features/handler.ts'
import type { Change, Write } from '../../ports/change.ts'
import { byCustomer, changedLog, createdLog } from '../../shared/conversation-log.ts'
import { withContact } from '../../shared/last-contact.ts'
import { mergeTargetOf } from '../../shared/merged-conversation.ts'
import type { ConversationRecord } from '../../storage/kinds/conversations.ts'
import type { InboundMailRecord } from '../../storage/kinds/inbound-mails.ts'
import { withoutVersion } from '../../storage/records.ts'
import type { MailContext } from '../out/sending-inbox.ts'
import type { MailAddress, MailFacts } from '../parse/mail-facts.ts'
import { type Quotation, quotedEnd } from '../parse/quotations.ts'
import type { ParsedMail } from '../parser-process/mail-parser.ts'
import { planAutoReply } from './auto-reply.ts'
import { customerOfSender, type MailCustomer } from './customer-of-sender.ts'
import { type FoundThread, findThread, type ThreadQuery, takesPart } from './find-thread.ts'
import { joiningSender } from './joining-sender.ts'
import { quotedThread } from './quoted-thread.ts'
import type { StoredFiles } from './store-files.ts'

const subjectLengthMax = 300
const addressesMax = 100
const participantsMax = 50
const dayMs = 24 * 3600 * 1000
const hourMs = 3600 * 1000
/** Two systems that reply to each other must not keep a conversation open. */
const machineReopeningsPerHour = 3

export interface MessagePlan extends ThreadQuery {
  mail: ThreadQuery['mail'] & Pick<InboundMailRecord, 'receivedAt'>
  services: MailContext['services']
  tenantLimits: MailContext['tenantLimits']
  ids: IdFactory
  now: string
  roundRobin: RoundRobin
  from: MailAddress
  /** The mail names nobody but the inbox itself, so it has no customer. */
  isOwnAddress: boolean
  /** A person has chosen the conversation, which may have begun for this mail. */
  made: { conversationId: string; isNew: boolean } | undefined
  attachments: StoredFiles
  quotations: ParsedMail['quotations']
}

export interface PlannedMessage {
  change: Change
  conversationId: string
  messageId: string
}

/** Returns the change that makes a message of a mail: in the conversation that it belongs to, or in a new one. */
export async function planMessage(plan: MessagePlan): Promise<PlannedMessage> {
  const { made, store } = plan
  const named = made && (await store.conversations.find(made.conversationId))
  const chosen = await mergeTargetOf(store, named)
  if (chosen && made?.isNew && (chosen.seq ?? 0) === 0) return fillConversation(plan, chosen)
  if (chosen) return addToConversation(plan, chosen)
  const found = await findThread(plan)
  if (found === undefined) return beginConversation(plan)
  const isOver = found.status === 'closed' && isTooLate(found, plan)
  return isOver ? beginConversation(plan, found) : addToConversation(plan, found)
}

function isTooLate({ closedAt }: Conversation, { inbox, now }: MessagePlan): boolean {
  const days = inbox.email?.reopenDays ?? 30
  return closedAt !== null && Date.parse(now) - Date.parse(closedAt) > days * dayMs
}

/** Facts of a mail that are known only with the conversation that it belongs to. */
interface ReadInThread {
  quoted: readonly Quotation[]
  /** Of a mail of a member of the team that forwards another one. */
  forwardedFrom: MailFacts['forwardedFrom']
}

function emailOf(
  { facts, from, verified }: MessagePlan,
  { quoted, forwardedFrom }: ReadInThread,
): MessageEmail {
  const { replyTo, to, cc, subject, messageId, inReplyTo, date, automated, noAutoReply, truncated } = facts
  return {
    from,
    replyTo: replyTo.find(({ address }) => address !== from.address)?.address ?? null,
    replyToList: replyTo.some(({ address }) => address !== from.address)
      ? replyTo.slice(0, addressesMax)
      : [],
    forwardedFrom,
    to: to.slice(0, addressesMax),
    cc: cc.slice(0, addressesMax),
    bcc: [],
    subject: subject === '' ? null : subject,
    messageId,
    inReplyTo: inReplyTo[0] ?? null,
    date,
    verified,
    // A report of a mail system is written by a machine, whatever its headers say.
    automated: automated || facts.bounce !== null,
    noAutoReply,
    possiblyDoubled: false,
    quoted: [...quoted],
    quotedFrom: quotedEnd(facts.content, quoted),
    truncated,
  }
}

/** A message of its mail: newMessage knows only what a client of the API sends. */
function mailMessage(
  plan: MessagePlan,
  message: Message,
  { sender, ...read }: ReadInThread & { sender: Message['sender'] },
): Message {
  const { content } = plan.attachments
  const { contentType } = plan.facts
  return { ...message, sender, content, contentType, email: emailOf(plan, read), sentAt: sentAtOf(plan) }
}

/** The clock of a sender may be wrong: nothing was sent after it arrived. */
function sentAtOf({ facts: { date }, mail: { receivedAt } }: MessagePlan): string {
  return date !== null && date < receivedAt ? date : receivedAt
}

async function quotationsIn(
  { store, services, inbox, quotations }: MessagePlan,
  conversation: FoundThread,
): Promise<Quotation[]> {
  return quotations(await quotedThread({ store, mail: services.mail, inbox, conversation }))
}

async function beginConversation(plan: MessagePlan, previous?: FoundThread): Promise<PlannedMessage> {
  const { store, ids, now, inbox, facts, roundRobin, from } = plan
  const forwardedFrom = previous === undefined ? await forwardOfMember(plan) : null
  const { customer, ...author } = await customerOfMail(plan, forwardedFrom)
  const { tenantId } = store
  const subject = facts.subject.slice(0, subjectLengthMax).trim() || '(no subject)'
  const assignedTo = await chooseAssignee({ store, roundRobin, now }, inbox)
  const given = { subject, inboxId: inbox._id, customerId: customer?._id ?? null, assignedTo }
  const begun: Conversation = {
    ...newConversation(given, { id: ids.next('con'), tenantId, now }),
    source: 'email',
  }
  const body = { content: plan.attachments.content, direction: 'inbound' as const }
  const making = { conversation: begun, customer, attachments: plan.attachments.shown, now }
  const person = customer === null ? from : (forwardedFrom ?? from)
  const sender = {
    type: 'customer' as const,
    _id: customer?._id ?? null,
    name: person.name ?? person.address,
  }
  const made = newMessage(body, { id: ids.next('msg'), author: sender, ...making })
  // The first mail quotes nothing that the service knows: what it repeats is what it is about.
  const quoted = previous === undefined ? [] : await quotationsIn(plan, previous)
  const message = mailMessage(plan, made, { sender, quoted, forwardedFrom })
  const received: Conversation = {
    ...begun,
    ...conversationAfterMessage(begun, message),
    participants: customer === null ? [participantOf(plan)] : [],
    previousConversationId: previous?._id ?? null,
  }
  const begunConversation = { conversation: received, customer, message }
  const reply = forwardedFrom === null ? await planAutoReply(plan, begunConversation) : undefined
  const conversation = { ...received, ...(reply && conversationAfterMessage(received, reply.message)) }
  const nextEventId = () => ids.next('evt')
  const log = createdLog({ ids, now }, { conversation, customer, by: byCustomer(sender._id) })
  const events = [
    ...author.events,
    ...log.events,
    messageEvent({ message, conversation, customer, isAuthorRestricted: false, nextEventId, now }),
    reply?.event,
  ].filter((event) => event !== undefined)
  const writes: Write[] = [
    ...author.writes,
    { op: 'insert', kind: 'conversations', row: conversation },
    ...log.writes,
    { op: 'insert', kind: 'messages', row: message },
    ...plan.attachments.writesFor(message._id),
    ...(reply?.writes ?? []),
  ]
  const change = { writes: withContact(writes, customer, message), events }
  return { change, conversationId: conversation._id, messageId: message._id }
}

/** Returns the change that adds the mail for which a person has begun a conversation, and its customer if it has none. */
async function fillConversation(plan: MessagePlan, before: FoundThread): Promise<PlannedMessage> {
  const { store, ids, now, facts, from, attachments } = plan
  const author =
    before.customerId === null
      ? await customerOfMail(plan, null)
      : { customer: await findCustomerOf(store, before.customerId), writes: [], events: [] }
  const { customer } = author
  const sender = {
    type: 'customer' as const,
    _id: customer?._id ?? null,
    name: from.name ?? from.address,
  }
  const body = { content: attachments.content, direction: 'inbound' as const }
  const making = { conversation: before, customer, attachments: attachments.shown, now }
  const made = newMessage(body, { id: ids.next('msg'), author: sender, ...making })
  const message = mailMessage(plan, made, { sender, quoted: [], forwardedFrom: null })
  const customerId = customer?._id ?? null
  const subject = facts.subject.slice(0, subjectLengthMax).trim() || before.subject
  const set: Partial<ConversationRecord> = {
    ...conversationAfterMessage(before, message),
    customerId,
    subject,
    participants: customer === null ? [participantOf(plan)] : [],
  }
  const conversation: Conversation = { ...withoutVersion(before), ...set }
  const changes = changesBetween(before, { customerId, subject })
  const log = changedLog({ ids, now }, { conversation, customer, changes, by: byCustomer(sender._id) })
  const nextEventId = () => ids.next('evt')
  const events = [
    ...author.events,
    ...log.events,
    messageEvent({ message, conversation, customer, isAuthorRestricted: false, nextEventId, now }),
  ]
  const writes: Write[] = [
    ...author.writes,
    { op: 'update', kind: 'conversations', id: before._id, expectVersion: before.version, set },
    ...log.writes,
    { op: 'insert', kind: 'messages', row: message },
    ...attachments.writesFor(message._id),
  ]
  const change = { writes: withContact(writes, customer, message), events }
  return { change, conversationId: before._id, messageId: message._id }
}

const membersMax = 1_000

/** Returns the sender of the mail that a member of the team forwards, who is meant, and not the member. */
async function forwardOfMember({ store, facts, from }: MessagePlan): Promise<MailFacts['forwardedFrom']> {
  const { forwardedFrom } = facts
  if (forwardedFrom === null || forwardedFrom.address === from.address) return null
  const { rows } = await store.users.listRows({ sort: '-createdAt', page: 1, limit: membersMax })
  const isMember = rows.some(({ isActive, email }) => isActive && normalizeEmail(email) === from.address)
  return isMember ? forwardedFrom : null
}

/** Anybody can write the address of a member: only a verified one says who the customer is, else a person does. */
async function customerOfMail(
  plan: MessagePlan,
  forwardedFrom: MailFacts['forwardedFrom'],
): Promise<MailCustomer> {
  if (forwardedFrom === null) return customerOfSender(plan)
  if (plan.verified !== true) return { customer: null, writes: [], events: [] }
  const { address, name } = forwardedFrom
  return customerOfSender({ ...plan, from: { address, name } })
}

function participantOf({ from, now, verified }: MessagePlan): MailParticipant {
  return { address: from.address, name: from.name, addedAt: now, verified }
}

async function addToConversation(plan: MessagePlan, before: FoundThread): Promise<PlannedMessage> {
  const { store, ids, now, tenantLimits, services, facts, from, attachments } = plan
  const joining = await joiningSender(plan, before)
  const author: Message['sender'] = {
    type: 'customer',
    _id: joining.customerId,
    name: from.name ?? from.address,
  }
  const quoted = await quotationsIn(plan, before)
  const reopenings = recentReopenings(before, now)
  const isMachine = facts.automated || facts.bounce !== null
  const isReopening = !isMachine || reopenings.length < machineReopeningsPerHour
  const { change, message, conversation } = await messageChange(
    { store, ids, now, tenantLimits, services },
    {
      before,
      body: { content: attachments.content, direction: 'inbound' },
      author,
      writer: joining.other,
      isAuthorRestricted: false,
      attachments: { problems: [], ...attachments },
      isReopening,
      finish: (made) => mailMessage(plan, made, { sender: author, quoted, forwardedFrom: null }),
    },
  )
  const isReopened = conversation.status !== before.status
  const participants = joining.isOfConversation ? undefined : await participantsAfter(plan, before)
  const set: Partial<ConversationRecord> = {
    ...(participants && { participants }),
    ...(isReopened && isMachine && { reopenedByMachineAt: [...reopenings, now] }),
  }
  const writes = [...withConversationFields(change.writes, before, set), ...joining.writes]
  return { change: { ...change, writes }, conversationId: before._id, messageId: message._id }
}

/** Returns the participants with the sender of a mail; undefined when they stay as they are. */
async function participantsAfter(
  plan: MessagePlan,
  before: FoundThread,
): Promise<MailParticipant[] | undefined> {
  const { participants = [] } = before
  const { address } = plan.from
  const isVerifiedNow = plan.verified === true
  const known = participants.find((participant) => normalizeEmail(participant.address) === address)
  if (known !== undefined) {
    if (!isVerifiedNow || known.verified === true) return undefined
    return participants.map((one) => (one === known ? { ...one, verified: true } : one))
  }
  const isFull = participants.length >= participantsMax
  if (isFull || (await takesPart(plan.store, before, address))) return undefined
  return [...participants, participantOf(plan)]
}

function recentReopenings({ reopenedByMachineAt = [] }: ConversationRecord, now: string): string[] {
  return reopenedByMachineAt.filter((at) => Date.parse(now) - Date.parse(at) < hourMs)
}

/** The reopening writes the conversation already: a row has one update in a commit. */
function withConversationFields(
  writes: readonly Write[],
  before: FoundThread,
  set: Partial<ConversationRecord>,
): Write[] {
  if (Object.keys(set).length === 0) return [...writes]
  let isMerged = false
  const merged = writes.map((write): Write => {
    if (write.op !== 'update' || write.kind !== 'conversations' || write.id !== before._id) return write
    isMerged = true
    return { ...write, set: { ...write.set, ...set } }
  })
  if (isMerged) return merged
  return [
    { op: 'update', kind: 'conversations', id: before._id, expectVersion: before.version, set },
    ...merged,
  ]
}
