import {
  type Customer,
  customerEvent,
  type DomainEvent,
  type IdFactory,
  type InputOf,
  type mergeCustomers,
  mergedCustomer,
} from '@crmkit/core'
import type { Write } from '../ports/change.ts'
import type { TenantReads } from '../ports/storage.ts'
import type { CustomerRecord } from '../storage/kinds/customers.ts'
import { type Stored, withoutVersion } from '../storage/records.ts'
import { absorbCustomer, pastOf } from './absorb-customer.ts'
import { assertNotReturning, type MergedBy, mergedFieldsOf } from './customer-merges.ts'
import { customerOfRecord } from './customer-of-record.ts'
import { fieldsToSet } from './last-contact.ts'
import { mergedAddresses } from './merge-addresses.ts'

interface Merging {
  target: Stored<CustomerRecord>
  source: Stored<CustomerRecord>
  prefer?: InputOf<typeof mergeCustomers>['body']['prefer']
  by: MergedBy
}

interface MergedPair {
  customer: Customer
  /** Names of the fields of the target that the merge fills. */
  changed: string[]
  writes: Write[]
  events: DomainEvent[]
}

/** Returns the change that merges a customer into another one, and keeps both as they were. Throws while one is being parted. */
export async function mergedPair(
  { store, ids, now }: { store: TenantReads; ids: IdFactory; now: string },
  { target, source, prefer, by }: Merging,
): Promise<MergedPair> {
  assertNotReturning(source)
  const { _id: id } = target
  const { customer, changes } = mergedCustomer(customerOfRecord(target), customerOfRecord(source), {
    now,
    prefer,
  })
  const set: Partial<CustomerRecord> = {
    ...fieldsToSet(customer, target),
    ...pastOf(target, source),
    ...('profile.email' in changes && { typedEmail: source.typedEmail ?? null }),
  }
  const addresses = await mergedAddresses(store, { target, source, after: { ...target, ...set }, now })
  // Created before the event of the deletion, so that the order of the ids is the order of the events.
  const updated = customerEvent('customer.updated', {
    customer,
    changes,
    eventId: ids.next('evt'),
    now,
    mergedFrom: set.mergedFrom,
  })
  const kept = {
    source: withoutVersion(source),
    before: mergedFieldsOf(target),
    after: mergedFieldsOf({ ...target, ...set, ...addresses.set }),
    addresses: addresses.kept,
  }
  const absorbed = await absorbCustomer({ store, ids, now, source, targetId: id, undo: { kept, by } })
  return {
    customer,
    changed: Object.keys(changes),
    writes: [
      {
        op: 'update',
        kind: 'customers',
        id,
        expectVersion: target.version,
        set: { ...set, ...addresses.set },
      },
      ...addresses.writes,
      ...absorbed.writes,
    ],
    events: [updated, ...absorbed.events],
  }
}
