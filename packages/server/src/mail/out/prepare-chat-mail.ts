import type { StoredMessage } from '@crmkit/core'
import { MailboxFailure } from '../../ports/mail-source.ts'
import type { TenantStore } from '../../ports/storage.ts'
import { displayNameOf } from '../../shared/display-name-of.ts'
import type { Stored } from '../../storage/records.ts'
import { findMailTags } from '../addresses/mail-key.ts'
import { sharedTag } from '../addresses/mail-tags.ts'
import { orMailboxFailure } from '../addresses/or-mailbox-failure.ts'
import { serverOfInbox } from '../addresses/server-of-inbox.ts'
import { chatMailOf } from './chat-mail.ts'
import { composeMail } from './compose-mail.ts'
import { lazily, type Prepared, type PrepareParts, signInFailed, unreachable } from './prepared.ts'
import { providerHeaders } from './provider-headers.ts'
import type { MailClaim } from './send-queued-mail.ts'
import { signerOf } from './sign-mail.ts'

/** Returns the mail with the unread replies of a chat; undefined when they were deleted. */
export async function prepareChatMail(
  { storage, attachments, secrets, mail, mailTokens }: PrepareParts,
  { tenantId, send }: MailClaim,
): Promise<Prepared | undefined> {
  const store = storage.forTenant(tenantId)
  const messages = await findMessages(store, send.chatMessageIds ?? [])
  const last = messages.find(({ _id }) => _id === send._id)
  const conversation = await store.conversations.find(send.conversationId)
  if (last === undefined || conversation === undefined) return undefined
  const to = (last.recipients ?? []).filter(({ status }) => status === 'queued').map(({ address }) => address)
  const [address] = to
  // The address was erased meanwhile.
  if (address === undefined)
    return { result: { ...unreachable('Nobody is left'), outcome: 'failed' }, to: [] }
  const [inbox, widgetInbox, tags] = await Promise.all([
    store.inboxes.find(send.inboxId),
    conversation.inboxId === null ? undefined : store.inboxes.find(conversation.inboxId),
    findMailTags(store, secrets),
  ])
  const server =
    inbox && (await orMailboxFailure(serverOfInbox({ tenantId, inbox, secrets, mail, mailTokens })))
  if (server instanceof MailboxFailure) return { result: signInFailed(server), to }
  if (inbox === undefined || tags === undefined || server === undefined)
    return { result: unreachable('The inbox has no transport'), to }
  const chat = chatMailOf({
    tags,
    mail,
    inbox,
    widgetInbox,
    conversation,
    to: address,
    messages,
    names: await namesOf(store, messages),
    isConfirmed: send.isConfirmed ?? false,
  })
  const sign = signerOf(secrets, { inbox, from: chat.message.email?.from?.address ?? '' })
  const ref = sharedTag(tags.messageIdTag(last._id), tenantId)
  const content = {
    message: chat.message,
    inbox,
    agent: null,
    quoted: undefined,
    references: [],
    providerHeaders: {
      ...providerHeaders(server.host, { ref, sesConfigurationSet: inbox.email?.sesConfigurationSet ?? null }),
      ...chat.headers,
    },
    loopMark: tags.loopMark(inbox._id),
    attachments: chat.attached.map(({ _id: id, filename, contentType }) => {
      return { filename, contentType, open: () => lazily(() => attachments.read({ tenantId, id }), id) }
    }),
    links: [],
    endsAtSeconds: 0,
  }
  const envelope = { from: chat.envelopeFrom, to }
  return { to, inbox, mail: { server, envelope, content: () => sign(composeMail(content)) } }
}

async function findMessages(
  store: Pick<TenantStore, 'messages'>,
  ids: readonly string[],
): Promise<Stored<StoredMessage>[]> {
  const found = await Promise.all(ids.map((id) => store.messages.find(id)))
  return found.filter((message) => message !== undefined)
}

/** The first names of the authors, and the names of keys for customers, as the widget shows them. */
export async function namesOf(
  store: Pick<TenantStore, 'users' | 'apiKeys'>,
  messages: readonly StoredMessage[],
): Promise<Map<string, string | null>> {
  const names = messages.map(async ({ _id, sender }) => {
    if (sender.type === 'api') return [_id, await displayNameOf(store, sender._id)] as const
    const user =
      sender.type === 'user' && sender._id !== null ? await store.users.find(sender._id) : undefined
    return [_id, user?.firstName ?? null] as const
  })
  return new Map(await Promise.all(names))
}
