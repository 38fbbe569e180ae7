import {
  alreadyAccepted,
  assertMayChangeUser,
  type createUser,
  inviteLifeMs,
  type inviteUserAgain,
  newUser,
  normalizeEmail,
  notFound,
  userEvent,
} from '@crmkit/core'
import { userOfRecord } from '../../shared/user-of-record.ts'
import type { UserRecord } from '../../storage/kinds/users.ts'
import { type Handler, type HandlerContext, userOf } from '../handler.ts'

export const handleCreateUser: Handler<typeof createUser> = async (ctx, { body }) => {
  const { ids, now, tenantId } = ctx
  assertMayChangeUser(userOf(ctx).role, { from: body.role, to: body.role })
  const user = newUser({ ...body, id: ids.next('usr'), tenantId, isActive: false, now })
  const { invite, shown } = newInvite(ctx, user._id)
  const emailNormalized = normalizeEmail(body.email)
  const row: UserRecord = { ...user, identityId: '', emailNormalized, sessionGeneration: 0, invite }
  return {
    change: {
      writes: [{ op: 'insert', kind: 'users', row }],
      events: [userEvent('user.created', { user, eventId: ids.next('evt'), now })],
    },
    audit: { action: 'user.invited', target: { type: 'user', _id: user._id } },
    reply: { success: true, data: { ...user, ...shown } },
  }
}

export const handleInviteUserAgain: Handler<typeof inviteUserAgain> = async (ctx, { params: { id } }) => {
  const stored = await ctx.store.users.find(id)
  if (stored === undefined) throw notFound()
  assertMayChangeUser(userOf(ctx).role, { from: stored.role, to: stored.role })
  if (stored.identityId !== '') throw alreadyAccepted()
  const { invite, shown } = newInvite(ctx, id)
  return {
    change: {
      writes: [{ op: 'update', kind: 'users', id, expectVersion: stored.version, set: { invite } }],
      events: [],
    },
    audit: { action: 'user.invitedAgain', target: { type: 'user', _id: id } },
    reply: { success: true, data: { ...userOfRecord(stored), ...shown } },
  }
}

function newInvite({ services, tenantId, now }: HandlerContext, userId: string) {
  const { token, hash } = services.invites.newInvite({ tenantId, userId })
  const expiresAt = new Date(Date.parse(now) + inviteLifeMs).toISOString()
  return {
    invite: { tokenHash: hash, expiresAt },
    shown: { inviteToken: token, inviteExpiresAt: expiresAt },
  }
}
