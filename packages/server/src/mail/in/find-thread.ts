import { erasedAddress, type MailParticipant, normalizeEmail } from '@crmkit/core'
import type { TenantReads } from '../../ports/storage.ts'
import { mergeTargetOf } from '../../shared/merged-conversation.ts'
import { hasAddress } from '../../shared/people-of-address.ts'
import type { ConversationRecord } from '../../storage/kinds/conversations.ts'
import type { InboundMailRecord } from '../../storage/kinds/inbound-mails.ts'
import type { InboxRecord } from '../../storage/kinds/inboxes.ts'
import type { Stored } from '../../storage/records.ts'
import { type MailTags, readTag } from '../addresses/mail-tags.ts'
import { asRemoteId } from '../addresses/remote-ids.ts'
import { sendsOfRemoteId } from '../addresses/sends-of-remote-id.ts'
import type { MailAddress, MailFacts } from '../parse/mail-facts.ts'

/** The most Message-IDs of a mail that are looked up. */
const idsMax = 50
/** The newest messages of a conversation among which recipients are looked for. */
const messagesMax = 100

export interface ThreadQuery {
  store: TenantReads
  /** Undefined: the tenant has never sent a mail. */
  tags: MailTags | undefined
  inbox: InboxRecord
  mail: Pick<InboundMailRecord, 'envelope' | 'inboxId'>
  facts: MailFacts
  /** The person who has written the mail. */
  from: MailAddress
  verified: boolean | null
  /** The domain whose mail this service receives by itself; undefined for none. */
  domain: string | undefined
}

export type FoundThread = Stored<ConversationRecord>

/**
 * Returns the conversation that a mail belongs to; undefined when it begins a new one. A signed address comes first, then a
 * signed Message-ID, then a Message-ID of the same inbox, or the id that its server gave a mail of ours, whose conversation the
 * sender takes part in. A subject says nothing, and an id that anybody may know or guess never joins.
 */
export async function findThread(query: ThreadQuery): Promise<FoundThread | undefined> {
  const found = (await findByAddress(query)) ?? (await findBySignedId(query)) ?? (await findByStoredId(query))
  return mergeTargetOf(query.store, found)
}

async function findByAddress({ store, ...query }: ThreadQuery): Promise<FoundThread | undefined> {
  for (const conversationId of signedConversations(query)) {
    const found = await store.conversations.find(conversationId)
    if (found) return found
  }
  return undefined
}

/** Returns the ids of the conversations that signed addresses of a mail name, each once. */
export function signedConversations({
  tags,
  inbox,
  mail,
  facts,
  domain,
}: Pick<ThreadQuery, 'tags' | 'inbox' | 'mail' | 'facts' | 'domain'>): string[] {
  if (tags === undefined) return []
  const bases = [
    ...(inbox.email?.plusAddressing === true ? [normalizeEmail(inbox.email.address ?? '')] : []),
    ...(domain === undefined ? [] : [`reply@${domain.toLowerCase()}`]),
  ].map(splitAddress)
  const named = [
    ...mail.envelope.to,
    ...facts.deliveredTo,
    ...addressesOf(facts.to),
    ...addressesOf(facts.cc),
  ]
  const found = [...new Set(named)].flatMap((address) => {
    const [givenLocal, givenDomain] = splitAddress(normalizeEmail(address))
    return bases
      .filter(([local, host]) => givenDomain === host && givenLocal.startsWith(`${local}+`))
      .map(([local]) => readTag(givenLocal.slice(local.length + 1)))
      .map((named) => named && tags.conversationOf(named.tag))
  })
  return [...new Set(found)].filter((id) => id !== undefined)
}

const addressesOf = (list: readonly { address: string }[]) => list.map(({ address }) => address)

function splitAddress(address: string): [local: string, domain: string] {
  const at = address.lastIndexOf('@')
  return [address.slice(0, at), address.slice(at + 1)]
}

/** The ids of the mails that a mail is a reply to, newest first. */
function repliedIds({ inReplyTo, references }: MailFacts): string[] {
  return [...new Set([...inReplyTo, ...references.toReversed()])].slice(0, idsMax)
}

async function findBySignedId({ store, tags, facts }: ThreadQuery): Promise<FoundThread | undefined> {
  if (tags === undefined) return undefined
  for (const id of repliedIds(facts)) {
    const messageId = tags.messageOf(splitAddress(id)[0])
    const message = messageId === undefined ? undefined : await store.messages.find(messageId)
    const found = message && (await store.conversations.find(message.conversationId))
    if (found) return found
  }
  return undefined
}

