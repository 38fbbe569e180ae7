import {
  customerEvent,
  type mergeCustomers,
  mergedCustomer,
  notFound,
  referenceFailure,
  validationFailure,
} from '@crmkit/core'
import { absorbCustomer, pastOf } from '../../shared/absorb-customer.ts'
import { assertNotReturning, mergedFieldsOf } from '../../shared/customer-merges.ts'
import { customerOfRecord } from '../../shared/customer-of-record.ts'
import { fieldsToSet } from '../../shared/last-contact.ts'
import { mergedAddresses } from '../../shared/merge-addresses.ts'
import type { CustomerRecord } from '../../storage/kinds/customers.ts'
import { withoutVersion } from '../../storage/records.ts'
import type { Handler } from '../handler.ts'

export const handleMergeCustomers: Handler<typeof mergeCustomers> = async (
  { store, ids, now, actor },
  { params: { id }, body: { sourceId, prefer } },
) => {
  if (id === sourceId) throw mergedIntoItself()
  const [target, source] = await Promise.all([store.customers.find(id), store.customers.find(sourceId)])
  if (target === undefined) throw notFound()
  if (source === undefined) throw referenceFailure('sourceId')
  assertNotReturning(source)
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
  const undo = {
    kept: {
      source: withoutVersion(source),
      before: mergedFieldsOf(target),
      after: mergedFieldsOf({ ...target, ...set, ...addresses.set }),
      addresses: addresses.kept,
    },
    mergedBy: { type: actor.type, _id: actor._id },
  }
  const absorbed = await absorbCustomer({ store, ids, now, source, targetId: id, undo })
  return {
    change: {
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
    },
    audit: {
      action: 'customer.merged',
      target: { type: 'customer', _id: id },
      reason: `merged from ${sourceId}`,
      changed: Object.keys(changes),
    },
    reply: { success: true, data: customer },
  }
}

function mergedIntoItself() {
  const message = 'must be another customer than the one that it is merged into'
  return validationFailure([{ field: 'sourceId', message, rule: 'distinct', in: 'body' }])
}
