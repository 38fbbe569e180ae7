import { type createCustomer, newCustomer } from '@crmkit/core'
import type { Handler } from '../handler.ts'

export const handleCreateCustomer: Handler<typeof createCustomer> = async (
  { tenantId, ids, now },
  { body },
) => {
  const { customer, event } = newCustomer(body, {
    id: ids.next('cus'),
    tenantId,
    now,
    eventId: ids.next('evt'),
  })
  return {
    change: { writes: [{ op: 'insert', kind: 'customers', row: customer }], events: [event] },
    reply: { success: true, data: customer },
  }
}
