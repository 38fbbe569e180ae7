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
import { ifWithinBudget, relayWrites } from '../../mail/out/outbound-budget.ts'
import { sendsSystemMail, systemMailWrite } from '../../mail/out/system-mail.ts'
import type { Write } from '../../ports/change.ts'
import { nameOfUser } from '../../shared/name-of-user.ts'
import { rowOfNewUser, userOfRecord } from '../../shared/user-of-record.ts'
import { withinHour } from '../../shared/within-hour.ts'
import type { UserRecord } from '../../storage/kinds/users.ts'
import { userOf } from '../caller.ts'
import type { Handler, HandlerContext } from '../handler.ts'

export const handleCreateUser: Handler<typeof createUser> = async (ctx, { body }) => {
  const { ids, now, tenantId } = ctx
  assertMayChangeUser(userOf(ctx).role, { from: body.role, to: body.role })
  const invited = newUser({ ...body, id: ids.next('usr'), tenantId, isActive: false, now })
  const { invite, shown, mailWrites } = await newInvite(ctx, invited)
  const user = { ...invited, inviteExpiresAt: shown.inviteExpiresAt }
  const emailNormalized = normalizeEmail(body.email)
  const row: UserRecord = {
    ...rowOfNewUser(user),
    identityId: '',
    emailNormalized,
    sessionGeneration: 0,
    invite,
  }
  return {
    change: {
      writes: [{ op: 'insert', kind: 'users', row }, ...mailWrites],
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
  const { invite, shown, mailWrites } = await newInvite(ctx, stored)
  return {
    change: {
      writes: [
        { op: 'update', kind: 'users', id, expectVersion: stored.version, set: { invite } },
        ...mailWrites,
      ],
      events: [],
    },
    audit: { action: 'user.invitedAgain', target: { type: 'user', _id: id } },
    reply: { success: true, data: { ...userOfRecord(stored, { now: ctx.now }), ...shown } },
  }
}

const mailsPerHour = 3

/** Returns a new invitation, and the write of its mail: at most three an hour, so that nobody fills a mailbox. */
async function newInvite(ctx: HandlerContext, user: Pick<UserRecord, '_id' | 'email' | 'invite'>) {
  const { services, tenantId, now, ids, serviceUrl } = ctx
  const inviter = userOf(ctx).user
  const nowMs = Date.parse(now)
  const { token, hash } = services.invites.newInvite({ tenantId, userId: user._id })
  const expiresAt = new Date(nowMs + inviteLifeMs).toISOString()
  const mailedAt = withinHour(user.invite?.mailedAt ?? [], nowMs)
  const maySend = sendsSystemMail(services.mail) && mailedAt.length < mailsPerHour
  // Beyond the budget of the day the link is still in the response, for the admin to pass on.
  const counted = maySend ? await ifWithinBudget(relayWrites(ctx, 1)) : undefined
  const isMailed = counted !== undefined
  const link = `${serviceUrl}/account/invite#token=${token}`
  const mail = { purpose: 'invitation', to: user.email, link, invitedBy: nameOfUser(inviter) } as const
  const row = { _id: ids.next('sml'), tenantId, now, mail }
  const mailWrites: Write[] = isMailed ? [systemMailWrite(services.secrets, row), ...counted] : []
  return {
    invite: {
      tokenHash: hash,
      expiresAt,
      mailedAt: isMailed ? [...mailedAt, now] : mailedAt,
      invitedBy: inviter._id,
    },
    shown: { inviteToken: token, inviteExpiresAt: expiresAt },
    mailWrites,
  }
}
