import { type Changes, type Customer, customerEvent, notFound } from '@crmkit/core'
import type { Change } from '../../ports/change.ts'
import { customerOfRecord } from '../../shared/customer-of-record.ts'
import { fieldsToSet } from '../../shared/last-contact.ts'
import { addressesAfter } from '../../shared/learn-addresses.ts'
import type { HandlerContext } from '../handler.ts'

interface ChangedCustomer {
  change?: Change
  reply: { success: true; data: Customer }
}

/** A change of one customer: returns the customer after it. */
type ChangeOf = (before: Customer) => { customer: Customer; changes: Changes }

/** Changes the customer with this id, with its event; a change without any difference writes nothing. */
export async function changeCustomer(
  { store, ids, now }: Pick<HandlerContext, 'store' | 'ids' | 'now'>,
  id: string,
  change: ChangeOf,
): Promise<ChangedCustomer> {
  const before = await store.customers.find(id)
  if (before === undefined) throw notFound()
  const current = customerOfRecord(before)
  const { customer, changes } = change(current)
  if (Object.keys(changes).length === 0) return { reply: { success: true, data: current } }
  const addresses = await addressesAfter(store, { before, after: { ...before, ...customer }, now })
  const set = { ...fieldsToSet(customer, before), ...addresses.set }
  return {
    change: {
      writes: [
        { op: 'update', kind: 'customers', id, expectVersion: before.version, set },
        ...addresses.writes,
      ],
      events: [
        customerEvent('customer.updated', {
          customer,
          changes,
          eventId: ids.next('evt'),
          now,
          mergedFrom: before.mergedFrom,
        }),
      ],
    },
    reply: { success: true, data: customer },
  }
}
