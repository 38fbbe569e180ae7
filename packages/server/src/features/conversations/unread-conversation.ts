import {
  type Conversation,
  notFound,
  referenceProblem,
  type unreadConversation,
  unreadMax,
  validationFailure,
} from '@crmkit/core'
import type { TenantReads } from '../../ports/storage.ts'
import { rowsShownIn } from '../../shared/merged-conversation.ts'
import { userOf } from '../caller.ts'
import type { Handler } from '../handler.ts'
import { findReadState, readSignal, readWrites, unreadAfter } from './read-state.ts'

export const handleUnreadConversation: Handler<typeof unreadConversation> = async (ctx, { params, body }) => {
  const { store, now } = ctx
  const { _id: userId } = userOf(ctx)
  const conversation = await store.conversations.find(params.id)
  if (conversation === undefined) throw notFound()
  const { _id: id, seq = 0 } = conversation
  const before = await findReadState(ctx, conversation)
  const newer = await countFrom(store, { conversation, messageId: body.messageId ?? null, userId })
  const readSeq = newer === undefined ? (before?.readSeq ?? seq) : seq - newer
  const unread = await unreadAfter(store, conversation, readSeq)
  const reply = { success: true as const, data: { conversationId: id, seq: readSeq, unread } }
  if (before?.row?.readSeq === readSeq || newer === undefined) return { reply }
  const writes = readWrites({ userId, conversation, row: before?.row, readSeq, now })
  const live = [readSignal({ userId, conversationId: id, seq: readSeq, unread })]
  return { reply, change: { writes, events: [] }, live }
}

interface Named {
  conversation: Conversation
  /** Null: the newest message by somebody else. */
  messageId: string | null
  userId: string
}

/**
 * Returns how many messages there are from the named one to the newest, counted up to `unreadMax`; undefined when nobody else
 * has written. Throws VALIDATION_ERROR for a message that is not of the conversation.
 */
async function countFrom(
  store: TenantReads,
  { conversation, messageId, userId }: Named,
): Promise<number | undefined> {
  const shown = rowsShownIn(conversation)
  const newest = { ...shown, sort: '-createdAt', page: 1, limit: unreadMax } as const
  const { rows } = await store.messages.listRows(newest)
  const index = rows.findIndex(({ _id, sender }) =>
    messageId === null ? sender._id !== userId : _id === messageId,
  )
  if (index >= 0) return index + 1
  if (messageId === null) return undefined
  const named = await store.messages.find(messageId)
  const ids = 'conversationIds' in shown ? shown.conversationIds : [shown.conversationId]
  if (named === undefined || !ids.includes(named.conversationId))
    throw validationFailure([referenceProblem('messageId')])
  return unreadMax
}
