import {
  assertMayChangeRole,
  assertOwnerRemains,
  notFound,
  type UpdateUserBody,
  updatedUser,
  type updateMe,
  type updateUser,
  userEvent,
} from '@crmkit/core'
import { type Handler, type HandlerContext, userOf } from '../../handler.ts'
import { withoutVersion } from '../../ports/records.ts'

export const handleUpdateUser: Handler<typeof updateUser> = (ctx, { params, body }) =>
  changeUser(ctx, params.id, body)

export const handleUpdateMe: Handler<typeof updateMe> = (ctx, { body }) =>
  changeUser(ctx, userOf(ctx)._id, body)

async function changeUser(ctx: HandlerContext, id: string, body: UpdateUserBody) {
  const { store, ids, now } = ctx
  const stored = await store.users.find(id)
  if (stored === undefined) throw notFound()
  const { identityId: _identity, emailNormalized: _email, ...before } = withoutVersion(stored)
  const { user, changes } = updatedUser(before, body, now)
  if (Object.keys(changes).length === 0) return { reply: { success: true as const, data: before } }
  if ('role' in changes || 'isActive' in changes) {
    assertMayChangeRole(userOf(ctx).role, { from: before.role, to: user.role })
    assertOwnerRemains(before, user, await store.users.countActive({ role: 'owner', except: id }))
  }
  const { firstName, lastName, availability, role, isActive, updatedAt } = user
  const set = { firstName, lastName, availability, role, isActive, updatedAt }
  const event = userEvent('user.updated', { user, changes, eventId: ids.next('evt'), now })
  return {
    change: {
      writes: [{ op: 'update' as const, kind: 'users' as const, id, expectVersion: stored.version, set }],
      events: [event],
    },
    reply: { success: true as const, data: user },
  }
}
