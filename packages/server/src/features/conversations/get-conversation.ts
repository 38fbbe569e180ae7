import { type getConversation, notFound, shownWaitingSince } from '@crmkit/core'
import type { Handler } from '../handler.ts'
import { findShownCustomer } from './conversation-references.ts'
import { lookAt } from './look-at-conversation.ts'
import { findReadState, unreadAfter } from './read-state.ts'

export const handleGetConversation: Handler<typeof getConversation> = async (ctx, { params, query }) => {
  const { store, actor } = ctx
  const conversation = await store.conversations.find(params.id)
  if (conversation === undefined) throw notFound()
  const { customerId, assignedTo } = conversation
  const { include = [] } = query
  const [state, customer, assignee, included] = await Promise.all([
    findReadState(ctx, conversation),
    findShownCustomer(store, { customerId, actor }),
    assignedTo === null ? undefined : store.users.find(assignedTo),
    // After the conversation: a message that comes meanwhile is then in the part and not yet in `seq`, and is not missed.
    include.length === 0 ? undefined : lookAt(ctx, conversation, include),
  ])
  const unread = state ? await unreadAfter(store, conversation, state.readSeq) : null
  return {
    reply: {
      success: true,
      data: {
        ...conversation,
        waitingSince: shownWaitingSince(conversation),
        customerId: customer,
        assignedTo: assignee ?? null,
        unread,
      },
      ...(included && { included }),
    },
  }
}
