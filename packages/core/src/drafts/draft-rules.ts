import type { Attachment } from '../attachments/attachment.ts'
import type { Problem } from '../contract/failure.ts'
import type { Conversation } from '../conversations/conversation.ts'
import type { Message, NewMessageBody } from '../messages/message.ts'
import { type Draft, draftDelayMaxDays, type SaveDraftBody } from './draft.ts'
import type { DraftAuthor } from './draft-author.ts'
import type { DraftBasis } from './draft-basis.ts'

/** A draft as it is stored: its version is that of the row. */
export interface StoredDraft
  extends Omit<Draft, 'version' | 'ifSeq' | 'basis' | 'basedOn' | 'recipientsHidden'> {
  /** Absent in rows of earlier versions. */
  ifSeq?: number | null
  /** Absent in rows of earlier versions. */
  basedOn?: string | null
  /** The author of that draft, who is known when it has ended; without a name, which an erasure would have to find here. */
  basedOnAuthor?: Pick<DraftAuthor, 'type' | '_id'> | null
  /** Absent in rows of earlier versions, whose recipients nobody saw; null for a note. */
  basis?: DraftBasis | null
  /** The lists that the service has chosen; absent in rows of earlier versions. */
  filled?: ('to' | 'cc')[]
  /** The id of the author, by which the draft is found. */
  authorId: string
  /** `seq` of the conversation at the last change by the author: whatever is newer may stop the draft. */
  seenSeq: number
  /** When the service looks at it again: `sendAt`, or later where it could not be sent yet. */
  dueAt: string | null
}

/** The recipients of a draft, and on what they were chosen. */
export type FixedRecipients = Required<Pick<StoredDraft, 'to' | 'cc' | 'bcc' | 'basis' | 'filled'>>

interface DraftParts {
  /** The draft that is replaced; undefined for a new one. */
  before: StoredDraft | undefined
  id: string
  conversation: Conversation
  author: Draft['author']
  attachments: Attachment[]
  recipients: FixedRecipients
  source: Pick<StoredDraft, 'basedOn' | 'basedOnAuthor'>
  now: string
}

/** Returns the draft as a body replaces it. */
export function savedDraft(
  body: SaveDraftBody,
  { before, id, conversation, author, attachments, recipients, source, now }: DraftParts,
): StoredDraft {
  return {
    _id: before?._id ?? id,
    tenantId: conversation.tenantId,
    conversationId: conversation._id,
    author,
    authorId: author._id,
    type: body.type ?? 'reply',
    content: body.content ?? '',
    contentType: body.contentType ?? 'text',
    attachments,
    ...recipients,
    ...source,
    sendAt: body.sendAt ?? null,
    sendUnlessReplied: body.sendUnlessReplied ?? true,
    ifSeq: body.ifSeq ?? null,
    sendError: null,
    seenSeq: conversation.seq ?? 0,
    dueAt: body.sendAt ?? null,
    createdAt: before?.createdAt ?? now,
    updatedAt: now,
  }
}

const dayMs = 24 * 3_600_000

/** Returns the problems with the time at which a draft is to be sent. */
export function sendAtProblems({ sendAt, content, attachments }: SaveDraftBody, now: string): Problem[] {
  if (!sendAt) return []
  const problemOf = (field: string, rule: string, message: string): Problem => ({
    field,
    message,
    rule,
    in: 'body',
  })
  const delayMs = Date.parse(sendAt) - Date.parse(now)
  const problems: Problem[] = []
  if (delayMs <= 0) problems.push(problemOf('sendAt', 'future', 'must be in the future'))
  if (delayMs > draftDelayMaxDays * dayMs)
    problems.push(problemOf('sendAt', 'max', `must be at most ${draftDelayMaxDays} days from now`))
  if (!content && !attachments?.length)
    problems.push(problemOf('content', 'required', 'is required with a time to send it'))
  return problems
}

/**
 * Returns the body of the message that a draft becomes. Its `clientMessageId` is the draft's id, so it becomes one only.
 * Of an e-mail all lists are named, also empty ones: nobody else is chosen when it is sent.
 */
export function messageOfDraft({
  _id,
  type,
  content,
  contentType,
  to,
  cc,
  bcc,
  basis,
}: StoredDraft): NewMessageBody {
  const isFixed = basis?.door === 'email'
  const named = (list: string[]) => (list.length === 0 && !isFixed ? undefined : list)
  return {
    type,
    content,
    contentType,
    to: named(to),
    cc: named(cc),
    bcc: named(bcc),
    clientMessageId: _id,
  }
}

type NewerMessage = Pick<Message, 'direction' | 'sender'>

/** Whether a message stops the drafts of an author: one of the customer, or a reply of somebody else of the team. */
export function isReplyBeforeDraft({ direction, sender }: NewerMessage, author: Draft['author']): boolean {
  if (direction === 'inbound') return true
  const isOfTeam = sender.type === 'user' || sender.type === 'api'
  return direction === 'outbound' && isOfTeam && sender._id !== author._id
}
