import type { TaskHandler } from '../../../jobs/run-tasks.ts'
import type { TenantReads } from '../../../ports/storage.ts'
import { passFaultPoint } from '../../../shared/fault-points.ts'
import { conversationErasure } from '../../conversations/delete-conversation.ts'
import { customerErasure } from '../delete-customer.ts'

/** Erases one sample customer, or one sample conversation that did not go with its customer. */
export const eraseSample: TaskHandler = async (ctx, { subjectId: id, requestedAt }) => {
  const { store } = ctx
  const customer = await store.customers.find(id)
  const conversation = customer ? undefined : await store.conversations.find(id)
  passFaultPoint('between-erasure-pages')
  if (customer && (await isMergedSince(store, id, requestedAt))) return undefined
  if (customer) return customerErasure({ ...ctx, tenantId: store.tenantId }, customer)
  return conversation && conversationErasure(ctx, id)
}

/** Whether somebody was merged into the customer after the request, who may be a real person. */
async function isMergedSince(store: TenantReads, customerId: string, since: string): Promise<boolean> {
  const { rows } = await store.customerMerges.listRows({ customerId, sort: '-createdAt', page: 1, limit: 1 })
  return rows.some(({ createdAt }) => createdAt >= since)
}
