import { conflict, notFound, referenceFailure, type unmergeCustomers } from '@crmkit/core'
import type { TenantReads } from '../../ports/storage.ts'
import { findMerge, type OpenMerge } from '../../shared/customer-merges.ts'
import { assertUnmergeable, partedPair } from '../../shared/part-pair.ts'
import type { CustomerRecord } from '../../storage/kinds/customers.ts'
import type { Handler } from '../handler.ts'

export const handleUnmergeCustomers: Handler<typeof unmergeCustomers> = async (
  { store, ids, now, tenantId },
  { params: { id }, body: { sourceId } },
) => {
  const stored = await store.customers.find(id)
  if (stored === undefined) throw notFound()
  const merge = await findOpenMerge(store, { target: stored, sourceId, now })
  const { source, target, changed, kept, writes, events } = await partedPair(
    { store, ids, now, tenantId },
    { target: stored, merge },
  )
  return {
    change: { writes, events },
    audit: {
      action: 'customer.unmerged',
      target: { type: 'customer', _id: id },
      reason: `took ${sourceId} back`,
      changed,
    },
    reply: { success: true, data: { source, target, kept: [...kept.fields, ...kept.rows] } },
  }
}

/** Returns the merge to take back. Throws where there is none, or where it is too late. */
async function findOpenMerge(
  store: TenantReads,
  { target, sourceId, now }: { target: CustomerRecord; sourceId: string; now: string },
): Promise<OpenMerge> {
  const merge = await findMerge(store, { sourceId, customerId: target._id })
  const isPart = target.mergedFrom?.includes(sourceId) === true
  if (merge === undefined) {
    if (isPart) throw conflict('The merge is too old to be taken back: it is possible for 30 days')
    if ((await store.customers.find(sourceId)) === undefined) throw referenceFailure('sourceId')
    throw conflict('This customer was not merged into that one')
  }
  assertUnmergeable(merge, { target, now })
  return merge
}
