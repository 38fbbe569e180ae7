import type { DomainEvent, IdFactory } from '@crmkit/core'
import { makeEvent } from '@crmkit/core'
import type { Write } from '../ports/change.ts'
import type { TenantStore } from '../ports/storage.ts'
import type { CustomerRecord } from '../storage/kinds/customers.ts'
import type { Stored } from '../storage/records.ts'
import { externalLinkId } from '../storage/rules/external-ids.ts'
import { moveOfCustomer } from './move-of-customer.ts'
import { removalOf } from './removal-of.ts'

interface Absorbing {
  store: TenantStore
  ids: IdFactory
  now: string
  source: Stored<CustomerRecord>
  targetId: string
}

/** Returns the writes and the event by which a merge deletes its source and moves what belongs to it to the target. */
export async function absorbCustomer({ store, ids, now, source, targetId }: Absorbing): Promise<{
  writes: Write[]
  events: DomainEvent[]
}> {
  const { _id: sourceId, tenantId } = source
  const task = { _id: ids.next('tsk'), tenantId, type: 'moveConversations' } as const
  return {
    writes: [
      // Conflicts when the source has a change that the merged values do not include.
      removalOf('customers', source),
      ...(await moveLinks(store, { source, targetId })),
      ...(await moveOfCustomer(store, { sourceId, targetId })),
      { op: 'insert', kind: 'tasks', row: { ...task, subjectId: sourceId, targetId, requestedAt: now } },
    ],
    events: [
      makeEvent({
        id: ids.next('evt'),
        type: 'customer.deleted',
        now,
        subjects: [sourceId],
        data: { _id: sourceId, mergedInto: targetId },
      }),
    ],
  }
}

/** Returns the ids of all customers that are now part of the target, so that its erasure finds the events about them. */
export function peopleOf(target: Pick<CustomerRecord, 'mergedFrom'>, source: CustomerRecord): string[] {
  return [...(target.mergedFrom ?? []), source._id, ...(source.mergedFrom ?? [])]
}

interface LinkMove {
  source: CustomerRecord
  targetId: string
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
