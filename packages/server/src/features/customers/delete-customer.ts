import { type deleteCustomer, makeEvent, notFound } from '@crmkit/core'
import { removedLinks } from '../../shared/given-link.ts'
import type { Handler } from '../handler.ts'
import { addressErasures } from './address-erasures.ts'

export const handleDeleteCustomer: Handler<typeof deleteCustomer> = async (
  { store, ids, now, tenantId },
  { params: { id } },
) => {
  const customer = await store.customers.find(id)
  if (customer === undefined) throw notFound()
  const links = await removedLinks(store, customer)
  const addresses = await addressErasures({ store, ids, now, tenantId }, customer)
  const event = makeEvent({
    id: ids.next('evt'),
    type: 'customer.deleted',
    now,
    subjects: [id],
    data: { _id: id },
  })
  return {
    change: {
      writes: [...links, ...addresses, { op: 'erase', kind: 'customers', id, at: now }],
      events: [event],
    },
    audit: { action: 'customer.deleted', target: { type: 'customer', _id: id } },
    reply: { success: true, message: 'Customer deleted' },
  }
}
