import {
  type Customer,
  conflict,
  customerEvent,
  type DomainEvent,
  type IdFactory,
  unmergedCustomer,
} from '@crmkit/core'
import type { Write } from '../ports/change.ts'
import type { TenantReads } from '../ports/storage.ts'
import type { CustomerMergeRecord, KeptCustomers } from '../storage/kinds/customer-merges.ts'
import type { CustomerRecord } from '../storage/kinds/customers.ts'
import type { Stored } from '../storage/records.ts'
import { assertNotReturning, type OpenMerge, openMergesOf, unmergeMs } from './customer-merges.ts'
import { customerOfRecord } from './customer-of-record.ts'
import { movedLinks } from './given-link.ts'
import { fieldsToSet } from './last-contact.ts'
import { addressesOfKept, currentAddressesOf, keptWithout, unmergedAddresses } from './merge-addresses.ts'
import { pagesOf, returnedPages } from './return-rows.ts'

/** Pages that go back in the commit itself; more of them are the work of a task. */
const pagesMax = 5

/** Throws CONFLICT for a merge that cannot be taken back, or no longer; INVALID_STATE while another one of its target is taken back. */
export function assertUnmergeable(
  merge: Stored<CustomerMergeRecord>,
  { target, now }: { target: CustomerRecord; now: string },
): asserts merge is OpenMerge {
  if (merge.state !== 'merged' || merge.kept === null) throw conflict('The merge was taken back already')
  if (merge.targetId !== target._id) {
    const message =
      'The customer was merged into another one, who was merged since: take back that merge first'
    throw conflict(message, { customerId: merge.targetId })
  }
  if (Date.parse(now) - Date.parse(merge.createdAt) > unmergeMs)
    throw conflict('The merge is too old to be taken back: it is possible for 30 days')
  assertNotReturning(target)
}

interface Context {
  store: TenantReads
  ids: IdFactory
  now: string
  tenantId: string
}

interface Parting {
  /** The customer as merged. */
  target: Stored<CustomerRecord>
  merge: OpenMerge
}

interface PartedPair {
  source: Customer
  target: Customer
  /** Names of the fields of the target that change. */
  changed: string[]
  /** Fields that were changed since, and ids of rows that belong to somebody else by now: they stay. */
  kept: { fields: string[]; rows: string[] }
  writes: Write[]
  events: DomainEvent[]
}

/** Returns the change that makes two customers of a merged one again. */
export async function partedPair(
  { store, ids, now, tenantId }: Context,
  { target: stored, merge }: Parting,
): Promise<PartedPair> {
  const { kept, sourceId } = merge
  const { _id: id } = stored
  const parted = unmergedCustomer(customerOfRecord(stored), { ...kept, now })
  const source = sourceOf(kept, { target: stored, now })
  const pages = await pagesOf(store, merge._id, pagesMax + 1)
  const isTask = pages.length > pagesMax
  const unmerging = isTask ? { unmerging: merge._id } : {}
  const fields = fieldsToSet(parted.customer, stored)
  const target: CustomerRecord = { ...stored, ...fields, ...pastWithout(stored, kept) }
  // Newest first.
  const open: OpenMerge[] = []
  for await (const other of openMergesOf(store, stored)) open.push(other)
  const others = open.filter(({ _id }) => _id !== merge._id)
  const later = open.slice(
    0,
    open.findIndex(({ _id }) => _id === merge._id),
  )
  const addresses = await unmergedAddresses(store, {
    kept,
    others: others.map((other) => other.kept),
    later: later.map((other) => other.kept),
    target: stored,
    after: target,
    source,
    now,
  })
  const links = await movedLinks(store, {
    source: { _id: id, externalIds: source.externalIds },
    targetId: sourceId,
  })
  // Made in the order in which things happen: both customers, then their conversations.
  const made = customerEvent('customer.created', {
    customer: customerOfRecord(source),
    eventId: ids.next('evt'),
    now,
  })
  const updated = customerEvent('customer.updated', {
    customer: parted.customer,
    changes: parted.changes,
    eventId: ids.next('evt'),
    now,
    mergedFrom: stored.mergedFrom,
  })
  const own = currentAddressesOf(kept)
  const returned = await returnedPages({ store, ids, now }, isTask ? [] : pages, {
    source: customerOfRecord(source),
    target,
    mergedAt: merge.createdAt,
    isOfSource: async (address) => own.has(address),
  })
  const isMoved = new Set(links.map((write) => ('id' in write ? write.id : '')))
  const writes: Write[] = [
    {
      op: 'update',
      kind: 'customers',
      id,
      expectVersion: stored.version,
      set: { ...fields, ...pastWithout(stored, kept), ...addresses.set, ...unmerging },
    },
    { op: 'insert', kind: 'customers', row: { ...source, ...unmerging } },
    ...addresses.writes,
    ...(await suppressionWrites(store, { kept, targetId: id, sourceId })),
    ...links,
    ...returned.writes.filter((write) => !('id' in write && isMoved.has(write.id))),
    {
      op: 'update',
      kind: 'customerMerges',
      id: merge._id,
      expectVersion: merge.version,
      set: { state: isTask ? 'returning' : 'returned', kept: null, updatedAt: now },
    },
    ...others.map((other) => withoutThat(other, kept, now)),
    ...(isTask ? [taskOf({ tenantId, mergeId: merge._id, sourceId, now, taskId: ids.next('tsk') })] : []),
  ]
  return {
    source: customerOfRecord(source),
    target: parted.customer,
    changed: Object.keys(parted.changes),
    kept: { fields: parted.kept, rows: returned.kept },
    writes,
    events: [made, updated, ...returned.events],
  }
}

