import {
  domainOf,
  emptyMessageEmail,
  type Message,
  noEmailSettings,
  replySubject,
  type StoredMessage,
  shownMessage,
} from '@crmkit/core'
import type { MailSettings } from '../../ports/mail-sender.ts'
import { escapeHtml } from '../../shared/escape-html.ts'
import type { ConversationRecord } from '../../storage/kinds/conversations.ts'
import type { InboxRecord } from '../../storage/kinds/inboxes.ts'
import type { MailTags } from '../addresses/mail-tags.ts'
import { replyAddresses } from '../addresses/reply-addresses.ts'
import { htmlOf } from './compose-mail.ts'
import { splitFiles } from './file-links.ts'
import { addressMark, stopLinkOf } from './stop-link.ts'

interface ChatMailParts {
  tags: MailTags
  mail: MailSettings
  /** The inbox that sends the mail. */
  inbox: InboxRecord
  /** The inbox of the chat widget. */
  widgetInbox: InboxRecord | undefined
  conversation: ConversationRecord
  to: string
  /** The oldest first. */
  messages: readonly StoredMessage[]
  /** First names of the authors, by the ids of the messages. */
  names: ReadonlyMap<string, string | null>
  isConfirmed: boolean
}

export interface ChatMail {
  /** Stands for all messages of the mail. */
  message: Message
  attached: Message['attachments']
  headers: Readonly<Record<string, string>>
  envelopeFrom: string
}

/**
 * Returns the mail with replies that a visitor has not read. It holds the words of the team and nothing of the visitor; to an address
 * from which nobody has replied it does not name the subject either, which is made of the visitor's words.
 */
export function chatMailOf(parts: ChatMailParts): ChatMail {
  const { tags, mail, inbox, conversation, to, messages, isConfirmed } = parts
  const { email = noEmailSettings, name } = inbox
  const { tenantId, _id: conversationId } = conversation
  const { relay, domain, baseUrl = '' } = mail
  const { from, replyTo, envelopeFrom } = replyAddresses({
    tenantId,
    email,
    tags,
    conversationId,
    relay,
    domain,
  })
  const last = messages.at(-1)
  if (last === undefined) throw new Error('A mail to a visitor holds a message')
  const files = messages.flatMap(({ attachments }) => attachments)
  const { attached, linked } = splitFiles(files)
  const stop = stopLinkOf({ tags, baseUrl, tenantId, conversationId, mark: addressMark(to) })
  const back = linkBackOf(parts)
  const lines = [
    ...messages.map((message) => sectionOf(message, parts.names.get(message._id) ?? null)),
    ...(linked.length > 0
      ? [`<p>In the chat: ${linked.map(({ filename }) => escapeHtml(filename)).join(', ')}</p>`]
      : []),
    ...(back === undefined ? [] : [paragraph('Open the chat:', back)]),
    paragraph('No more mail about this chat:', stop),
  ]
  return {
    attached,
    envelopeFrom,
    headers: {
      'List-Unsubscribe': `<${stop}>`,
      'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
    },
    message: {
      ...shownMessage(last),
      content: lines.join('\n'),
      contentType: 'html',
      email: {
        ...emptyMessageEmail,
        from,
        replyTo,
        to: [{ address: to, name: null }],
        subject: isConfirmed
          ? replySubject(conversation.subject)
          : `A reply from ${email.displayName ?? name}`,
        messageId: `${tags.messageIdTag(last._id)}@${domainOf(from.address)}`,
      },
    },
  }
}

function sectionOf(message: StoredMessage, name: string | null): string {
  const author = name === null ? '' : `<p><b>${escapeHtml(name)}</b></p>`
  return `<div>${author}<div>${htmlOf(message)}</div></div>`
}

function paragraph(text: string, url: string): string {
  return `<p>${text} <a href="${escapeHtml(url)}">${escapeHtml(url)}</a></p>`
}

/**
 * Returns the page that the visitor wrote on, with the mark that opens the chat. The page is what a browser has said, so it has to be
 * one of the inbox's list.
 */
function linkBackOf({
  conversation: { page },
  widgetInbox,
}: Pick<ChatMailParts, 'conversation' | 'widgetInbox'>): string | undefined {
  const origin = page === null ? undefined : URL.parse(page)?.origin
  const isListed = origin !== undefined && widgetInbox?.widget.allowedOrigins.includes(origin)
  return isListed ? `${page}#crm-chat` : undefined
}
