import { completeEmail, normalizeEmail, type StoredMessage } from '@crmkit/core'
import type { MailSettings } from '../../ports/mail-sender.ts'
import type { TenantReads } from '../../ports/storage.ts'
import { signaturesAt } from '../../shared/earlier-signatures.ts'
import type { ConversationRecord } from '../../storage/kinds/conversations.ts'
import type { InboxRecord } from '../../storage/kinds/inboxes.ts'
import { ownAddressesOf } from '../addresses/own-addresses.ts'
import { introOf, signatureOf } from '../out/compose-mail.ts'
import type { KnownText, QuotedThread } from '../parse/quotations.ts'

const messagesMax = 50
/** In characters, of all texts together, the newest first. */
const lengthMax = 512 * 1024

interface Thread {
  store: TenantReads
  mail: MailSettings
  inbox: InboxRecord
  conversation: Pick<ConversationRecord, '_id' | 'previousConversationId' | 'participants'>
}

/**
 * Returns what a mail of a conversation may quote: the messages of it and of the one before it. Notes are not among
 * them: a mail that repeats one would learn that it does.
 */
export async function quotedThread({ store, mail, inbox, conversation }: Thread): Promise<QuotedThread> {
  const newest = await messagesOf(store, conversation._id)
  const { previousConversationId = null, participants = [] } = conversation
  const earlier =
    previousConversationId === null || newest.length >= messagesMax
      ? []
      : await messagesOf(store, previousConversationId)
  const messages = [...newest, ...earlier].slice(0, messagesMax)
  const people = messages.flatMap(({ email }) =>
    email ? [...(email.from ? [email.from] : []), ...email.to, ...email.cc] : [],
  )
  const replyAddresses = messages.flatMap(({ email }) => email?.replyTo ?? [])
  const own = await ownAddressesOf(store, mail)
  return {
    texts: await textsOf(store, inbox, messages),
    addresses: [
      ...new Set(
        [...people, ...participants]
          .map(({ address }) => address)
          .concat(replyAddresses, own)
          .map(normalizeEmail),
      ),
    ],
    names: [
      ...new Set([
        ...[...people, ...participants].flatMap(({ name }) => name ?? []),
        ...messages.flatMap(({ sender }) => sender.name ?? []),
        inbox.name,
        ...(inbox.email?.displayName ? [inbox.email.displayName] : []),
      ]),
    ],
  }
}

async function messagesOf(store: TenantReads, conversationId: string): Promise<StoredMessage[]> {
  const sort = '-createdAt' as const
  const { rows } = await store.messages.listRows({ conversationId, sort, page: 1, limit: messagesMax })
  return rows.filter(({ direction }) => direction !== 'internal')
}

/** A message of ours is known as it was sent: with its signature, and with the mail that it repeats. */
async function textsOf(
  store: TenantReads,
  inbox: InboxRecord,
  messages: readonly StoredMessage[],
): Promise<KnownText[]> {
  const agents = new Map<string, Awaited<ReturnType<TenantReads['users']['find']>>>()
  const email = completeEmail(inbox.email)
  const signaturesFor = async ({ sender, createdAt }: StoredMessage) => {
    const id = sender.type === 'user' ? sender._id : null
    if (id !== null && !agents.has(id)) agents.set(id, await store.users.find(id))
    const agent = (id === null ? undefined : agents.get(id)) ?? null
    return signaturesAt(inbox.email, createdAt).map((signature) => {
      const sent = signatureOf({ ...inbox, email: { ...email, signature } }, agent)
      return { content: sent?.text ?? '', contentType: 'text' }
    })
  }
  const texts: KnownText[] = []
  let length = 0
  for (const [at, message] of messages.entries()) {
    const isOurs = message.direction === 'outbound'
    const quoted = isOurs
      ? messages.slice(at + 1).find(({ direction }) => direction === 'inbound')
      : undefined
    const below = quoted ? [{ content: introOf(quoted), contentType: 'text' }, quoted] : []
    const forms = isOurs
      ? (await signaturesFor(message)).map((signature) => [message, signature, ...below])
      : [[message]]
    for (const parts of forms) {
      const plain = parts.map(({ content, contentType }) => ({ content, contentType }))
      length += plain.reduce((sum, { content }) => sum + content.length, 0)
      if (length > lengthMax) return texts
      texts.push({ messageId: message._id, parts: plain })
    }
  }
  return texts
}
