import { type Message, noEmailSettings, shownMessage } from '@crmkit/core'
import { MailboxFailure } from '../../ports/mail-source.ts'
import { findMailTags } from '../addresses/mail-key.ts'
import { sharedTag } from '../addresses/mail-tags.ts'
import { orMailboxFailure } from '../addresses/or-mailbox-failure.ts'
import { replyAddresses } from '../addresses/reply-addresses.ts'
import { serverOfInbox } from '../addresses/server-of-inbox.ts'
import { composeMail } from './compose-mail.ts'
import { fileLinkOf, linkEndOf, splitFiles } from './file-links.ts'
import { prepareChatMail } from './prepare-chat-mail.ts'
import { prepareTranscript } from './prepare-transcript.ts'
import { lazily, type Prepared, type PrepareParts, signInFailed, unreachable } from './prepared.ts'
import { providerHeaders } from './provider-headers.ts'
import { giveUpMs } from './queue-reply.ts'
import type { MailClaim, MailJobParts } from './send-queued-mail.ts'
import { signerOf } from './sign-mail.ts'
import { composeSystemMail, openSystemMail } from './system-mail.ts'

/** Returns the mail of a claim; undefined when its message was deleted. Reads the settings at each attempt. */
export function prepareMail(parts: PrepareParts, claim: MailClaim): Promise<Prepared | undefined> {
  if (claim.send.systemMail !== undefined) return prepareSystemMail(parts, claim)
  return claim.send.chatMessageIds === undefined
    ? prepareMessage(parts, claim)
    : prepareChatMail(parts, claim)
}

async function prepareSystemMail(
  parts: PrepareParts,
  { tenantId, send }: MailClaim,
): Promise<Prepared | undefined> {
  const {
    storage,
    secrets,
    mail: { relay },
  } = parts
  const mail = openSystemMail(secrets, send)
  if (mail?.purpose === 'transcript') return prepareTranscript(parts, { tenantId, send, transcript: mail })
  const tenant = await storage.system.findTenant(tenantId)
  if (mail === undefined || tenant === undefined) return undefined
  const to = [mail.to]
  if (relay === undefined) return { result: unreachable('The installation has no mail relay'), to }
  const { _id: id, createdAt } = send
  const content = () => composeSystemMail({ id, createdAt, relay, mail, tenantName: tenant.name })
  return { to, mail: { server: relay.server, envelope: { from: relay.from, to }, content } }
}

async function prepareMessage(
  { storage, attachments, secrets, mail, mailTokens }: PrepareParts,
  { tenantId, send }: MailClaim,
): Promise<Prepared | undefined> {
  const store = storage.forTenant(tenantId)
  const [row, inbox, tags] = await Promise.all([
    store.messages.find(send._id),
    store.inboxes.find(send.inboxId),
    findMailTags(store, secrets),
  ])
  if (row === undefined) return undefined
  const message = shownMessage(row)
  const to = message.recipients.filter(({ status }) => status === 'queued').map(({ address }) => address)
  const server =
    inbox && (await orMailboxFailure(serverOfInbox({ tenantId, inbox, secrets, mail, mailTokens })))
  if (server instanceof MailboxFailure) return { result: signInFailed(server), to }
  if (inbox === undefined || tags === undefined || server === undefined || message.email === null)
    return { result: unreachable('The inbox has no transport'), to }
  const quoted = send.quotedMessageId === null ? undefined : await store.messages.find(send.quotedMessageId)
  const { email = noEmailSettings } = inbox
  const { relay, domain } = mail
  const { conversationId } = send
  const { envelopeFrom } = replyAddresses({ tenantId, email, tags, conversationId, relay, domain })
  const agent = await agentOf(store, message)
  const { baseUrl } = mail
  const { attached, linked } =
    baseUrl === undefined ? { attached: message.attachments, linked: [] } : splitFiles(message.attachments)
  const files = attached.map(({ _id: id, filename, contentType }) => {
    return { filename, contentType, open: () => lazily(() => attachments.read({ tenantId, id }), id) }
  })
  const endsAtSeconds = linkEndOf(Date.parse(send.giveUpAt) - giveUpMs)
  const links = linked.map((file) => {
    return fileLinkOf({ tags, tenantId, file, baseUrl: baseUrl ?? '', endsAtSeconds })
  })
  const { references } = send
  const sign = signerOf(secrets, { inbox, from: message.email.from?.address ?? '' })
  const loopMark = tags.loopMark(inbox._id)
  const content = {
    message,
    inbox,
    agent,
    quoted,
    references,
    providerHeaders: providerHeaders(server.host, {
      ref: sharedTag(tags.messageIdTag(message._id), tenantId),
      sesConfigurationSet: email.sesConfigurationSet,
    }),
    loopMark,
    attachments: files,
    links,
    endsAtSeconds,
  }
  return {
    to,
    inbox,
    mail: { server, envelope: { from: envelopeFrom, to }, content: () => sign(composeMail(content)) },
  }
}

async function agentOf(
  store: ReturnType<MailJobParts['storage']['forTenant']>,
  { sender }: Message,
): Promise<{ firstName: string | null; lastName: string | null } | null> {
  const user = sender.type === 'user' && sender._id !== null ? await store.users.find(sender._id) : undefined
  return user ?? null
}
