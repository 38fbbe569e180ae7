import { Failure, type removeSampleData } from '@crmkit/core'
import type { Change, Write } from '../../../ports/change.ts'
import { assertNotReturning } from '../../../shared/customer-merges.ts'
import type { Kind } from '../../../storage/kinds/registry.ts'
import type { SampleRecord } from '../../../storage/kinds/tenants.ts'
import { conversationErasure } from '../../conversations/delete-conversation.ts'
import { type SystemHandler, signedInOf } from '../../system-handler.ts'
import type { Deletion } from '../address-erasures.ts'
import { customerErasure } from '../delete-customer.ts'

export const handleRemoveSampleData: SystemHandler<typeof removeSampleData> = async (ctx) => {
  const { ids, now } = ctx
  const { tenantId } = signedInOf(ctx)
  const tenant = await ctx.system.findTenant(tenantId)
  const reply = { success: true as const, message: 'Sample data removed' }
  if (tenant === undefined) throw new Failure('AUTH_REQUIRED', 'The tenant was deleted')
  const { _id: id, version: expectVersion, setup } = tenant
  if (!setup?.sampleData) return { reply }
  const { sampleData, ...rest } = setup
  const erasures = await erasuresOf({ store: ctx.forTenant(tenantId), ids, now, tenantId }, sampleData)
  const noted: Write<Kind> = { op: 'update', kind: 'tenants', id, expectVersion, set: { setup: rest } }
  return {
    tenantId,
    change: {
      writes: [noted, ...erasures.flatMap((erasure): Write<Kind>[] => erasure.writes)],
      events: erasures.flatMap(({ events }) => events),
    },
    audit: { action: 'tenant.sampleDataRemoved', target: { type: 'tenant', _id: tenantId } },
    reply,
  }
}

/** Erases customers with their conversations, and the sample conversations that others have by now. */
async function erasuresOf(
  deletion: Deletion,
  { customerIds, conversationIds }: SampleRecord,
): Promise<Change[]> {
  const { store } = deletion
  const erased = new Set<string>()
  const erasures: Change[] = []
  for (const id of customerIds) {
    const customer = await store.customers.find(id)
    const isOfOthers = customer?.mergedFrom?.some((source) => !customerIds.includes(source))
    if (customer === undefined || isOfOthers) continue
    assertNotReturning(customer)
    erased.add(id)
    erasures.push(await customerErasure(deletion, customer))
  }
  for (const id of conversationIds) {
    const conversation = await store.conversations.find(id)
    if (conversation !== undefined && !erased.has(conversation.customerId ?? ''))
      erasures.push(conversationErasure(deletion, id))
  }
  return erasures
}
