import {
  type Conversation,
  type listOwnMentions,
  type Mention,
  type Message,
  makeEvent,
  mentionedIdsOf,
  type NewMessageBody,
} from '@crmkit/core'
import type { Change, Write } from '../../ports/change.ts'
import type { TenantReads } from '../../ports/storage.ts'
import { pageReply } from '../../shared/reply-page.ts'
import { type MentionRecord, unreadMentionsIn } from '../../storage/kinds/mentions.ts'
import { type Actor, userOf } from '../caller.ts'
import type { Handler, HandlerContext } from '../handler.ts'

export const handleListOwnMentions: Handler<typeof listOwnMentions> = async (ctx, { query }) => {
  const { unread, include = [], ...paging } = query
  const { _id } = userOf(ctx)
  const page = await ctx.store.mentions.list({ ...paging, ...mentionsOf(_id, unread) })
  const notes = include.includes('note') ? await notesOf(ctx.store, page.rows) : undefined
  const rows = page.rows.map((row, at) => ({ ...shown(row), ...(notes && { note: notes[at] ?? null }) }))
  return { reply: pageReply({ ...page, rows }, query) }
}

/** Reads by id, all in one tick: MongoDB gets those of a kind as one command. */
function notesOf(
  { messages, conversations }: Pick<TenantReads, 'messages' | 'conversations'>,
  mentions: readonly MentionRecord[],
): Promise<Mention['note'][]> {
  return Promise.all(
    mentions.map(async ({ messageId, conversationId }) => {
      const [message, conversation] = await Promise.all([
        messages.find(messageId),
        conversations.find(conversationId),
      ])
      return message && conversation ? { subject: conversation.subject, content: message.content } : null
    }),
  )
}

function mentionsOf(userId: string, unread: boolean | undefined) {
  if (unread === undefined) return { userId }
  return unread ? { unreadOf: userId } : { readOf: userId }
}

function shown({ _id, tenantId, conversationId, messageId, userId, by, at, readAt }: MentionRecord): Mention {
  return { _id, tenantId, conversationId, messageId, userId, by, at, readAt }
}

interface Written {
  body: Pick<NewMessageBody, 'type' | 'content'>
  actor: Actor
}

/** Returns the ids of the users of the team whom a note mentions, without its author; none for a reply. */
export async function mentionedUsers(store: TenantReads, { body, actor }: Written): Promise<string[]> {
  if (body.type !== 'note') return []
  const ids = mentionedIdsOf(body.content).filter((id) => id !== actor._id)
  const users = await Promise.all(ids.map((id) => store.users.find(id)))
  return users.flatMap((user) => user?._id ?? [])
}

interface Mentioning {
  message: Message
  /** As it is after the message. */
  conversation: Conversation
}

/** Returns the rows and the events that inform the users whom a note mentions. */
export function mentionChange(
  { ids }: Pick<HandlerContext, 'ids'>,
  { message, conversation }: Mentioning,
): Change {
  const { tenantId, conversationId, _id: messageId, createdAt: at, sender } = message
  const { seq = 0, customerId } = conversation
  const by = sender.type === 'user' ? sender._id : null
  const rows = message.mentions.map((userId): MentionRecord => {
    return { _id: ids.next('men'), tenantId, conversationId, messageId, userId, by, at, readAt: null, seq }
  })
  return {
    writes: rows.map((row) => ({ op: 'insert', kind: 'mentions', row })),
    events: rows.map((row) =>
      makeEvent({
        id: ids.next('evt'),
        type: 'mention.created',
        now: at,
        subjects: [row._id, messageId, conversationId, customerId, row.userId, by],
        data: shown(row),
      }),
    ),
  }
}

/** More are marked with the next look at the conversation. */
const mentionsMax = 100

interface Reading {
  userId: string
  conversationId: string
  /** Absent: the whole conversation. */
  seenSeq?: number
  now: string
}

/** Returns the writes that mark as read what mentions a user in a conversation, up to `seenSeq`. */
export async function mentionReadWrites(
  store: TenantReads,
  { userId, conversationId, seenSeq = Number.POSITIVE_INFINITY, now }: Reading,
): Promise<Write[]> {
  const unreadIn = unreadMentionsIn({ userId, conversationId })
  const { rows } = await store.mentions.listRows({ unreadIn, page: 1, limit: mentionsMax })
  return rows
    .filter(({ seq }) => seq <= seenSeq)
    .map(({ _id: id, version: expectVersion }) => {
      return { op: 'update', kind: 'mentions', id, expectVersion, set: { readAt: now } }
    })
}