async function findByStoredId(query: ThreadQuery): Promise<FoundThread | undefined> {
  const { store, mail, facts, verified } = query
  // A forged sender takes part in nothing.
  if (verified === false) return undefined
  for (const rfcMessageId of repliedIds(facts)) {
    const { rows } = await store.inboundMails.listRows({ rfcMessageId, page: 1, limit: 20 })
    for (const { inboxId, conversationId } of rows) {
      if (inboxId !== mail.inboxId || conversationId === null) continue
      const found = await store.conversations.find(conversationId)
      if (found && (await mayJoin(query, found))) return found
    }
    const other = (await findImported(query, rfcMessageId)) ?? (await findByRemoteId(query, rfcMessageId))
    if (other) return other
  }
  return undefined
}

/** A provider may have replaced the Message-ID of our mail by an id of its own, which stood in its response. */
async function findByRemoteId(query: ThreadQuery, rfcMessageId: string): Promise<FoundThread | undefined> {
  const { store, mail } = query
  const remoteId = asRemoteId(splitAddress(rfcMessageId)[0])
  if (remoteId === undefined) return undefined
  for (const send of await sendsOfRemoteId(store, { inboxId: mail.inboxId, remoteId })) {
    const message = await store.messages.find(send._id)
    const found = message && (await store.conversations.find(message.conversationId))
    if (found && (await mayJoin(query, found))) return found
  }
  return undefined
}

/** A mail of before the move: no signature and no stored mail names its conversation, but the imported message does. */
async function findImported(query: ThreadQuery, rfcMessageId: string): Promise<FoundThread | undefined> {
  const { store, mail } = query
  const { rows } = await store.messages.listRows({ rfcMessageId, page: 1, limit: 20 })
  for (const { conversationId } of rows) {
    const found = await store.conversations.find(conversationId)
    if (found?.inboxId === mail.inboxId && (await mayJoin(query, found))) return found
  }
  return undefined
}

async function mayJoin(query: ThreadQuery, conversation: FoundThread): Promise<boolean> {
  const { store, from } = query
  return (await takesPart(store, conversation, from.address)) || wasCopied(query, conversation)
}

/**
 * Returns whether somebody who takes part has sent a mail of the conversation to the sender too. Such a colleague joins with
 * a mail that names one of the conversation, and gets no copy before: a forged mail can name anybody.
 */
async function wasCopied({ store, inbox, from }: ThreadQuery, conversation: FoundThread): Promise<boolean> {
  const { address } = from
  if (address === erasedAddress || address === normalizeEmail(inbox.email?.address ?? '')) return false
  const { rows } = await store.messages.listRows({
    conversationId: conversation._id,
    sort: '-createdAt',
    page: 1,
    limit: messagesMax,
  })
  for (const { direction, email } of rows) {
    if (direction !== 'inbound' || !email?.from || email.verified === false) continue
    const isNamed = [...email.to, ...email.cc].some((copied) => normalizeEmail(copied.address) === address)
    if (isNamed && (await takesPart(store, conversation, normalizeEmail(email.from.address)))) return true
  }
  return false
}

/**
 * Returns whether an address is one of the customer, a verified participant's, or one that a mail of the team was sent to. A
 * sender whose address nobody has verified takes no part by writing again.
 */
export async function takesPart(
  store: TenantReads,
  conversation: Pick<ConversationRecord, '_id' | 'customerId' | 'participants'>,
  address: string,
): Promise<boolean> {
  // It stands for many people, none of whom is left.
  if (address === erasedAddress) return false
  const isVerified = ({ verified, ...participant }: MailParticipant) =>
    verified === true && normalizeEmail(participant.address) === address
  if (conversation.participants?.some(isVerified)) return true
  const { customerId } = conversation
  const customer = customerId === null ? undefined : await store.customers.find(customerId)
  if (customer && (await hasAddress(store, customer, address))) return true
  const { rows } = await store.messages.listRows({
    conversationId: conversation._id,
    sort: '-createdAt',
    page: 1,
    limit: messagesMax,
  })
  return rows.some(({ direction, email }) => {
    const recipients = direction === 'outbound' && email ? [...email.to, ...email.cc] : []
    return recipients.some((recipient) => normalizeEmail(recipient.address) === address)
  })
}
