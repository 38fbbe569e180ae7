import { type deleteCustomer, makeEvent, notFound } from '@crmkit/core'
import type { Handler } from '../handler.ts'

export const handleDeleteCustomer: Handler<typeof deleteCustomer> = async (
  { store, ids, now },
  { params: { id } },
) => {
  if ((await store.customers.find(id)) === undefined) throw notFound()
  const event = makeEvent({
    id: ids.next('evt'),
    type: 'customer.deleted',
    now,
    subjects: [id],
    data: { _id: id },
  })
  return {
    change: { writes: [{ op: 'erase', kind: 'customers', id, at: now }], events: [event] },
    audit: { action: 'customer.deleted', target: { type: 'customer', _id: id } },
    reply: { success: true, message: 'Customer deleted' },
  }
}