/** Returns the row of the source as it was. A block stays on both, and external ids that the target has lost since are lost. */
function sourceOf(
  { source: kept, before }: KeptCustomers,
  { target, now }: { target: CustomerRecord; now: string },
): CustomerRecord {
  const { importedAt: _imported, ...row } = kept
  const isBack = (externalId: string) =>
    target.externalIds.includes(externalId) && !before.externalIds.includes(externalId)
  return {
    ...row,
    externalIds: row.externalIds.filter(isBack),
    blockedAt: row.blockedAt ?? target.blockedAt ?? null,
    updatedAt: now,
    returnedAt: now,
  }
}

/** Returns what the target has been, without the source: an erasure of the target no longer concerns the source's rows. */
function pastWithout(
  { mergedFrom = [], formerExternalIds }: CustomerRecord,
  { source, before }: KeptCustomers,
): Pick<CustomerRecord, 'mergedFrom' | 'formerExternalIds'> {
  const parted = new Set([source._id, ...(source.mergedFrom ?? [])])
  const ofSource = new Set(source.formerExternalIds)
  const stays = (id: string) => !ofSource.has(id) || before.formerExternalIds?.includes(id) === true
  return {
    mergedFrom: mergedFrom.filter((id) => !parted.has(id)),
    ...(formerExternalIds && { formerExternalIds: formerExternalIds.filter(stays) }),
  }
}

function withoutThat(other: OpenMerge, parted: KeptCustomers, updatedAt: string): Write {
  const set = { kept: keptWithout(other.kept, parted), updatedAt }
  return { op: 'update', kind: 'customerMerges', id: other._id, expectVersion: other.version, set }
}

/** Mail to an address of the source that was refused since says so about the source. */
async function suppressionWrites(
  store: TenantReads,
  { kept, targetId, sourceId }: { kept: KeptCustomers; targetId: string; sourceId: string },
): Promise<Write[]> {
  const lists = addressesOfKept(kept).map((address) =>
    store.suppressedAddresses.listRows({ address, page: 1, limit: 1 }),
  )
  const found = (await Promise.all(lists)).flatMap(({ rows }) => rows)
  return found
    .filter(({ customerId }) => customerId === targetId)
    .map(({ _id: id, version: expectVersion }): Write => {
      return { op: 'update', kind: 'suppressedAddresses', id, expectVersion, set: { customerId: sourceId } }
    })
}

interface ReturnTask {
  tenantId: string
  taskId: string
  mergeId: string
  sourceId: string
  now: string
}

function taskOf({ tenantId, taskId, mergeId, sourceId, now }: ReturnTask): Write {
  const row = { _id: taskId, tenantId, subjectId: mergeId, targetId: sourceId, requestedAt: now }
  return { op: 'insert', kind: 'tasks', row: { ...row, type: 'returnRows' } }
}
