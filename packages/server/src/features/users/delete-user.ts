import { type deleteUser, notFound } from '@crmkit/core'
import type { Change } from '../../ports/change.ts'
import type { Kind } from '../../storage/kinds/registry.ts'
import type { UserRecord } from '../../storage/kinds/users.ts'
import type { Stored } from '../../storage/records.ts'
import { type SystemHandler, signedInOf } from '../system-handler.ts'
import { releaseUser } from './release-user.ts'
import { type RemovalContext, type Remover, removedUser } from './remove-user.ts'

/** Returns the change that ends a membership; what the user wrote keeps their name. */
export async function userRemoval(
  ctx: RemovalContext,
  remover: Remover,
  user: Stored<UserRecord>,
): Promise<Change<Kind>> {
  const { ids, now, forTenant } = ctx
  const { tenantId } = remover
  const { _id: id } = user
  const removal = await removedUser(ctx, remover, user)
  const first = await releaseUser({ store: forTenant(tenantId), ids, now }, id)
  const rest = { _id: ids.next('tsk'), tenantId, type: 'releaseUser', subjectId: id, targetId: null } as const
  return {
    writes: [
      ...removal.writes,
      ...first.writes,
      { op: 'insert', kind: 'tasks', row: { ...rest, requestedAt: now } },
    ],
    events: [...removal.events, ...first.events],
    expectTenantVersion: removal.expectTenantVersion,
  }
}

export const handleDeleteUser: SystemHandler<typeof deleteUser> = async (ctx, { params: { id } }) => {
  const { tenantId, actor } = signedInOf(ctx)
  const user = await ctx.forTenant(tenantId).users.find(id)
  if (user === undefined) throw notFound()
  return {
    tenantId,
    change: await userRemoval(ctx, { tenantId, role: actor.role }, user),
    audit: { action: 'user.deleted', target: { type: 'user', _id: id } },
    reply: { success: true, message: 'User deleted' },
  }
}
