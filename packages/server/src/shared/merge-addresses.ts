import { normalizeEmail } from '@crmkit/core/vocabulary'
import type { Write } from '../ports/change.ts'
import type { CustomerAddressRecord } from '../storage/kinds/customer-addresses.ts'
import type { CustomerRecord } from '../storage/kinds/customers.ts'
import type { Stored } from '../storage/records.ts'
import { type AddressValues, type LearntAddresses, markOf, rowWrite } from './learn-addresses.ts'
import { type AddressReads, ownAddressOf, ownSince, rowsOf } from './people-of-address.ts'
import { removalOf } from './removal-of.ts'

interface Merge {
  /** The customer that stays, before the merge; undefined for one that the commit makes. */
  target: CustomerRecord | undefined
  /** The customer that the commit removes. */
  source: CustomerRecord
  /** The customer that stays, as the merge leaves it. */
  after: CustomerRecord
  /** The e-mail of a sign-in that merges them. */
  signed?: string | null
  now: string
}

type Rows = readonly Stored<CustomerAddressRecord>[]

/**
 * Returns the writes that give the addresses of a merged customer to the one that stays, current ones and former ones. Of
 * equal addresses the earlier `since` stays, and one that either of them has now is current.
 */
export async function mergedAddresses(
  read: AddressReads,
  { target, source, after, signed, now }: Merge,
): Promise<LearntAddresses> {
  const [rowsOfTarget, rowsOfSource] = await Promise.all([
    target === undefined ? [] : allRowsOf(read, target._id),
    allRowsOf(read, source._id),
  ])
  const merged = new Map<string, AddressValues>()
  const own = [...(target === undefined ? [] : ownOf(target)), ...ownOf(source)]
  for (const values of [...rowsOfTarget, ...rowsOfSource, ...own]) add(merged, values)
  if (signed) add(merged, proven(normalizeEmail(signed), now))
  const email = normalizeEmail(after.profile.email ?? '')
  const known = merged.get(email)
  // One of them has proven the address that the other one had only typed.
  const isProven = known !== undefined && known.until === null
  const isOwn = isProven || ownAddressOf(after) !== null
  if (isOwn) merged.delete(email)
  const kept = targetWrites({ after, now }, rowsOfTarget, merged)
  const set = {
    ...markOf(kept),
    ...(isProven && (after.typedEmail ?? null) !== null && { typedEmail: null }),
    ...(isOwn && known && { emailSince: known.since }),
  }
  const writes = [...rowsOfSource.map((row): Write => removalOf('customerAddresses', row)), ...kept]
  return { set, writes }
}

/** Returns the customer's `profile.email` as a row of the register would have it. */
function ownOf(customer: CustomerRecord): AddressValues[] {
  const address = ownAddressOf(customer)
  if (address === null) return []
  return [{ address, since: ownSince(customer), until: null, source: 'merged', madeBy: null }]
}

function proven(address: string, now: string): AddressValues {
  return { address, since: now, until: null, source: 'signed', madeBy: null }
}

async function allRowsOf(read: AddressReads, customerId: string): Promise<Rows> {
  const rows: Stored<CustomerAddressRecord>[] = []
  for await (const row of rowsOf(read, customerId)) rows.push(row)
  return rows
}

function add(merged: Map<string, AddressValues>, { address, since, until, source, madeBy }: AddressValues) {
  const known = merged.get(address)
  const values = { address, since, until, source, madeBy }
  merged.set(address, known === undefined ? values : joined(known, values))
}

function joined(one: AddressValues, other: AddressValues): AddressValues {
  const [earlier, later] = one.since < other.since ? [one, other] : [other, one]
  const isCurrent = one.until === null || other.until === null
  return {
    ...one,
    since: earlier.since,
    until: isCurrent ? null : (later.until ?? earlier.until),
    // The undo of one import must not take away what somebody else knew too.
    madeBy: one.madeBy === other.madeBy ? one.madeBy : null,
  }
}

/** Returns the writes that bring the rows of the customer that stays to the merged addresses. */
function targetWrites(
  { after, now }: Pick<Merge, 'after' | 'now'>,
  rows: Rows,
  merged: ReadonlyMap<string, AddressValues>,
): Write[] {
  const stored = new Map(rows.map((row) => [row.address, row]))
  const gone = rows.filter(({ address }) => !merged.has(address))
  const changed = [...merged.values()].filter((values) => !isAsStored(values, stored.get(values.address)))
  return [
    ...gone.map((row): Write => removalOf('customerAddresses', row)),
    ...changed.map((values) => rowWrite({ after, now }, values, stored.get(values.address))),
  ]
}

function isAsStored(values: AddressValues, row: AddressValues | undefined): boolean {
  if (row === undefined) return false
  const { since, until, source, madeBy } = values
  return row.since === since && row.until === until && row.source === source && row.madeBy === madeBy
}
