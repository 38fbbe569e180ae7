import { choiceLines, domainOf, noEmailSettings, type StoredMessage } from '@crmkit/core'
import type MailComposer from 'nodemailer/lib/mail-composer'
import { MailboxFailure } from '../../ports/mail-source.ts'
import type { TenantStore } from '../../ports/storage.ts'
import { atFirstUse } from '../../shared/at-first-use.ts'
import { escapeHtml } from '../../shared/escape-html.ts'
import { plainTextOf } from '../../shared/plain-text.ts'
import type { ConversationRecord } from '../../storage/kinds/conversations.ts'
import type { MailSend } from '../../storage/kinds/mail-sends.ts'
import type { TenantId } from '../../storage/records.ts'
import { orMailboxFailure } from '../addresses/or-mailbox-failure.ts'
import { senderOf } from '../addresses/reply-addresses.ts'
import { serverOfInbox } from '../addresses/server-of-inbox.ts'
import { namesOf } from './prepare-chat-mail.ts'
import { type Prepared, type PrepareParts, signInFailed, unreachable } from './prepared.ts'
import { signerOf } from './sign-mail.ts'
import type { TranscriptMail } from './system-mail.ts'

const composer = atFirstUse<typeof MailComposer>('nodemailer/lib/mail-composer')
const pageSize = 100
/** Of a longer conversation the newest messages are mailed. */
const messagesMax = 500

interface Claimed {
  tenantId: TenantId
  send: MailSend
  transcript: TranscriptMail
}

/** Returns the mail with a conversation as its visitor sees it; undefined when the conversation was deleted. */
export async function prepareTranscript(
  { storage, secrets, mail, mailTokens }: PrepareParts,
  { tenantId, send, transcript }: Claimed,
): Promise<Prepared | undefined> {
  const store = storage.forTenant(tenantId)
  const conversation = await store.conversations.find(send.conversationId)
  if (conversation === undefined) return undefined
  const to = [transcript.to]
  const { relay } = mail
  const inbox = send.inboxId === '' ? undefined : await store.inboxes.find(send.inboxId)
  const server =
    inbox === undefined
      ? relay?.server
      : await orMailboxFailure(serverOfInbox({ tenantId, inbox, secrets, mail, mailTokens }))
  if (server instanceof MailboxFailure) return { result: signInFailed(server), to }
  if (server === undefined) return { result: unreachable('Nothing sends the mail'), to }
  const { email = noEmailSettings } = inbox ?? {}
  const address = inbox === undefined ? (relay?.from ?? '') : senderOf({ email, relay })
  const lines = await linesOf(store, conversation, transcript)
  const composed = {
    send,
    transcript,
    from: { address, name: email.displayName ?? '' },
    subject: transcript.isConfirmed ? `Your conversation: ${conversation.subject}` : 'Your conversation',
    lines,
  }
  const sign = inbox === undefined ? same : signerOf(secrets, { inbox, from: address })
  const content = () => sign(compose(composed))
  return { to, ...(inbox && { inbox }), mail: { server, envelope: { from: address, to }, content } }
}

const same = <T>(mail: T) => mail

interface Line {
  author: string
  at: string
  text: string
  files: string
}

/** The parts of a message that the widget shows, and nothing else of it. */
async function linesOf(
  store: TenantStore,
  { _id: conversationId }: ConversationRecord,
  { until, isConfirmed }: TranscriptMail,
): Promise<Line[]> {
  const shown: StoredMessage[] = []
  let cursor: string | undefined
  do {
    const newest = { conversationId, sort: '-createdAt', page: 1, limit: pageSize, cursor } as const
    const page = await store.messages.listRows(newest)
    const isShown = ({ direction, createdAt }: StoredMessage) =>
      createdAt <= until && (direction === 'outbound' || (isConfirmed && direction === 'inbound'))
    shown.push(...page.rows.filter(isShown))
    cursor = page.nextCursor ?? undefined
  } while (cursor !== undefined && shown.length < messagesMax)
  const names = await namesOf(store, shown)
  return shown.reverse().map((message) => ({
    author: message.direction === 'inbound' ? 'You' : (names.get(message._id) ?? 'Agent'),
    at: `${message.createdAt.slice(0, 16).replace('T', ' ')} UTC`,
    text: [
      message.contentType === 'html' ? plainTextOf(message.content) : message.content,
      choiceLines(message.choices),
    ]
      .filter(Boolean)
      .join('\n'),
    files: message.attachments.map(({ filename }) => filename).join(', '),
  }))
}

interface Composed {
  send: MailSend
  transcript: TranscriptMail
  from: { address: string; name: string }
  subject: string
  lines: readonly Line[]
}

/** The same mail at every attempt, as long as the messages are as they were. */
function compose({ send, transcript, from, subject, lines }: Composed) {
  const texts = lines.map(({ author, at, text, files }) =>
    [`${author}, ${at}`, text, files && `Files: ${files}`].filter(Boolean).join('\n'),
  )
  const html = lines.map(({ author, at, text, files }) => {
    const words = escapeHtml(text).replace(/\n/g, '<br>\n')
    const named = files && `Files: ${escapeHtml(files)}`
    return `<p>${[`<b>${escapeHtml(author)}</b>, ${at}`, words, named].filter(Boolean).join('<br>')}</p>`
  })
  return new (composer())({
    disableFileAccess: true,
    disableUrlAccess: true,
    from,
    to: { address: transcript.to, name: '' },
    subject,
    messageId: `<${send._id}@${domainOf(from.address)}>`,
    date: new Date(send.createdAt),
    headers: { 'Auto-Submitted': 'auto-generated', 'X-Auto-Response-Suppress': 'All' },
    text: texts.join('\n\n'),
    html: html.join('\n'),
    baseBoundary: send._id,
  })
    .compile()
    .createReadStream()
}
