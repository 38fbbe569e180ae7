import { assertMayChangeUser, makeEvent, type Role } from '@crmkit/core'
import { withdrawWebhooks } from '../../delivery/webhooks/webhook-maker.ts'
import type { Change, Write } from '../../ports/change.ts'
import { removalOf } from '../../shared/removal-of.ts'
import type { Kind } from '../../storage/kinds/registry.ts'
import type { UserRecord } from '../../storage/kinds/users.ts'
import type { Stored, TenantId } from '../../storage/records.ts'
import type { SystemContext } from '../system-handler.ts'
import { otherOwnerGuard } from './other-owner-guard.ts'

/** The role by which somebody removes a user of a tenant. */
export interface Remover {
  tenantId: TenantId
  role: Role
}

export type RemovalContext = Pick<SystemContext, 'ids' | 'now' | 'requestId' | 'system' | 'forTenant'>

type Removal = Required<Pick<Change<Kind>, 'writes' | 'events' | 'expectTenantVersion'>>

/**
 * Returns the change that ends a membership: the user, their webhooks, and the identity with its last membership. Throws
 * PERMISSION_DENIED for an owner whom the caller may not remove, and INVALID_STATE for the last owner.
 */
export async function removedUser(
  ctx: RemovalContext,
  { tenantId, role: remover }: Remover,
  user: Stored<UserRecord>,
): Promise<Removal> {
  const { ids, now, requestId } = ctx
  const { _id: id, role, isActive } = user
  const store = ctx.forTenant(tenantId)
  assertMayChangeUser(remover, { from: role, to: role })
  const guards = role === 'owner' && isActive ? [await otherOwnerGuard(store, id)] : []
  const webhooks = await withdrawWebhooks({ store, ids, now, requestId }, { type: 'user', _id: id }, [])
  return {
    writes: [
      // Conflicts when the user became an owner, or accepted the invitation, a moment ago.
      removalOf('users', user),
      ...guards,
      ...(await identityWrites(ctx, user)),
      ...webhooks.writes,
    ],
    events: [
      makeEvent({ id: ids.next('evt'), type: 'user.deleted', now, subjects: [id], data: { _id: id } }),
    ],
    expectTenantVersion: webhooks.expectTenantVersion,
  }
}

/**
 * Deletes the identity with its last membership. The version is checked in either case: when two tenants delete the
 * last two memberships at once, one of them retries and finds its own to be the last; and no user can join with an
 * identity that is being deleted.
 */
async function identityWrites(
  { system, now }: RemovalContext,
  { _id, tenantId, identityId }: Stored<UserRecord>,
): Promise<Write<Kind>[]> {
  const identity = identityId === '' ? undefined : await system.findIdentity(identityId)
  if (identity === undefined) return []
  const memberships = await system.across.memberships.of(identityId)
  const isLast = memberships.every(({ row }) => row._id === _id && row.tenantId === tenantId)
  const { version: expectVersion } = identity
  return isLast
    ? [{ op: 'remove', kind: 'identities', id: identityId, expectVersion }]
    : [{ op: 'update', kind: 'identities', id: identityId, expectVersion, set: { updatedAt: now } }]
}
