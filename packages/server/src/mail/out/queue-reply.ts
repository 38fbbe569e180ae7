import {
  type AnsweredThread,
  type ChosenRecipients,
  type Conversation,
  type Customer,
  chooseRecipients,
  domainOf,
  emptyMessageEmail,
  Failure,
  type Message,
  type NamedRecipients,
  type NewMessageBody,
  type Problem,
  queuedRecipients,
  recipientsMax,
  replySubject,
  type StoredMessage,
  type SuggestedRecipients,
  statusOfRecipients,
  suggestRecipients,
  validationFailure,
} from '@crmkit/core'
import type { Change, Write } from '../../ports/change.ts'
import type { TenantReads } from '../../ports/storage.ts'
import { isoTime } from '../../shared/clock.ts'
import type { MailSend } from '../../storage/kinds/mail-sends.ts'
import { findMailTags } from '../addresses/mail-key.ts'
import { ownAddressesOf } from '../addresses/own-addresses.ts'
import { replyAddresses } from '../addresses/reply-addresses.ts'
import { suppressedAmong } from '../addresses/suppressed-among.ts'
import { recipientWrites } from './outbound-budget.ts'
import { chatMailWrites } from './plan-chat-mail.ts'
import { doorBesideMail } from './reply-door.ts'
import { findSendingInbox, type KnownInbox, type MailContext, type SendingInbox } from './sending-inbox.ts'

/** No attempt is planned later than this after the first one. */
export const giveUpMs = 48 * 3_600_000
const historyMax = 50
const referencesMax = 30
/** Several inboxes may have got the mail that is answered. */
const copiesMax = 20

interface NewReply {
  message: Message
  conversation: Conversation
  customer: Customer | null
  body: NewMessageBody
  /** The prefix of the body's fields, such as `message.`. */
  fieldPrefix?: string
  /** The conversation's inbox, where the caller has read it. */
  inbox?: KnownInbox | undefined
  /** The messages that it follows, the newest first, where they are not stored yet: none of a new conversation. */
  history?: readonly StoredMessage[]
  /** False: the mail does not repeat the one that it is a reply to. */
  isQuoting?: boolean
}

export interface QueuedReply {
  /** A reply says by `via` what takes it. */
  message: Message
  writes: Write[]
  /** Goes into the commit of the message: what `via` says is true in it. */
  expects: Pick<Change, 'expectHeard'>
}

/**
 * Returns the message as it is queued, and the write that sends it; without that write where nothing is sent by
 * e-mail. Throws VALIDATION_ERROR for recipients that cannot be, SERVICE_UNAVAILABLE without a relay, and
 * RATE_LIMIT_EXCEEDED for more recipients than the budget has.
 */
export async function queueReply(ctx: MailContext, reply: NewReply): Promise<QueuedReply> {
  const { message, conversation, body, fieldPrefix = '' } = reply
  if (message.direction !== 'outbound') {
    refuseRecipients(body, fieldPrefix)
    return { message, writes: [], expects: {} }
  }
  const inbox = await findSendingInbox(ctx.store, conversation, reply.inbox)
  if (inbox === undefined) {
    refuseRecipients(body, fieldPrefix)
    const { door: via, expects } = await doorBesideMail(ctx.store, conversation)
    const isPerson = message.sender.type === 'user' || message.sender.type === 'api'
    const writes = via === 'chat' && isPerson ? await chatMailWrites(ctx.store, conversation, ctx.now) : []
    return { message: { ...message, via }, writes, expects }
  }
  const { email } = inbox
  if (email.transport === 'relay' && ctx.services.mail.relay === undefined)
    throw new Failure(
      'SERVICE_UNAVAILABLE',
      'This installation has no mail relay: its operator sets CRM_SMTP_URL',
    )
  return addressed(ctx, reply, inbox)
}

/** Returns who gets a reply that names nobody, and whom an agent may add. */
export async function suggestedRecipients(
  { store, services }: Omit<MailContext, 'now' | 'tenantLimits'>,
  conversation: Conversation,
  customer: CustomerAddress | null,
): Promise<SuggestedRecipients> {
  const history = await historyOf(store, conversation._id)
  return suggestRecipients(await threadOf({ store, services }, { conversation, customer, history }))
}

/** Returns the recipients of a reply by e-mail: those that it names, else the suggested ones. */
export async function chosenRecipients(
  { store, services }: Omit<MailContext, 'now' | 'tenantLimits'>,
  {
    conversation,
    customer,
    named,
  }: { conversation: Conversation; customer: CustomerAddress | null; named: NamedRecipients },
): Promise<ChosenRecipients> {
  const history = await historyOf(store, conversation._id)
  return chooseRecipients(named, await threadOf({ store, services }, { conversation, customer, history }))
}

type CustomerAddress = Pick<Customer, 'createdAt' | 'profile'>

interface Answered {
  conversation: Conversation
  customer: CustomerAddress | null
  history: readonly StoredMessage[]
}

async function threadOf(
  { store, services }: Omit<MailContext, 'now' | 'tenantLimits'>,
  { conversation, customer, history }: Answered,
): Promise<AnsweredThread> {
  return {
    customerEmail: customer?.profile.email ?? null,
    customerSince: customer?.createdAt ?? null,
    participants: conversation.participants ?? [],
    history,
    ownAddresses: await ownAddressesOf(store, services.mail),
  }
}

