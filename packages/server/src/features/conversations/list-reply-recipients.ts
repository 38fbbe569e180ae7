import { type listReplyRecipients, notFound } from '@crmkit/core'
import { defaultRecipients } from '../../mail/queue-reply.ts'
import type { Handler } from '../handler.ts'
import { findCustomerOf } from './conversation-references.ts'

export const handleListReplyRecipients: Handler<typeof listReplyRecipients> = async (ctx, { params }) => {
  const { store } = ctx
  const conversation = await store.conversations.find(params.id)
  if (conversation === undefined) throw notFound()
  const customer = await findCustomerOf(store, conversation.customerId)
  const chosen = await defaultRecipients(ctx, conversation, customer)
  const { to = [], cc = [] } = chosen ?? {}
  return { reply: { success: true, data: { sendsMail: chosen !== undefined, to, cc } } }
}
