import type { Conversation } from '../conversations/conversation.ts'
import type { Message } from './message.ts'

/*
 * The fields of a conversation about its messages. They are worked out in the commit of each message, and folded again from the newest
 * messages when one fails, is taken back or is erased. Without schemas: the threads of the storage use it too.
 */

type NamedFacts = Pick<
  Conversation,
  'lastMessageAt' | 'lastMessage' | 'lastCustomerMessageAt' | 'waitingSince'
>
/** `lastMessageId` stands beside `lastMessage`, so that a database can compare it. */
export type RowFacts = NamedFacts & { lastMessageId: string | null }

/** A message as it is stored: rows of earlier versions do not have all fields. */
type Counted = Pick<
  Message,
  '_id' | 'type' | 'direction' | 'sender' | 'content' | 'contentType' | 'attachments' | 'status' | 'createdAt'
> & { readonly email?: Partial<NonNullable<Message['email']>> | null }

/** So many messages are read to fold the facts again. */
export const foldedMessagesMax = 100

const previewMax = 140
const previewReadMax = 4_096

/** Whether somebody waits since this message. No person has written what a machine sends. */
export function asksForReply({ direction, email }: Pick<Counted, 'direction' | 'email'>): boolean {
  return direction === 'inbound' && email?.automated !== true
}

/** Whether the message ends the wait: a person or a key has replied, and the reply has not failed. */
export function isAnswer({
  direction,
  sender,
  status,
  email,
}: Pick<Counted, 'direction' | 'sender' | 'status' | 'email'>): boolean {
  const isByTeam = sender.type === 'user' || sender.type === 'api'
  return direction === 'outbound' && isByTeam && status !== 'failed' && email?.automated !== true
}

/**
 * Since when the customer waits after this message. The stored time survives that the conversation is closed, so that an undo
 * shows it again; a message that opens a closed conversation begins a new wait.
 */
export function waitingAfter(
  { status, waitingSince }: Pick<Conversation, 'status' | 'waitingSince'>,
  message: Counted,
): string | null {
  if (isAnswer(message)) return null
  if (!asksForReply(message)) return waitingSince
  return status === 'closed' ? message.createdAt : (waitingSince ?? message.createdAt)
}

/** Since when the customer waits, as everybody sees it: nobody waits in a closed conversation. */
export function shownWaitingSince({
  status,
  waitingSince,
}: Pick<Conversation, 'status' | 'waitingSince'>): string | null {
  return status === 'closed' ? null : (waitingSince ?? null)
}

function isNewer(message: Counted, { lastMessageAt, lastMessage }: NamedFacts): boolean {
  if (lastMessageAt === null || message.createdAt > lastMessageAt) return true
  return message.createdAt === lastMessageAt && message._id > (lastMessage?._id ?? '')
}

/** The fields that name a message as the last one. */
export function lastMessageFields(
  message: Counted,
): Pick<RowFacts, 'lastMessageAt' | 'lastMessageId' | 'lastMessage'> {
  const { _id, direction, sender, attachments, createdAt: at } = message
  return {
    lastMessageAt: at,
    lastMessageId: _id,
    lastMessage: {
      _id,
      type: 'reply',
      direction: direction === 'inbound' ? 'inbound' : 'outbound',
      senderType: sender.type,
      at,
      preview: previewOf(message),
      files: attachments.length,
    },
  }
}

/** The facts after one more message. A note is none of them. */
export function factsAfter(before: Pick<Conversation, 'status'> & NamedFacts, message: Counted): RowFacts {
  const { lastMessageAt, lastMessage, lastCustomerMessageAt, waitingSince } = before
  const known = { lastMessageAt, lastMessageId: lastMessage?._id ?? null, lastMessage }
  if (message.type !== 'reply') return { ...known, lastCustomerMessageAt, waitingSince }
  const isLater = asksForReply(message) && message.createdAt > (lastCustomerMessageAt ?? '')
  return {
    ...(isNewer(message, before) ? lastMessageFields(message) : known),
    lastCustomerMessageAt: isLater ? message.createdAt : lastCustomerMessageAt,
    waitingSince: waitingAfter(before, message),
  }
}

/**
 * Folds the facts again from the newest messages, the newest first. Nobody waits since an imported message: `seq` counts only
 * what was written here beyond `importedSeq`.
 */
