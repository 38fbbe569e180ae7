import { type IdFactory, invalidState } from '@crmkit/core'
import type { Write } from '../ports/change.ts'
import type { TenantReads } from '../ports/storage.ts'
import type {
  CustomerMergeRecord,
  KeptCustomers,
  MergedFields,
  Merger,
  MovedRow,
} from '../storage/kinds/customer-merges.ts'
import type { CustomerRecord } from '../storage/kinds/customers.ts'
import type { Stored } from '../storage/records.ts'

/** The time in which a merge can be taken back. */
export const unmergeMs = 30 * 86_400_000
/** The rows of a merge outlast that time, so that a return which began within it comes to its end. */
const keptMs = unmergeMs + 86_400_000
/** A customer who was merged, returned and merged again has several merges. */
const mergesMax = 100

interface Merge {
  tenantId: string
  sourceId: string
  targetId: string
  taskId: string
  kept: KeptCustomers
  by: MergedBy
}

/** A person, or the run of an import whose source has merged them. */
export type MergedBy = { mergedBy: Merger } | Required<Pick<CustomerMergeRecord, 'runId' | 'isOfRun'>>

/** Returns the row of a new merge. */
export function newMerge(
  { by, ...merge }: Merge,
  { ids, now }: { ids: IdFactory; now: string },
): CustomerMergeRecord {
  const _id = ids.next('mrg')
  const expiresAt = new Date(Date.parse(now) + keptMs).toISOString()
  const { targetId: customerId } = merge
  const times = { createdAt: now, updatedAt: now, expiresAt }
  return { _id, ...merge, ...by, customerId, mergeId: _id, state: 'merged', moved: [], ...times }
}

interface Page {
  ids: IdFactory
  now: string
  /** The customer to whom the rows were moved. */
  customerId: string
  moved: readonly MovedRow[]
}

/** Returns the row that keeps which rows a merge moved. */
export function mergePage(merge: CustomerMergeRecord, page: Page): CustomerMergeRecord {
  const { ids, now, customerId, moved } = page
  const times = { createdAt: now, updatedAt: now }
  return { ...bare(merge), _id: ids.next('mrg'), customerId, state: 'page', kept: null, moved, ...times }
}

function bare({ ...merge }: CustomerMergeRecord & { version?: number }): CustomerMergeRecord {
  delete merge.version
  return merge
}

/** Returns the newest merge of this source that the customer holds. */
export async function findMerge(
  store: TenantReads,
  { sourceId, ...of }: { sourceId: string } & ({ customerId: string } | { taskId: string }),
): Promise<Stored<CustomerMergeRecord> | undefined> {
  const filter = { mergedSource: sourceId, sort: '-createdAt', page: 1, limit: mergesMax } as const
  const { rows } = await store.customerMerges.listRows(filter)
  return rows.find((row) => ('taskId' in of ? row.taskId === of.taskId : row.customerId === of.customerId))
}

export type OpenMerge = Stored<CustomerMergeRecord> & { kept: KeptCustomers }

/** Asked for together. */
const sourcesAtOnce = 20

/** Yields the merges into the customer that nobody has taken back, newest first, without those that came along with one of them. */
export async function* openMergesOf(
  store: TenantReads,
  { _id, mergedFrom = [] }: Pick<CustomerRecord, '_id' | 'mergedFrom'>,
): AsyncGenerator<OpenMerge> {
  const sources = mergedFrom.toReversed()
  for (let at = 0; at < sources.length; at += sourcesAtOnce) {
    const some = sources.slice(at, at + sourcesAtOnce)
    const found = await Promise.all(some.map((sourceId) => findMerge(store, { sourceId, customerId: _id })))
    yield* found.filter((one): one is OpenMerge => one?.targetId === _id && one.kept !== null)
  }
}

/**
 * Returns the writes that keep what a page of a merge moved. `merges` are the merge itself and those that moved its target
 * on, in their order: to take one of them back also brings back what passed through it.
 */
export function keptPages(merges: readonly Stored<CustomerMergeRecord>[], { moved, ...page }: Page): Write[] {
  const passed = [...moved]
  return merges.flatMap((merge): Write[] => {
    const row = mergePage(merge, { ...page, moved: [...passed] })
    passed.push({ kind: 'customerMerges', id: row._id })
    const { _id: id, version: expectVersion } = merge
    return [
      // Conflicts when the merge was taken back in the meantime: its rows stay where they are.
      { op: 'update', kind: 'customerMerges', id, expectVersion, set: { updatedAt: page.now } },
      { op: 'insert', kind: 'customerMerges', row },
    ]
  })
}

/** Throws INVALID_STATE while a task moves rows between two customers: neither of them may end before it. */
export function assertNotReturning({ unmerging = null }: CustomerRecord): void {
  if (unmerging === null) return
  const message = 'A merge of this customer is being taken back. Try again in a few seconds.'
  throw invalidState(message, 'unmerging', [])
}

/** Returns the fields that a merge fills. */
export function mergedFieldsOf(customer: CustomerRecord): MergedFields {
  const { profile, jobTitle, tier, tags, customFields, externalIds } = customer
  const { formerExternalIds, emailSince, typedEmail, lastContactAt } = customer
  return {
    profile,
    jobTitle,
    tier,
    tags,
    customFields,
    externalIds,
    ...(formerExternalIds !== undefined && { formerExternalIds }),
    ...(emailSince !== undefined && { emailSince }),
    ...(typedEmail !== undefined && { typedEmail }),
    ...(lastContactAt !== undefined && { lastContactAt }),
  }
}
