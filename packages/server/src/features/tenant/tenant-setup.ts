import type { getTenantSetup, updateTenantSetup } from '@crmkit/core'
import { nothingDone } from '../../shared/tenant-setup.ts'
import type { SetupRecord } from '../../storage/kinds/tenants.ts'
import { type SystemContext, type SystemHandler, signedInOf } from '../system-handler.ts'
import { findOwnTenant } from './own-tenant.ts'
import { failingDoors, shownSetup, withStepsDone } from './setup-steps.ts'

export const handleGetTenantSetup: SystemHandler<typeof getTenantSetup> = (ctx) =>
  changeSetup(ctx, (setup) => setup)

export const handleUpdateTenantSetup: SystemHandler<typeof updateTenantSetup> = (ctx, { body }) => {
  const { now } = ctx
  return changeSetup(ctx, (setup) => {
    const { done } = setup
    const { dismissed, notifications } = body
    return {
      ...setup,
      done: notifications && done.notifications === undefined ? { ...done, notifications: now } : done,
      dismissedAt: dismissed === undefined ? setup.dismissedAt : dismissed ? now : null,
    }
  })
}

/** Notes what the rows show besides, so that a step that was seen done stays done. */
async function changeSetup(ctx: SystemContext, change: (setup: SetupRecord) => SetupRecord) {
  const tenant = await findOwnTenant(ctx)
  const { tenantId } = signedInOf(ctx)
  const store = ctx.forTenant(tenantId)
  const before = tenant.setup ?? nothingDone
  const after = change(await withStepsDone(store, before, ctx.now))
  const isChanged = JSON.stringify(after) !== JSON.stringify(before) && !ctx.services.isDiskFull()
  const { _id: id, version: expectVersion } = tenant
  const writes = isChanged
    ? [{ op: 'update' as const, kind: 'tenants' as const, id, expectVersion, set: { setup: after } }]
    : []
  const data = shownSetup(after, await failingDoors(store))
  return { tenantId, change: { writes, events: [] }, reply: { success: true as const, data } }
}
