import { type listReplyRecipients, notFound } from '@crmkit/core'
import { suggestedRecipients } from '../../mail/out/queue-reply.ts'
import { findReplyBasis } from '../../mail/out/reply-basis.ts'
import type { Handler } from '../handler.ts'

export const handleListReplyRecipients: Handler<typeof listReplyRecipients> = async (ctx, { params }) => {
  const conversation = await ctx.store.conversations.find(params.id)
  if (conversation === undefined) throw notFound()
  const { basis, from, customer = null } = await findReplyBasis(ctx, conversation)
  const { door } = basis
  const sendsMail = door === 'email'
  const suggested = sendsMail
    ? await suggestedRecipients(ctx, conversation, customer)
    : { to: [], cc: [], offered: [] }
  return { reply: { success: true, data: { sendsMail, door, from, ...suggested } } }
}
