import { type getMe, type getUser, type listUsers, notFound } from '@crmkit/core'
import { pageReply } from '../../shared/reply-page.ts'
import { userOf } from '../caller.ts'
import type { Handler } from '../handler.ts'

export const handleListUsers: Handler<typeof listUsers> = async ({ store }, { query }) => ({
  reply: pageReply(await store.users.list(query), query),
})

export const handleGetUser: Handler<typeof getUser> = async ({ store }, { params }) => {
  const user = await store.users.find(params.id)
  if (user === undefined) throw notFound()
  return { reply: { success: true, data: user } }
}

export const handleGetMe: Handler<typeof getMe> = async (ctx) => {
  // Read again: the user that authentication holds may be ten seconds old.
  const user = await ctx.store.users.find(userOf(ctx)._id)
  if (user === undefined) throw notFound()
  return { reply: { success: true, data: user } }
}
