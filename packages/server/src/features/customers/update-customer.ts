import { customerEvent, notFound, type updateCustomer, updatedCustomer } from '@crmkit/core'
import { customerOfRecord } from '../../shared/customer-of-record.ts'
import type { Handler } from '../handler.ts'

export const handleUpdateCustomer: Handler<typeof updateCustomer> = async (
  { store, ids, now },
  { params, body },
) => {
  const before = await store.customers.find(params.id)
  if (before === undefined) throw notFound()
  const { version } = before
  const current = customerOfRecord(before)
  const { customer, changes } = updatedCustomer(current, body, now)
  if (Object.keys(changes).length === 0) return { reply: { success: true, data: current } }
  const { _id: id, tenantId: _tenant, createdAt: _created, ...set } = customer
  return {
    change: {
      writes: [{ op: 'update', kind: 'customers', id, expectVersion: version, set }],
      events: [customerEvent('customer.updated', { customer, changes, eventId: ids.next('evt'), now })],
    },
    reply: { success: true, data: customer },
  }
}
