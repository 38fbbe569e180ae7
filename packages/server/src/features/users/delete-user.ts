import { type deleteUser, notFound } from '@crmkit/core'
import { type SystemHandler, signedInOf } from '../system-handler.ts'
import { releaseUser } from './release-user.ts'
import { removedUser } from './remove-user.ts'

export const handleDeleteUser: SystemHandler<typeof deleteUser> = async (ctx, { params: { id } }) => {
  const { ids, now, forTenant } = ctx
  const { tenantId } = signedInOf(ctx)
  const store = forTenant(tenantId)
  const user = await store.users.find(id)
  if (user === undefined) throw notFound()
  const removal = await removedUser(ctx, user)
  const first = await releaseUser({ store, ids, now }, id)
  const rest = { _id: ids.next('tsk'), tenantId, type: 'releaseUser', subjectId: id, targetId: null } as const
  return {
    tenantId,
    change: {
      writes: [
        ...removal.writes,
        ...first.writes,
        { op: 'insert', kind: 'tasks', row: { ...rest, requestedAt: now } },
      ],
      events: first.events,
      expectTenantVersion: removal.expectTenantVersion,
    },
    audit: { action: 'user.deleted', target: { type: 'user', _id: id } },
    reply: { success: true, message: 'User deleted' },
  }
}
