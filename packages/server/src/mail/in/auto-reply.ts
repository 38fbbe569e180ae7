import {
  type Conversation,
  type Customer,
  type DomainEvent,
  type Message,
  messageEvent,
  newMessage,
  noEmailSettings,
  normalizeEmail,
} from '@crmkit/core'
import type { Write } from '../../ports/change.ts'
import { ownAddressesOf } from '../addresses/own-addresses.ts'
import { ifWithinBudget } from '../out/outbound-budget.ts'
import { queueReply } from '../out/queue-reply.ts'
import type { MessagePlan } from './plan-message.ts'

const dayMs = 24 * 3600 * 1000
const hourMs = 3600 * 1000
/** Each new conversation of an address gets one, so the conversations of the last hour bound them. */
const repliesPerHour = 10
/** Addresses of programs, which may leave out every header that says so (RFC 3834, section 2). */
// bounded: an address has 254 characters.
const programs =
  /^(?:mailer-daemon|postmaster|(?:no|do[-._]?not)[-._]?reply|notifications?|alerts?|newsletters?|bounces?|owner-.*|.*-request)(?:[+-].*)?@/

const neutralSubject = 'We received your message'

interface BegunConversation {
  conversation: Conversation
  customer: Customer | null
  /** The message of the mail. */
  message: Message
}

interface AutoReply {
  message: Message
  writes: Write[]
  event: DomainEvent | undefined
}

/** Returns the automatic reply to a mail that began a conversation; undefined when it gets none. */
export async function planAutoReply(
  plan: MessagePlan,
  begun: BegunConversation,
): Promise<AutoReply | undefined> {
  const { store, ids, now, tenantLimits, services, inbox, from } = plan
  const { email = noEmailSettings } = inbox
  const { enabled, content } = email.autoReply
  const { transport } = email
  const hasTransport = transport === 'smtp' || (transport === 'relay' && services.mail.relay !== undefined)
  if (!enabled || content === null || !hasTransport || !isForPeople(plan)) return undefined
  if (await isOwnAddress(plan)) return undefined
  if (begun.customer === null || (await hadEnough(plan, begun.customer))) return undefined
  const { conversation, customer } = begun
  // A sender whom nobody has verified may have named somebody else, who gets no words of a stranger from us.
  const isVerified = plan.verified === true
  const body = { content, to: [from.address], cc: [], ...(!isVerified && { subject: neutralSubject }) }
  const name = email.displayName ?? inbox.name
  const made = newMessage(body, {
    id: ids.next('msg'),
    conversation,
    customer,
    author: { type: 'system', _id: null, name },
    now,
  })
  const history = [begun.message]
  const reply = { message: made, conversation, customer, body, inbox, history, isQuoting: isVerified }
  const queued = await ifWithinBudget(queueReply({ store, now, tenantLimits, services }, reply))
  if (queued === undefined) return undefined
  if (queued.message.email === null) return undefined
  const message = { ...queued.message, email: { ...queued.message.email, automated: true } }
  const nextEventId = () => ids.next('evt')
  const event = messageEvent({ message, conversation, customer, isAuthorRestricted: false, nextEventId, now })
  return { message, writes: [{ op: 'insert', kind: 'messages', row: message }, ...queued.writes], event }
}

/** Returns whether a person wrote the mail, less than a day ago, and is no forged sender. */
function isForPeople({ facts, verified, from, mail, now }: MessagePlan): boolean {
  const { automated, noAutoReply, bounce, date } = facts
  if (automated || noAutoReply || bounce !== null || verified === false) return false
  if (mail.envelope.from === '' || programs.test(from.address)) return false
  const writtenAt = [mail.receivedAt, ...(date === null ? [] : [date])]
  return writtenAt.every((at) => Date.parse(now) - Date.parse(at) < dayMs)
}

async function isOwnAddress({ store, services, from }: MessagePlan): Promise<boolean> {
  const own = await ownAddressesOf(store, services.mail)
  return own.some((address) => normalizeEmail(address) === from.address)
}

async function hadEnough({ store, now }: MessagePlan, { _id: customerId }: Customer): Promise<boolean> {
  const { rows } = await store.conversations.listRows({
    customerId,
    sort: '-createdAt',
    page: 1,
    limit: repliesPerHour,
  })
  const recent = rows.filter(({ createdAt }) => Date.parse(now) - Date.parse(createdAt) < hourMs)
  return recent.length >= repliesPerHour
}
