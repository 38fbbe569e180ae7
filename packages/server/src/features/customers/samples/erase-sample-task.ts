import type { TaskHandler } from '../../../jobs/run-tasks.ts'
import { passFaultPoint } from '../../../shared/fault-points.ts'
import { conversationErasure } from '../../conversations/delete-conversation.ts'
import { customerErasure } from '../delete-customer.ts'

/** Erases one sample customer, or one sample conversation that did not go with its customer. */
export const eraseSample: TaskHandler = async (ctx, { subjectId: id }) => {
  const { store } = ctx
  const customer = await store.customers.find(id)
  const conversation = customer ? undefined : await store.conversations.find(id)
  passFaultPoint('between-erasure-pages')
  if (customer) return customerErasure({ ...ctx, tenantId: store.tenantId }, customer)
  return conversation && conversationErasure(ctx, id)
}
