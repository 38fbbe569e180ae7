import type { Readable } from 'node:stream'
import {
  choiceLines,
  filledSignature,
  type Inbox,
  type Message,
  noEmailSettings,
  type StoredMessage,
} from '@crmkit/core'
import type MailComposer from 'nodemailer/lib/mail-composer'
import { atFirstUse } from '../../shared/at-first-use.ts'
import { isoTime } from '../../shared/clock.ts'
import { escapeHtml } from '../../shared/escape-html.ts'
import { plainTextOf } from '../../shared/plain-text.ts'
import type { FileLink } from './file-links.ts'
import { escapeMarkdown, markdownHtml } from './markdown-html.ts'

const composer = atFirstUse<typeof MailComposer>('nodemailer/lib/mail-composer')

export interface MailContent {
  message: Message
  inbox: Pick<Inbox, 'name'> & { email?: Inbox['email'] }
  /** The agent who wrote it; null for a program. */
  agent: { firstName: string | null; lastName: string | null } | null
  quoted: (Text & Pick<Message, 'sender' | 'createdAt'>) | undefined
  references: readonly string[]
  /** Headers that only the provider of the server reads. */
  providerHeaders: Readonly<Record<string, string>>
  /** The value of X-Loop by which the inbox knows its own mail. */
  loopMark: string
  attachments: readonly { filename: string; contentType: string; open(): Readable }[]
  /** Files that are not in the mail. */
  links: readonly FileLink[]
  /** When the links end, in seconds since 1970. */
  endsAtSeconds: number
}

const quotedMax = 20_000
const referencesMaxLength = 1500
/** Of a reply that nobody wrote: no other program may reply to it. */
const automaticHeaders = { 'Auto-Submitted': 'auto-replied', 'X-Auto-Response-Suppress': 'All' }

/**
 * Returns the mail of a message. The same message is the same mail at every attempt, with the same Message-ID: a
 * receiver that gets it twice can tell.
 */
export function composeMail({
  message,
  inbox,
  agent,
  quoted,
  references,
  providerHeaders,
  loopMark,
  attachments,
  links,
  endsAtSeconds,
}: MailContent): Readable {
  const { email } = message
  if (email === null) throw new Error('A message without an e-mail cannot be composed')
  const signature = signatureOf(inbox, agent)
  // The files behind links are named beside their links.
  const words = { ...message, attachments }
  const mail = new (composer())({
    disableFileAccess: true,
    disableUrlAccess: true,
    from: addressOf(email.from),
    to: email.to.map(addressOf),
    cc: email.cc.map(addressOf),
    ...(email.replyTo !== null && {
      replyTo: addressOf({ address: email.replyTo, name: email.from?.name ?? null }),
    }),
    subject: email.subject ?? '',
    messageId: `<${email.messageId}>`,
    date: new Date(message.createdAt),
    ...(email.inReplyTo !== null && { inReplyTo: `<${email.inReplyTo}>` }),
    ...(references.length > 0 && { references: headerOf(references) }),
    text: [
      textOf(words),
      linksText(links, endsAtSeconds),
      signature && `-- \n${signature.text}`,
      quoted && quotedText(quoted),
    ]
      .filter(Boolean)
      .join('\n\n'),
    html: [
      `<div>${htmlOf(words)}</div>`,
      linksHtml(links, endsAtSeconds),
      signature && `<div class="signature">-- <br>${signature.html}</div>`,
      quoted && quotedHtml(quoted),
    ]
      .filter(Boolean)
      .join('\n'),
    attachments: attachments.map(({ filename, contentType, open }) => ({
      filename,
      contentType,
      content: open(),
    })),
    headers: { 'X-Loop': loopMark, ...providerHeaders, ...(email.automated && automaticHeaders) },
    baseBoundary: message._id,
  })
  return mail.compile().createReadStream()
}

function addressOf(mailbox: { address: string; name: string | null } | null) {
  return { address: mailbox?.address ?? '', name: mailbox?.name ?? '' }
}

/** The first reference and as many of the newest ones as fit. */
function headerOf(references: readonly string[]): string {
  const [first = '', ...rest] = references.map((id) => `<${id}>`)
  let length = first.length
  const newest: string[] = []
  for (const id of rest.reverse()) {
    length += id.length + 1
    if (length > referencesMaxLength) break
    newest.unshift(id)
  }
  return [first, ...newest].join(' ')
}

