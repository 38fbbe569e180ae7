import { type CustomerMerge, type listMerges, notFound } from '@crmkit/core'
import { type OpenMerge, openMergesOf, unmergeMs } from '../../shared/customer-merges.ts'
import type { Handler } from '../handler.ts'

/** A person who looks for a wrong merge needs no more. */
const mergesMax = 50

export const handleListMerges: Handler<typeof listMerges> = async ({ store, now }, { params: { id } }) => {
  const customer = await store.customers.find(id)
  if (customer === undefined) throw notFound()
  const merges: CustomerMerge[] = []
  for await (const merge of openMergesOf(store, customer)) {
    const shown = shownMerge(merge)
    if (shown.undoableUntil < now || merges.length === mergesMax) break
    merges.push(shown)
  }
  return { reply: { success: true, data: merges } }
}

/** Of what the merge keeps of the source, the name alone is shown. */
function shownMerge({ _id, sourceId, kept, createdAt, mergedBy }: OpenMerge): CustomerMerge {
  const { firstName, lastName, email, phone } = kept.source.profile
  const name = [firstName, lastName].filter((part) => part !== null).join(' ')
  return {
    _id,
    sourceId,
    sourceName: name || (email ?? phone ?? sourceId),
    mergedAt: createdAt,
    mergedBy: mergedBy ?? null,
    undoableUntil: new Date(Date.parse(createdAt) + unmergeMs).toISOString(),
  }
}
