import { type getMe, type getUser, type listUsers, notFound } from '@crmkit/core'
import { pageReply } from '../../shared/reply-page.ts'
import { userOfRecord } from '../../shared/user-of-record.ts'
import { userOf } from '../caller.ts'
import type { Handler, HandlerContext } from '../handler.ts'
import { imageSendersOf } from './image-senders.ts'

/** The one who asks sees what others do not, where they have restricted the processing of their data. */
function lookOf({ actor, now }: Pick<HandlerContext, 'actor' | 'now'>) {
  return { now, viewerId: actor._id }
}

export const handleListUsers: Handler<typeof listUsers> = async (ctx, { query }) => {
  const page = await ctx.store.users.list(query)
  return {
    reply: pageReply({ ...page, rows: page.rows.map((row) => userOfRecord(row, lookOf(ctx))) }, query),
  }
}

export const handleGetUser: Handler<typeof getUser> = async (ctx, { params }) => {
  const user = await ctx.store.users.find(params.id)
  if (user === undefined) throw notFound()
  return { reply: { success: true, data: userOfRecord(user, lookOf(ctx)) } }
}

export const handleGetMe: Handler<typeof getMe> = async (ctx) => {
  // Read again: the user that authentication holds may be ten seconds old.
  const user = await ctx.store.users.find(userOf(ctx)._id)
  if (user === undefined) throw notFound()
  const imageSenders = imageSendersOf(ctx.services.secrets, user)
  return { reply: { success: true, data: { ...userOfRecord(user, lookOf(ctx)), imageSenders } } }
}
