import { type getConversation, type InputOf, notFound, shownStatus, shownWaitingSince } from '@crmkit/core'
import type { ConversationRecord } from '../../storage/kinds/conversations.ts'
import type { Handler, HandlerContext } from '../handler.ts'
import { findShownCustomer } from './conversation-references.ts'
import { lookAt } from './look-at-conversation.ts'
import { findReadState, unreadAfter } from './read-state.ts'

type Include = NonNullable<InputOf<typeof getConversation>['query']['include']>

export const handleGetConversation: Handler<typeof getConversation> = async (ctx, { params, query }) => {
  const { include = [] } = query
  let conversation = await getRow(ctx, params.id)
  for (;;) {
    const reply = await readWith(ctx, conversation, include)
    const { customerId } = reply.data
    // No row names a customer who was deleted: a merge or an erasure has come between the reads.
    const isAsked = include.length > 0 || (customerId === null && conversation.customerId !== null)
    const after = isAsked ? await getRow(ctx, params.id) : conversation
    if (isOfSameState(conversation, after)) return { reply }
    conversation = after
  }
}

async function getRow({ store }: HandlerContext, id: string) {
  const conversation = await store.conversations.find(id)
  if (conversation === undefined) throw notFound()
  return conversation
}

/** Whether neither a merge nor an erasure has changed the conversation. Messages may have come: they are in the part. */
function isOfSameState(before: ConversationRecord, after: ConversationRecord): boolean {
  return before.customerId === after.customerId && before.messageCount <= after.messageCount
}

async function readWith(ctx: HandlerContext, conversation: ConversationRecord, include: Include) {
  const { store, actor } = ctx
  const { customerId, assignedTo } = conversation
  const [state, customer, assignee, included] = await Promise.all([
    findReadState(ctx, conversation),
    findShownCustomer(store, { customerId, actor }),
    assignedTo === null ? undefined : store.users.find(assignedTo),
    // After the conversation: a message that comes meanwhile is then in the part and not yet in `seq`, and is not missed.
    include.length === 0 ? undefined : lookAt(ctx, conversation, include),
  ])
  const unread = state ? await unreadAfter(store, conversation, state.readSeq) : null
  return {
    success: true as const,
    data: {
      ...conversation,
      status: shownStatus(conversation),
      waitingSince: shownWaitingSince(conversation),
      customerId: customer,
      assignedTo: assignee ?? null,
      unread,
    },
    ...(included && { included }),
  }
}
