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
import type { UserRecord } from '../../storage/kinds/users.ts'
import type { Stored } from '../../storage/records.ts'
import { userOf } from '../caller.ts'
import type { Handler, HandlerContext } from '../handler.ts'
import { changedImageSenders, imageSendersOf } from './image-senders.ts'
import { otherOwnerGuard } from './other-owner-guard.ts'

export const handleUpdateUser: Handler<typeof updateUser> = async (ctx, { params: { id }, body }) =>
  changeUser(ctx, await findUser(ctx, id), body)

export const handleUpdateMe: Handler<typeof updateMe> = async (ctx, { body: { imageSender, ...body } }) => {
  const { secrets } = ctx.services
  const stored = await findUser(ctx, userOf(ctx)._id)
  const own = changedImageSenders(secrets, stored, imageSender)
  const changed = await changeUser(ctx, stored, body, own)
  const imageSenders = imageSendersOf(secrets, { ...stored, ...own })
  return { ...changed, reply: { success: true, data: { ...changed.reply.data, imageSenders } } }
}

async function findUser({ store }: HandlerContext, id: string): Promise<Stored<UserRecord>> {
  const stored = await store.users.find(id)
  if (stored === undefined) throw notFound()
  return stored
}

/** Changes a user by the fields that everybody sees, and by others of the row, which no event shows. */
async function changeUser(
  ctx: HandlerContext,
  stored: Stored<UserRecord>,
  body: UpdateUserBody,
  own: Pick<UserRecord, 'imageSenders'> = {},
) {
  const { store, ids, now } = ctx
  const { _id: id, version: expectVersion } = stored
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
  if (Object.keys(changes).length === 0) {
    const write = { op: 'update' as const, kind: 'users' as const, id, expectVersion, set: own }
    return {
      ...(Object.keys(own).length > 0 && { change: { writes: [write], events: [] } }),
      reply: { success: true as const, data: shown(before) },
    }
  }
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
    ...own,
    ...(isDeactivated && { sessionGeneration: (stored.sessionGeneration ?? 0) + 1 }),
  }
  const lost = await withdrawn(ctx, { before, user })
  // Users change their own availability many times a day: the audit log does not need it.
  const isAdministered = id !== actorId || 'role' in changes || 'isActive' in changes
  const event = userEvent('user.updated', { user, changes, eventId: ids.next('evt'), now })
  return {
    change: {
      writes: [
        { op: 'update' as const, kind: 'users' as const, id, expectVersion, set },
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
