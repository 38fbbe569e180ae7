import { type deleteCustomer, makeEvent, notFound } from '@crmkit/core'
import type { Change } from '../../ports/change.ts'
import { assertNotReturning } from '../../shared/customer-merges.ts'
import { removedLinks } from '../../shared/given-link.ts'
import type { CustomerRecord } from '../../storage/kinds/customers.ts'
import type { Stored } from '../../storage/records.ts'
import type { Handler } from '../handler.ts'
import { addressErasures, type Deletion } from './address-erasures.ts'

/** Returns the change that erases a customer. */
export async function customerErasure(deletion: Deletion, customer: Stored<CustomerRecord>): Promise<Change> {
  const { store, ids, now } = deletion
  const { _id: id } = customer
  const links = await removedLinks(store, customer)
  const addresses = await addressErasures(deletion, customer)
  const event = makeEvent({
    id: ids.next('evt'),
    type: 'customer.deleted',
    now,
    subjects: [id],
    data: { _id: id },
  })
  return {
    writes: [
      // Conflicts when a merge was taken back since it was read: the rows that go back are the other person's.
      { op: 'patch', kind: 'customers', id, expectVersion: customer.version },
      ...links,
      ...addresses,
      { op: 'erase', kind: 'customers', id, at: now },
    ],
    events: [event],
  }
}

export const handleDeleteCustomer: Handler<typeof deleteCustomer> = async (ctx, { params: { id } }) => {
  const customer = await ctx.store.customers.find(id)
  if (customer === undefined) throw notFound()
  assertNotReturning(customer)
  return {
    change: await customerErasure(ctx, customer),
    audit: { action: 'customer.deleted', target: { type: 'customer', _id: id } },
    reply: { success: true, message: 'Customer deleted' },
  }
}