/** Recipients of a message that is not mailed would be lost silently. */
function refuseRecipients(body: NewMessageBody, prefix: string): void {
  const problems = (['to', 'cc', 'bcc', 'subject'] as const)
    .filter((name) => (body[name] ?? null) !== null)
    .map((name): Problem => {
      const message = 'needs an inbox and a channel that send e-mail'
      return { field: prefix + name, message, rule: 'transport', in: 'body' }
    })
  if (problems.length > 0) throw validationFailure(problems)
}

async function addressed(
  ctx: MailContext,
  { message, conversation, customer, body, fieldPrefix = '', isQuoting = true, ...reply }: NewReply,
  inbox: SendingInbox,
): Promise<QueuedReply> {
  const { store, now, services } = ctx
  const { relay, domain } = services.mail
  const { email } = inbox
  const tags = await findMailTags(store, services.secrets)
  if (tags === undefined) throw new Error('An inbox has an address, and its tenant has no mail key')
  const history = reply.history ?? (await historyOf(store, conversation._id))
  const { tenantId } = store
  const { _id: conversationId } = conversation
  const { from, replyTo } = replyAddresses({ tenantId, email, tags, conversationId, relay, domain })
  const recipients = chooseRecipients(body, await threadOf(ctx, { conversation, customer, history }))
  assertRecipients(recipients, fieldPrefix)
  const answered = history.find((one) => one.email?.messageId)
  const everyone = [...recipients.to, ...recipients.cc, ...recipients.bcc].map(({ address }) => address)
  const progress = queuedRecipients(recipients, await suppressedAmong(store, everyone))
  const status = statusOfRecipients(progress)
  const queued: Message = {
    ...message,
    status,
    via: 'email',
    email: {
      ...emptyMessageEmail,
      ...recipients,
      from,
      replyTo,
      subject: body.subject ?? subjectOf(conversation, answered),
      messageId: `${tags.messageIdTag(message._id)}@${domainOf(from.address)}`,
      inReplyTo: answered?.email?.messageId ?? null,
      date: now,
    },
    recipients: progress,
  }
  const nowMs = Date.parse(now)
  const sendAt = isoTime(nowMs + email.sendDelaySeconds * 1000)
  const row: MailSend = {
    _id: message._id,
    tenantId: message.tenantId,
    conversationId: conversation._id,
    inboxId: inbox._id,
    status: status === 'queued' ? 'queued' : 'done',
    dueAt: status === 'queued' ? sendAt : null,
    lockToken: null,
    tries: 0,
    sendAt,
    giveUpAt: isoTime(nowMs + giveUpMs),
    references: referencesOf([...(await chainOf(store, answered)), ...idsOf(history)]),
    quotedMessageId: isQuoting
      ? (history.find(({ direction }) => direction === 'inbound')?._id ?? null)
      : null,
    attempts: [],
    createdAt: now,
    updatedAt: now,
  }
  const count = progress.filter((recipient) => recipient.status === 'queued').length
  const counted = await recipientWrites(ctx, { transport: transportOf(email), inboxId: inbox._id, count })
  return { message: queued, writes: [{ op: 'insert', kind: 'mailSends', row }, ...counted], expects: {} }
}

const transportOf = ({ transport }: SendingInbox['email']) => (transport === 'relay' ? 'relay' : 'smtp')

async function historyOf(store: TenantReads, conversationId: string): Promise<StoredMessage[]> {
  const { rows } = await store.messages.listRows({
    conversationId,
    sort: '-createdAt',
    page: 1,
    limit: historyMax,
  })
  return rows.filter(({ direction }) => direction !== 'internal')
}

function assertRecipients({ to, cc, bcc }: ReturnType<typeof chooseRecipients>, prefix: string): void {
  const refuse = (message: string, rule: string) =>
    validationFailure([{ field: `${prefix}to`, message, rule, in: 'body' }])
  if (to.length === 0) throw refuse('is required: nobody of the conversation has an address', 'required')
  if (to.length + cc.length + bcc.length > recipientsMax)
    throw refuse(`must be at most ${recipientsMax} recipients with the copies`, 'max')
}

function subjectOf({ subject }: Conversation, answered: StoredMessage | undefined): string {
  if (answered === undefined && subject !== null) return subject
  return replySubject(answered?.email?.subject ?? subject)
}

function idsOf(history: readonly StoredMessage[]): string[] {
  return history.flatMap(({ email }) => email?.messageId ?? []).reverse()
}

/** Returns the chain of the customer's own mails, by which their program keeps the thread together (RFC 5322, section 3.6.4). */
async function chainOf(store: TenantReads, answered: StoredMessage | undefined): Promise<string[]> {
  const rfcMessageId = answered?.email?.messageId ?? null
  if (answered?.direction !== 'inbound' || rfcMessageId === null) return []
  const { rows } = await store.inboundMails.listRows({ rfcMessageId, page: 1, limit: copiesMax })
  return rows.find(({ messageId }) => messageId === answered._id)?.references ?? []
}

/** The oldest first; of a long thread the first one and the newest ones. */
function referencesOf(ids: readonly string[]): string[] {
  const once = [...new Set(ids)]
  return once.length <= referencesMax ? once : [...once.slice(0, 1), ...once.slice(1 - referencesMax)]
}
