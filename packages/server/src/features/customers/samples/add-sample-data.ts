import { type addSampleData, conflict, Failure, invalidState } from '@crmkit/core'
import { nothingDone } from '../../../shared/tenant-setup.ts'
import { type SystemHandler, signedInOf } from '../../system-handler.ts'
import { sampleRows } from './sample-rows.ts'

const inboxesRead = 100

export const handleAddSampleData: SystemHandler<typeof addSampleData> = async (ctx) => {
  const { ids, now } = ctx
  const { tenantId, actor } = signedInOf(ctx)
  const tenant = await ctx.system.findTenant(tenantId)
  if (tenant === undefined) throw new Failure('AUTH_REQUIRED', 'The tenant was deleted')
  const { _id: id, version: expectVersion, setup = nothingDone } = tenant
  if (setup.sampleData) throw conflict('The tenant has sample data already')
  const { rows } = await ctx.forTenant(tenantId).inboxes.listRows({ page: 1, limit: inboxesRead })
  const inbox = rows.find(({ isDefault }) => isDefault) ?? rows[0]
  if (inbox === undefined) throw invalidState('Sample data need an inbox', 'none', [])
  const parts = { ids, now, tenantId, userId: actor._id, inboxId: inbox._id }
  const { writes, customerIds, conversationIds } = sampleRows(parts)
  const data = { runId: ids.next('smp'), addedAt: now }
  const after = { ...setup, sampleData: { ...data, customerIds, conversationIds } }
  return {
    tenantId,
    change: {
      writes: [...writes, { op: 'update', kind: 'tenants', id, expectVersion, set: { setup: after } }],
      events: [],
    },
    audit: { action: 'tenant.sampleDataAdded', target: { type: 'tenant', _id: tenantId } },
    reply: { success: true, data },
  }
}
