import {
  assertMayChangeUser,
  availabilityAt,
  availabilityProblems,
  changedAvailability,
  hiddenAvailability,
  losesOwner,
  notAcceptedYet,
  notFound,
  rolePermissions,
  type UpdateUserBody,
  type User,
  updatedUser,
  type updateMe,
  type updateUser,
  userEvent,
  validationFailure,
} from '@crmkit/core'
import { withdrawWebhooks } from '../../delivery/webhooks/webhook-maker.ts'
import { userOfRecord } from '../../shared/user-of-record.ts'
import { userOf } from '../caller.ts'
import type { Handler, HandlerContext } from '../handler.ts'
import { otherOwnerGuard } from './other-owner-guard.ts'

export const handleUpdateUser: Handler<typeof updateUser> = (ctx, { params, body }) =>
  changeUser(ctx, params.id, body)

export const handleUpdateMe: Handler<typeof updateMe> = (ctx, { body }) =>
  changeUser(ctx, userOf(ctx)._id, body)

async function changeUser(ctx: HandlerContext, id: string, body: UpdateUserBody) {
  const { store, ids, now } = ctx
  const stored = await store.users.find(id)
  if (stored === undefined) throw notFound()
  const problems = availabilityProblems(body, now)
  if (problems.length > 0) throw validationFailure(problems)
  const { _id: actorId, role: actorRole } = userOf(ctx)
  const before = userOfRecord(stored, { now, viewerId: id })
  const mode = changedAvailability(before, body, now)
  const availabilityAfter = availabilityAt(
    { ...stored, ...mode, isActive: body.isActive ?? stored.isActive },
    now,
  )
  const { user, changes } = updatedUser(before, body, { now, availability: availabilityAfter })
  const shown = (row: User) => ({
    ...row,
    ...(row.processingRestricted && id !== actorId && hiddenAvailability(row)),
  })
  if (user.isActive && stored.identityId === '') throw notAcceptedYet()
  if (Object.keys(changes).length === 0) return { reply: { success: true as const, data: shown(before) } }
  if (id !== actorId || 'role' in changes) {
    assertMayChangeUser(actorRole, { from: before.role, to: user.role })
  }
  const guards = losesOwner(before, user) ? [await otherOwnerGuard(store, id)] : []
  const { firstName, lastName, role, isActive, updatedAt } = user
  const isDeactivated = before.isActive && !isActive
  const set = {
    firstName,
    lastName,
    ...mode,
    role,
    isActive,
    updatedAt,
    ...(isDeactivated && { sessionGeneration: (stored.sessionGeneration ?? 0) + 1 }),
  }
  const lost = await withdrawn(ctx, { before, user })
  // Users change their own availability many times a day: the audit log does not need it.
  const isAdministered = id !== actorId || 'role' in changes || 'isActive' in changes
  const event = userEvent('user.updated', { user, changes, eventId: ids.next('evt'), now })
  return {
    change: {
      writes: [
        { op: 'update' as const, kind: 'users' as const, id, expectVersion: stored.version, set },
        ...guards,
        ...lost.writes,
      ],
      events: [event],
      ...lost.guard,
    },
    ...(isAdministered && {
      audit: {
        action: 'user.updated' as const,
        target: { type: 'user', _id: id },
        changed: Object.keys(changes),
      },
    }),
    reply: { success: true as const, data: shown(user) },
  }
}

/** The part of a change for the webhooks of a user who loses permissions; empty when no permission is lost. */
async function withdrawn(ctx: HandlerContext, { before, user }: { before: User; user: User }) {
  const [had, has] = [permissionsOf(before), permissionsOf(user)]
  if (had.every((permission) => has.includes(permission))) return { writes: [], guard: {} }
  const maker = { type: 'user', _id: user._id } as const
  const { writes, expectTenantVersion } = await withdrawWebhooks(ctx, maker, has)
  return { writes, guard: { expectTenantVersion } }
}

const permissionsOf = ({ isActive, role }: User) => (isActive ? rolePermissions[role] : [])
