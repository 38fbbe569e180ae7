import { type mergeCustomers, notFound, referenceFailure, validationFailure } from '@crmkit/core'
import { mergedPair } from '../../shared/merge-pair.ts'
import type { Handler } from '../handler.ts'

export const handleMergeCustomers: Handler<typeof mergeCustomers> = async (
  { store, ids, now, actor },
  { params: { id }, body: { sourceId, prefer } },
) => {
  if (id === sourceId) throw mergedIntoItself()
  const [target, source] = await Promise.all([store.customers.find(id), store.customers.find(sourceId)])
  if (target === undefined) throw notFound()
  if (source === undefined) throw referenceFailure('sourceId')
  const by = { mergedBy: { type: actor.type, _id: actor._id } }
  const { customer, changed, writes, events } = await mergedPair(
    { store, ids, now },
    { target, source, prefer, by },
  )
  return {
    change: { writes, events },
    audit: {
      action: 'customer.merged',
      target: { type: 'customer', _id: id },
      reason: `merged from ${sourceId}`,
      changed,
    },
    reply: { success: true, data: customer },
  }
}

function mergedIntoItself() {
  const message = 'must be another customer than the one that it is merged into'
  return validationFailure([{ field: 'sourceId', message, rule: 'distinct', in: 'body' }])
}
