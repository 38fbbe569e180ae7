import { Failure, type removeSampleData } from '@crmkit/core'
import type { Write } from '../../../ports/change.ts'
import type { TenantReads } from '../../../ports/storage.ts'
import { assertNotReturning } from '../../../shared/customer-merges.ts'
import type { Kind } from '../../../storage/kinds/registry.ts'
import type { SampleRecord } from '../../../storage/kinds/tenants.ts'
import { type SystemHandler, signedInOf } from '../../system-handler.ts'

/** Each row has a task of its own: erasures of several customers may change the same rows, such as those of a file. */
export const handleRemoveSampleData: SystemHandler<typeof removeSampleData> = async (ctx) => {
  const { ids, now: requestedAt } = ctx
  const { tenantId } = signedInOf(ctx)
  const tenant = await ctx.system.findTenant(tenantId)
  if (tenant === undefined) throw new Failure('AUTH_REQUIRED', 'The tenant was deleted')
  const reply = { success: true as const, message: 'Sample data are being removed' }
  const { _id: id, version: expectVersion, setup } = tenant
  if (!setup?.sampleData) return { reply }
  const { sampleData, ...rest } = setup
  const subjects = await subjectsOf(ctx.forTenant(tenantId), sampleData)
  const tasks = subjects.map((subjectId): Write<Kind> => {
    const task = { type: 'eraseSample' as const, subjectId, targetId: null, requestedAt }
    return { op: 'insert', kind: 'tasks', row: { _id: ids.next('tsk'), tenantId, ...task } }
  })
  const noted: Write<Kind> = { op: 'update', kind: 'tenants', id, expectVersion, set: { setup: rest } }
  return {
    tenantId,
    change: { writes: [noted, ...tasks], events: [] },
    audit: { action: 'tenant.sampleDataRemoved', target: { type: 'tenant', _id: tenantId } },
    reply,
  }
}

/** Returns the customers first: most conversations go with theirs. A customer who is also somebody real stays. */
async function subjectsOf(
  { customers }: Pick<TenantReads, 'customers'>,
  { customerIds, conversationIds }: SampleRecord,
): Promise<string[]> {
  const found = await Promise.all(customerIds.map((id) => customers.find(id)))
  const theirs = found.flatMap((customer) => {
    if (customer === undefined) return []
    assertNotReturning(customer)
    const isReal = customer.mergedFrom?.some((source) => !customerIds.includes(source))
    return isReal ? [] : [customer._id]
  })
  return [...theirs, ...conversationIds]
}
