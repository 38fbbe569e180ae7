import { type Customer, type getConversation, notFound } from '@crmkit/core'
import type { Handler } from '../handler.ts'

export const handleGetConversation: Handler<typeof getConversation> = async (
  { store, actor },
  { params },
) => {
  const conversation = await store.conversations.find(params.id)
  if (conversation === undefined) throw notFound()
  const { customerId, assignedTo } = conversation
  const [customer, assignee] = await Promise.all([
    customerId === null ? undefined : store.customers.find(customerId),
    assignedTo === null ? undefined : store.users.find(assignedTo),
  ])
  const mayReadCustomers = actor.permissions.includes('read:customers')
  const shown = customer && (mayReadCustomers ? customer : nameOf(customer))
  return {
    reply: {
      success: true,
      data: { ...conversation, customerId: shown ?? null, assignedTo: assignee ?? null },
    },
  }
}

function nameOf({ _id, profile: { firstName, lastName } }: Customer) {
  return { _id, profile: { firstName, lastName } }
}
