import type { getInvitation } from '@crmkit/core'
import { nameOfUser } from '../../shared/name-of-user.ts'
import type { SystemHandler } from '../system-handler.ts'
import { findInvited } from './find-invited.ts'

export const handleGetInvitation: SystemHandler<typeof getInvitation> = async (ctx, { body }) => {
  const { tenantId, tenant, invited, invitedBy, expiresAt } = await findInvited(ctx, body.token)
  const inviter = invitedBy === null ? undefined : await ctx.forTenant(tenantId).users.find(invitedBy)
  const name = inviter && nameOfUser(inviter)
  const { email, firstName, lastName } = invited
  const data = {
    tenant: { name: tenant.name },
    inviter: name ? { name } : null,
    email,
    firstName,
    lastName,
    expiresAt,
  }
  return { reply: { success: true, data } }
}
