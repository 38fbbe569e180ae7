import { assertMayChangeUser, type deleteUser, notFound } from '@crmkit/core'
import { withdrawWebhooks } from '../../delivery/webhook-maker.ts'
import type { Write } from '../../ports/change.ts'
import type { Kind } from '../../storage/kinds/registry.ts'
import type { UserRecord } from '../../storage/kinds/users.ts'
import type { Stored } from '../../storage/records.ts'
import { type SystemContext, type SystemHandler, signedInOf } from '../handler.ts'
import { otherOwnerGuard } from './other-owner-guard.ts'
import { releaseUser } from './release-user.ts'

export const handleDeleteUser: SystemHandler<typeof deleteUser> = async (ctx, { params: { id } }) => {
  const { ids, now, forTenant, requestId } = ctx
  const { tenantId, actor } = signedInOf(ctx)
  const store = forTenant(tenantId)
  const user = await store.users.find(id)
  if (user === undefined) throw notFound()
  assertMayChangeUser(actor.role, { from: user.role, to: user.role })
  const guards = user.role === 'owner' && user.isActive ? [await otherOwnerGuard(store, id)] : []
  const webhooks = await withdrawWebhooks({ store, ids, now, requestId }, { type: 'user', _id: id }, [])
  const first = await releaseUser({ store, ids, now }, id)
  const rest = { _id: ids.next('tsk'), tenantId, type: 'releaseUser', subjectId: id, targetId: null } as const
  return {
    tenantId,
    change: {
      writes: [
        // Makes the commit conflict when the user became an owner, or accepted the invitation, a moment ago.
        { op: 'update', kind: 'users', id, expectVersion: user.version, set: {} },
        { op: 'remove', kind: 'users', id },
        ...guards,
        ...(await identityWrites(ctx, user)),
        ...first.writes,
        ...webhooks.writes,
        { op: 'insert', kind: 'tasks', row: { ...rest, requestedAt: now } },
      ],
      events: first.events,
      expectTenantVersion: webhooks.expectTenantVersion,
    },
    audit: { action: 'user.deleted', target: { type: 'user', _id: id } },
    reply: { success: true, message: 'User deleted' },
  }
}

/**
 * Deletes the identity with its last membership. The version is checked in either case: when two tenants delete the
 * last two memberships at once, one of them retries and finds its own to be the last; and no user can join with an
 * identity that is being deleted.
 */
async function identityWrites(
  { system, now }: SystemContext,
  { _id, tenantId, identityId }: Stored<UserRecord>,
): Promise<Write<Kind>[]> {
  const identity = identityId === '' ? undefined : await system.findIdentity(identityId)
  if (identity === undefined) return []
  const memberships = await system.listMemberships(identityId)
  const isLast = memberships.every(({ user }) => user._id === _id && user.tenantId === tenantId)
  const { version: expectVersion } = identity
  return [
    { op: 'update', kind: 'identities', id: identityId, expectVersion, set: { updatedAt: now } },
    ...(isLast ? [{ op: 'remove', kind: 'identities', id: identityId } as const] : []),
  ]
}
