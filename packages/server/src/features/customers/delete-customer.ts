import { type deleteCustomer, makeEvent, notFound } from '@crmkit/core'
import { externalLinkId } from '../../storage/rules/external-ids.ts'
import type { Handler } from '../handler.ts'

export const handleDeleteCustomer: Handler<typeof deleteCustomer> = async (
  { store, ids, now },
  { params: { id } },
) => {
  const customer = await store.customers.find(id)
  if (customer === undefined) throw notFound()
  // Removed here and not with the rest, so that the external id is free in the next request.
  const links = customer.externalIds.map((externalId) => {
    return { op: 'remove', kind: 'externalLinks', id: externalLinkId(externalId) } as const
  })
  const event = makeEvent({
    id: ids.next('evt'),
    type: 'customer.deleted',
    now,
    subjects: [id],
    data: { _id: id },
  })
  return {
    change: { writes: [...links, { op: 'erase', kind: 'customers', id, at: now }], events: [event] },
    audit: { action: 'customer.deleted', target: { type: 'customer', _id: id } },
    reply: { success: true, message: 'Customer deleted' },
  }
}
