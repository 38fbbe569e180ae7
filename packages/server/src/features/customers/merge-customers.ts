import {
  customerEvent,
  makeEvent,
  type mergeCustomers,
  mergedCustomer,
  notFound,
  referenceFailure,
  validationFailure,
} from '@crmkit/core'
import type { Write } from '../../ports/change.ts'
import type { TenantStore } from '../../ports/storage.ts'
import { customerOfRecord } from '../../shared/customer-of-record.ts'
import type { CustomerRecord } from '../../storage/kinds/customers.ts'
import { externalLinkId } from '../../storage/rules/external-ids.ts'
import type { Handler } from '../handler.ts'
import { moveConversations } from './move-conversations.ts'

export const handleMergeCustomers: Handler<typeof mergeCustomers> = async (
  { tenantId, store, ids, now },
  { params: { id }, body: { sourceId } },
) => {
  if (id === sourceId) throw mergedIntoItself()
  const [target, source] = await Promise.all([store.customers.find(id), store.customers.find(sourceId)])
  if (target === undefined) throw notFound()
  if (source === undefined) throw referenceFailure('sourceId')
  const { customer, changes } = mergedCustomer(customerOfRecord(target), customerOfRecord(source), now)
  const { _id, tenantId: _tenant, createdAt: _created, ...merged } = customer
  const set: Partial<CustomerRecord> = { ...merged, mergedFrom: peopleOf(target, source) }
  const rest = {
    _id: ids.next('tsk'),
    tenantId,
    type: 'moveConversations',
    subjectId: sourceId,
    targetId: id,
  } as const
  const deletion = { id: ids.next('evt'), type: 'customer.deleted', now, subjects: [sourceId] } as const
  return {
    change: {
      writes: [
        { op: 'update', kind: 'customers', id, expectVersion: target.version, set },
        // Makes the commit conflict when the source has a change that the merged values do not include.
        { op: 'update', kind: 'customers', id: sourceId, expectVersion: source.version, set: {} },
        { op: 'remove', kind: 'customers', id: sourceId },
        ...(await moveLinks(store, { source, targetId: id })),
        ...(await moveConversations(store, { sourceId, targetId: id })),
        { op: 'insert', kind: 'tasks', row: { ...rest, requestedAt: now } },
      ],
      events: [
        customerEvent('customer.updated', { customer, changes, eventId: deletion.id, now }),
        makeEvent({ ...deletion, id: ids.next('evt'), data: { _id: sourceId, mergedInto: id } }),
      ],
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

/** Returns the ids of all customers that are now part of the target, so that its erasure finds the events about them. */
function peopleOf(target: CustomerRecord, source: CustomerRecord): string[] {
  return [...(target.mergedFrom ?? []), source._id, ...(source.mergedFrom ?? [])]
}

/** Returns the writes that give the external ids of the source to the target. */
async function moveLinks(store: TenantStore, { source, targetId }: LinkMove): Promise<Write[]> {
  const links = await Promise.all(
    source.externalIds.map((text) => store.externalLinks.find(externalLinkId(text))),
  )
  return links
    .filter((link) => link !== undefined)
    .map(({ _id: id, version: expectVersion }) => {
      return { op: 'update', kind: 'externalLinks', id, expectVersion, set: { customerId: targetId } }
    })
}

interface LinkMove {
  source: CustomerRecord
  targetId: string
}

function mergedIntoItself() {
  const message = 'must be another customer than the one that it is merged into'
  return validationFailure([{ field: 'sourceId', message, rule: 'distinct', in: 'body' }])
}
