import type { DomainEvent, IdFactory } from '@crmkit/core'
import { makeEvent } from '@crmkit/core'
import type { Write } from '../ports/change.ts'
import type { TenantReads } from '../ports/storage.ts'
import type { KeptCustomers } from '../storage/kinds/customer-merges.ts'
import type { CustomerRecord } from '../storage/kinds/customers.ts'
import type { Stored } from '../storage/records.ts'
import { activitiesOfMove } from './conversation-log.ts'
import { type MergedBy, mergePage, newMerge } from './customer-merges.ts'
import { movedLinks } from './given-link.ts'
import { moveOfCustomer, rowsMovedBy } from './move-of-customer.ts'
import { removalOf } from './removal-of.ts'

interface Absorbing {
  store: TenantReads
  ids: IdFactory
  now: string
  source: Stored<CustomerRecord>
  targetId: string
  /** Both customers as they were, and who merges them, so that the merge can be taken back; without it the merge is final. */
  undo?: { kept: KeptCustomers; by: MergedBy }
}

/** Returns the writes and the event by which a merge deletes its source and moves what belongs to it to the target. */
export async function absorbCustomer({ store, ids, now, source, targetId, undo }: Absorbing): Promise<{
  writes: Write[]
  events: DomainEvent[]
}> {
  const { _id: sourceId, tenantId } = source
  // All links of the source's ids, however many: a request by one of them finds the target from this commit on.
  const links = await movedLinks(store, { source, targetId })
  const others = await moveOfCustomer(store, { sourceId, targetId })
  const task = { _id: ids.next('tsk'), tenantId, type: 'moveConversations' } as const
  const moves = [...links, ...others.filter((write) => !links.some((moved) => isSameRow(moved, write)))]
  const merge = undo && newMerge({ tenantId, sourceId, targetId, taskId: task._id, ...undo }, { ids, now })
  const page = merge && mergePage(merge, { ids, now, customerId: targetId, moved: rowsMovedBy(moves) })
  return {
    writes: [
      // Conflicts when the source has a change that the merged values do not include.
      removalOf('customers', source),
      ...moves,
      ...activitiesOfMove({ ids, now, tenantId }, moves, { from: sourceId }),
      ...[merge, page].flatMap((row): Write[] =>
        row ? [{ op: 'insert', kind: 'customerMerges', row }] : [],
      ),
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

type Past = Pick<CustomerRecord, 'mergedFrom' | 'formerExternalIds'>

/**
 * Returns what the target has been: the ids of all customers that are now part of it, so that its erasure finds the events about them, and
 * the external ids that either had.
 */
export function pastOf(target: Past, source: CustomerRecord): Past {
  const mergedFrom = [...(target.mergedFrom ?? []), source._id, ...(source.mergedFrom ?? [])]
  const former = new Set([...(target.formerExternalIds ?? []), ...(source.formerExternalIds ?? [])])
  return { mergedFrom, ...(former.size > 0 && { formerExternalIds: [...former] }) }
}

function isSameRow(one: Write, other: Write): boolean {
  return one.op === 'update' && other.op === 'update' && one.kind === other.kind && one.id === other.id
}