export function foldedFacts(
  { seq = 0, importedSeq = 0 }: { seq?: number; importedSeq?: number },
  newestFirst: readonly Counted[],
): RowFacts {
  const newest = newestFirst.find(({ type }) => type === 'reply')
  const asked = newestFirst.find((message) => message.type === 'reply' && asksForReply(message))
  const writtenHere = newestFirst.slice(0, Math.max(0, seq - importedSeq)).reverse()
  let waitingSince: string | null = null
  for (const message of writtenHere)
    if (message.type === 'reply') waitingSince = waitingAfter({ status: 'open', waitingSince }, message)
  return {
    ...(newest ? lastMessageFields(newest) : { lastMessageAt: null, lastMessageId: null, lastMessage: null }),
    lastCustomerMessageAt: asked?.createdAt ?? null,
    waitingSince,
  }
}

type Quoting = Pick<Counted, 'content' | 'email'>

/** Returns the text without the parts that repeat other messages. */
function withoutQuotations({ content, email }: Quoting): string {
  const parts: string[] = []
  let from = 0
  for (const quoted of email?.quoted ?? []) {
    parts.push(content.slice(from, quoted.from))
    from = Math.max(from, quoted.to)
    if (from >= previewReadMax * 4) break
  }
  const end = email?.quoted?.length ? content.length : (email?.quotedFrom ?? content.length)
  parts.push(content.slice(from, end))
  return parts.join(' ')
}

const entities: readonly (readonly [RegExp, string])[] = [
  [/&lt;/g, '<'],
  [/&gt;/g, '>'],
  [/&quot;/g, '"'],
  [/&#39;/g, "'"],
  [/&nbsp;/g, ' '],
  [/&amp;/g, '&'],
]

/** The stored HTML is safe and well formed. The cut may have gone through a tag or an entity. */
function textOfHtml(html: string): string {
  const text = html.replace(/<[^<>]*(?:>|$)/g, ' ').replace(/&[a-z#0-9]{0,8}$/i, '')
  return entities.reduce((result, [entity, character]) => result.replace(entity, character), text)
}

/** Marks at the beginning of a line, and those around words. A mark within a word stays. */
function textOfMarkdown(markdown: string): string {
  return markdown
    .replace(/^[ \t]{0,3}(?:#{1,6}|>|[-*+]|\d{1,9}[.)]|`{3,})[ \t]/gm, ' ')
    .replace(/`{3}/g, ' ')
    .replace(/!?\[([^[\]]{0,500})\]\([^()\s]{0,2000}\)/g, '$1')
    .replace(/(?<![\p{L}\p{N}])[*_~`]{1,3}(?=\S)|(?<=\S)[*_~`]{1,3}(?![\p{L}\p{N}])/gu, '')
}

const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' })

/** Returns at most `previewMax` code points, and no half of a character as people see it. */
function cut(text: string): string {
  if (text.length <= previewMax) return text
  const read = text.slice(0, previewReadMax)
  let end = 0
  for (let count = 0; count < previewMax && end < read.length; count++) {
    end += (read.codePointAt(end) ?? 0) > 0xffff ? 2 : 1
  }
  const isBetween = isPlain(read.charCodeAt(end - 1)) && isPlain(read.charCodeAt(end))
  return read.slice(0, isBetween ? end : beginOf(read, end)).trimEnd()
}

/** Whether the code is a character by itself: no mark joins it to the one before it. White space is one blank here. */
function isPlain(code: number): boolean {
  return code < 0x300
}

/** Returns where the character of a position begins. To divide the whole text takes longer than all else of a message. */
function beginOf(text: string, position: number): number {
  return graphemes.segment(text).containing(position)?.index ?? position
}

/** The beginning of a message as one line of plain text, without what it quotes; null where that is empty. */
export function previewOf(message: Quoting & Pick<Counted, 'contentType'>): string | null {
  const read = withoutQuotations(message).slice(0, previewReadMax)
  const plain = plainOf(read, message.contentType).replace(/\s+/gu, ' ').trim().toWellFormed()
  return plain === '' ? null : cut(plain)
}

function plainOf(text: string, contentType: Counted['contentType']): string {
  if (contentType === 'html') return textOfHtml(text)
  return contentType === 'markdown' ? textOfMarkdown(text) : text
}
