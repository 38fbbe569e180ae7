import { type DraftBasis, type Mailbox, noEmailSettings, normalizeEmail, type ReplyDoor } from '@crmkit/core'
import type { Write } from '../../ports/change.ts'
import type { ConversationRecord } from '../../storage/kinds/conversations.ts'
import type { CustomerRecord } from '../../storage/kinds/customers.ts'
import type { InboxRecord } from '../../storage/kinds/inboxes.ts'
import type { Stored } from '../../storage/records.ts'
import { senderOf } from '../addresses/reply-addresses.ts'
import { doorBesideMail } from './reply-door.ts'
import { findSendingInbox, type MailContext } from './sending-inbox.ts'

/** On what a reply is addressed, with the rows that decide it. */
export interface ReplyBasis {
  basis: DraftBasis
  /** Sender of the e-mail; null where the reply is none. */
  from: Mailbox | null
  conversation: ConversationRecord
  customer: Stored<CustomerRecord> | undefined
  inbox: Stored<InboxRecord> | undefined
}

/** Returns how a reply in a conversation leaves now, from whom, and to which customer's address. */
export async function findReplyBasis(
  { store, services }: Pick<MailContext, 'store' | 'services'>,
  conversation: ConversationRecord,
): Promise<ReplyBasis> {
  const { channel, inboxId, customerId } = conversation
  const [customer, inbox] = await Promise.all([
    customerId === null ? undefined : store.customers.find(customerId),
    channel === 'email' && inboxId !== null ? store.inboxes.find(inboxId) : undefined,
  ])
  const sending = await findSendingInbox(store, conversation, inbox)
  const door: ReplyDoor = sending ? 'email' : (await doorBesideMail(store, conversation)).door
  const email = sending?.email ?? noEmailSettings
  const address = sending ? senderOf({ email, relay: services.mail.relay }) : null
  const customerEmail = customer?.profile.email ?? null
  return {
    basis: {
      door,
      from: address === null ? null : normalizeEmail(address),
      customerEmail: customerEmail === null ? null : normalizeEmail(customerEmail),
    },
    from: address === null ? null : { address, name: email.displayName },
    conversation,
    customer,
    inbox,
  }
}

/** Returns writes that change nothing, and conflict when a row that the basis was read from has changed since. */
export function basisGuards({ customer, inbox }: ReplyBasis): Write[] {
  return [...(customer ? [guard('customers', customer)] : []), ...(inbox ? [guard('inboxes', inbox)] : [])]
}

function guard(kind: 'customers' | 'inboxes', { _id: id, version }: { _id: string; version: number }): Write {
  return { op: 'patch', kind, id, expectVersion: version }
}

/** The fields of the conversation that the basis was read from. */
export function basisCondition({ conversation }: ReplyBasis): Partial<ConversationRecord> {
  const { customerId, inboxId, channel, visitorId = null, visitorDoor = null } = conversation
  return { customerId, inboxId, channel, ...(visitorId !== null && { visitorDoor }) }
}
