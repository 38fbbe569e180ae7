import type { getTenant } from '@crmkit/core'
import type { SystemHandler } from '../system-handler.ts'
import { findOwnTenant, shownTenant } from './own-tenant.ts'

export const handleGetTenant: SystemHandler<typeof getTenant> = async (ctx) => ({
  reply: { success: true, data: await shownTenant(ctx, await findOwnTenant(ctx)) },
})
