import { type getConversation, notFound } from '@crmkit/core'
import { customerOfRecord } from '../../shared/customer-of-record.ts'
import type { CustomerRecord } from '../../storage/kinds/customers.ts'
import type { Handler } from '../handler.ts'
import { findReadState, unreadAfter } from './read-state.ts'

export const handleGetConversation: Handler<typeof getConversation> = async (ctx, { params }) => {
  const { store, actor } = ctx
  const conversation = await store.conversations.find(params.id)
  if (conversation === undefined) throw notFound()
  const { customerId, assignedTo } = conversation
  const [state, customer, assignee] = await Promise.all([
    findReadState(ctx, conversation),
    customerId === null ? undefined : store.customers.find(customerId),
    assignedTo === null ? undefined : store.users.find(assignedTo),
  ])
  const unread = state ? await unreadAfter(store, conversation, state.readSeq) : null
  const mayReadCustomers = actor.permissions.includes('read:customers')
  const shown = customer && (mayReadCustomers ? customerOfRecord(customer) : nameOf(customer))
  return {
    reply: {
      success: true,
      data: { ...conversation, customerId: shown ?? null, assignedTo: assignee ?? null, unread },
    },
  }
}

function nameOf({ _id, profile: { firstName, lastName } }: CustomerRecord) {
  return { _id, profile: { firstName, lastName } }
}