/** The text is the Markdown itself, which a person can read. */
export function signatureOf(
  inbox: MailContent['inbox'],
  agent: MailContent['agent'],
): { text: string; html: string } | null {
  const { signature } = inbox.email ?? noEmailSettings
  if (signature === null) return null
  const values = {
    'agent.firstName': agent?.firstName ?? null,
    'agent.lastName': agent?.lastName ?? null,
    'inbox.name': inbox.name,
  }
  const text = filledSignature(signature, values, (value) => value)
  return { text, html: markdownHtml(filledSignature(signature, values, escapeMarkdown)) }
}

interface Text extends Pick<StoredMessage, 'content' | 'contentType' | 'choices'> {
  readonly attachments: readonly Pick<Message['attachments'][number], 'filename'>[]
}

/** A mail of files alone names them: a text of nothing but a signature looks as if the words were lost. */
function namesOf({ attachments }: Text): string {
  return attachments.map(({ filename }) => filename).join('\n')
}

/** Returns the text of a message, with the choices that it offers. */
function textOf(text: Text): string {
  const { content, contentType, choices } = text
  const words = contentType === 'html' ? plainTextOf(content) : content
  return [content === '' ? namesOf(text) : words, choiceLines(choices)].filter(Boolean).join('\n\n')
}

/** Returns the HTML of a message, with the choices that it offers: that of an agent is sanitized where it is stored. */
export function htmlOf(text: Text): string {
  const { choices = [] } = text
  const items = choices.map(({ label }) => `<li>${escapeHtml(label)}</li>`)
  return wordsOf(text) + (items.length > 0 ? `<ol>${items.join('')}</ol>` : '')
}

function wordsOf(text: Text): string {
  const { content, contentType } = text
  if (content === '') return asHtml(namesOf(text))
  if (contentType === 'markdown') return markdownHtml(content)
  return contentType === 'html' ? content : asHtml(content)
}

function asHtml(text: string): string {
  return escapeHtml(text).replace(/\n/g, '<br>\n')
}

/** The files that are too large for a mail. Their names are safe in a line: an upload removes control characters. */
function linksText(links: readonly FileLink[], endsAtSeconds: number): string {
  if (links.length === 0) return ''
  const lines = links.map(({ filename, size, url }) => `${filename} (${megabytes(size)}): ${url}`)
  return [linksIntro(endsAtSeconds), ...lines].join('\n')
}

function linksHtml(links: readonly FileLink[], endsAtSeconds: number): string {
  if (links.length === 0) return ''
  const items = links.map(({ filename, size, url }) => {
    return `<li><a href="${escapeHtml(url)}">${escapeHtml(filename)}</a> (${megabytes(size)})</li>`
  })
  return `<div class="files">${linksIntro(endsAtSeconds)}<ul>${items.join('')}</ul></div>`
}

function linksIntro(endsAtSeconds: number): string {
  return `Files to download until ${isoTime(endsAtSeconds * 1000).slice(0, 10)}:`
}

function megabytes(size: number): string {
  return `${(size / 1024 / 1024).toFixed(1)} MB`
}

/** Returns the line above the mail that a reply repeats. */
export function introOf({ sender, createdAt }: Pick<Message, 'sender' | 'createdAt'>): string {
  return `On ${createdAt.slice(0, 16).replace('T', ' ')} UTC, ${sender.name ?? 'you'} wrote:`
}

function quotedText(quoted: NonNullable<MailContent['quoted']>): string {
  const lines = textOf(quoted).slice(0, quotedMax).split('\n')
  return [introOf(quoted), ...lines.map((line) => `> ${line}`)].join('\n')
}

/** The text alone: a cut in the middle of HTML would leave tags open, and images of a stranger would be loaded. */
function quotedHtml(quoted: NonNullable<MailContent['quoted']>): string {
  const text = asHtml(textOf(quoted).slice(0, quotedMax))
  return `<div class="quote">${asHtml(introOf(quoted))}<blockquote type="cite">${text}</blockquote></div>`
}
