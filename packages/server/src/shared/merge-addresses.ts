import { normalizeEmail } from '@crmkit/core/vocabulary'
import type { Write } from '../ports/change.ts'
import type { CustomerAddressRecord } from '../storage/kinds/customer-addresses.ts'
import type { KeptAddress, KeptCustomers } from '../storage/kinds/customer-merges.ts'
import type { CustomerRecord } from '../storage/kinds/customers.ts'
import type { Stored } from '../storage/records.ts'
import { type AddressValues, type LearntAddresses, markOf, rowWrite } from './learn-addresses.ts'
import { type AddressReads, ownAddressOf, ownSince, rowsOf } from './people-of-address.ts'
import { readPhone } from './people-of-phone.ts'
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
): Promise<LearntAddresses & { kept: KeptCustomers['addresses'] }> {
  const [rowsOfTarget, rowsOfSource] = await Promise.all([
    target === undefined ? [] : allRowsOf(read, target._id),
    allRowsOf(read, source._id),
  ])
  const merged = new Map<string, AddressValues>()
  const both = target === undefined ? [source] : [target, source]
  const own = (await Promise.all(both.map((customer) => ownOf(read, customer)))).flat()
  for (const values of [...rowsOfTarget, ...rowsOfSource, ...own]) add(merged, values)
  if (signed) add(merged, proven(normalizeEmail(signed), now))
  const email = normalizeEmail(after.profile.email ?? '')
  const known = merged.get(email)
  // One of them has proven the address that the other one had only typed.
  const isProven = known !== undefined && known.until === null
  const isOwn = isProven || ownAddressOf(after) !== null
  if (isOwn) merged.delete(email)
  const phone = await readPhone(read, after.profile.phone)
  if (phone !== null) merged.delete(phone)
  const changed = targetWrites({ after, now }, rowsOfTarget, merged)
  const set = {
    ...markOf(changed),
    ...(isProven && (after.typedEmail ?? null) !== null && { typedEmail: null }),
    ...(isOwn && known && { emailSince: known.since }),
  }
  const writes = [...rowsOfSource.map((row): Write => removalOf('customerAddresses', row)), ...changed]
  const kept = {
    own: target === undefined ? null : ownAddressOf(target),
    ownPhone: target === undefined ? null : await readPhone(read, target.profile.phone),
    sourcePhone: await readPhone(read, source.profile.phone),
    source: rowsOfSource.map(valuesOf),
    before: rowsOfTarget.map(valuesOf),
    after: [...merged.values()],
  }
  return { set, writes, kept }
}

/** Returns the customer's `profile.email` and `profile.phone` as rows of the register would have them. */
async function ownOf(read: AddressReads, customer: CustomerRecord): Promise<AddressValues[]> {
  const values = { until: null, source: 'merged', madeBy: null } as const
  const [email, phone] = [ownAddressOf(customer), await readPhone(read, customer.profile.phone)]
  return [
    ...(email === null ? [] : [{ ...values, address: email, since: ownSince(customer) }]),
    ...(phone === null ? [] : [{ ...values, address: phone, since: customer.createdAt }]),
  ]
}

function proven(address: string, now: string): AddressValues {
  return { address, since: now, until: null, source: 'signed', madeBy: null }
}

async function allRowsOf(read: AddressReads, customerId: string): Promise<Rows> {
  const rows: Stored<CustomerAddressRecord>[] = []
  for await (const row of rowsOf(read, customerId)) rows.push(row)
  return rows
}

function valuesOf({ address, since, until, source, madeBy }: KeptAddress): KeptAddress {
  return { address, since, until, source, madeBy }
}

function add(merged: Map<string, AddressValues>, row: AddressValues) {
  const { address } = row
  const known = merged.get(address)
  const values = valuesOf(row)
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

interface Unmerge {
  kept: KeptCustomers
  /** The other merges of the target: it has the addresses of their sources still. */
  others: readonly KeptCustomers[]
  /** The later ones among them: the state before this one knows nothing of their addresses. */
  later: readonly KeptCustomers[]
  /** The target as it is. */
  target: CustomerRecord
  /** The target as the commit leaves it. */
  after: CustomerRecord
  /** The source, which the commit makes again. */
  source: CustomerRecord
  now: string
}

/**
 * Returns the writes that give a customer who was merged the own addresses back. Rows of the target that the merge wrote
 * and nobody changed since are as before the merge; an address that the target has through the merge alone leaves no former
 * row. `set` is for the target.
 */
export async function unmergedAddresses(read: AddressReads, unmerge: Unmerge): Promise<LearntAddresses> {
  const { kept, target, after, source, now } = unmerge
  const stored = new Map((await allRowsOf(read, target._id)).map((row) => [row.address, row]))
  const [ownBefore, ownAfter] = [await ownNamesOf(read, target), await ownNamesOf(read, after)]
  const addresses = new Set([
    ...addressesOfKept(kept),
    ...kept.addresses.before.map(({ address }) => address),
    ...kept.addresses.after.map(({ address }) => address),
  ])
  const writes = [...addresses].flatMap((address) =>
    partedWrites({ ...unmerge, ownBefore, ownAfter }, address, stored.get(address)),
  )
  // An import that was undone since took its addresses back from the target.
  const isKnown = ({ address, madeBy }: KeptAddress) =>
    madeBy === null || stored.has(address) || ownBefore.has(address)
  const back = kept.addresses.source.filter(isKnown)
  writes.push(...back.map((values) => rowWrite({ after: source, now }, values, undefined)))
  return { set: { ...markOf(writes), ...ownMarks({ kept, target, after }) }, writes }
}

interface Parting extends Unmerge {
  /** The address and the phone number of the target's profile, before the commit and after it. */
  ownBefore: ReadonlySet<string>
  ownAfter: ReadonlySet<string>
}

/** Returns the address and the phone number of a customer's profile. */
async function ownNamesOf(read: AddressReads, customer: CustomerRecord): Promise<ReadonlySet<string>> {
  return new Set((await ownOf(read, customer)).map(({ address }) => address))
}

/** Returns what becomes of an address of the target, and of its row. */
function partedWrites(
  { kept, others, later, target, after, now, ownBefore, ownAfter }: Parting,
  address: string,
  row: Stored<CustomerAddressRecord> | undefined,
): Write[] {
  const [was, became] = [kept.addresses.before, kept.addresses.after].map((rows) =>
    rows.find((one) => one.address === address),
  )
  const isUntouched = became === undefined ? row === undefined : isAsStored(became, row)
  const isOf = (merges: readonly KeptCustomers[]) =>
    merges.some((merge) => currentAddressesOf(merge).has(address))
  if (was !== undefined) {
    if (!isUntouched || ownAfter.has(address)) return []
    return asBefore(was, isOf(later), row).map((values) => rowWrite({ after, now }, values, row))
  }
  if ([kept.addresses.own, kept.addresses.ownPhone].includes(address))
    // Where the merge preferred that of the source, it is the profile's again.
    return isUntouched && ownAfter.has(address) ? removalsOf(row) : []
  if (isOf(others)) {
    const isLost = row === undefined && ownBefore.has(address) && !ownAfter.has(address)
    const values = { address, since: ownSince(target), until: null, source: 'merged', madeBy: null } as const
    return isLost ? [rowWrite({ after, now }, values, undefined)] : []
  }
  // One that a sign-in or an import has given to the target since is the target's.
  const isOfMerge = isUntouched || row?.source === 'merged' || row?.source === 'changed'
  return isOfMerge ? removalsOf(row) : []
}

function removalsOf(row: Stored<CustomerAddressRecord> | undefined): Write[] {
  return row === undefined ? [] : [removalOf('customerAddresses', row)]
}

/** Returns what a row becomes that was there before the merge: itself, unless a later merge has made it current. */
function asBefore(
  was: AddressValues,
  isCurrent: boolean,
  row: Stored<CustomerAddressRecord> | undefined,
): AddressValues[] {
  if (isCurrent) return row === undefined ? [{ ...was, until: null }] : []
  return isAsStored(was, row) ? [] : [was]
}

/** Returns the addresses and numbers that the source of a merge has when it is taken back. */
export function currentAddressesOf({ source, addresses }: KeptCustomers): Set<string> {
  const rows = addresses.source.filter(({ until }) => until === null)
  return new Set(
    [ownAddressOf(source) ?? [], addresses.sourcePhone ?? [], rows.map(({ address }) => address)].flat(),
  )
}

/** Returns the addresses and numbers that the source of a merge had and its target had not. */
export function addressesOfKept({ source, addresses }: KeptCustomers): string[] {
  const { own, ownPhone, sourcePhone } = addresses
  const target = new Set([own ?? [], ownPhone ?? [], addresses.before.map(({ address }) => address)].flat())
  const ofSource = [
    ownAddressOf(source) ?? [],
    sourcePhone ?? [],
    addresses.source.map(({ address }) => address),
  ].flat()
  return [...new Set(ofSource)].filter((address) => !target.has(address))
}

/**
 * Returns what another merge of the same target keeps once this one is taken back: what the target had by this one alone,
 * it has not had before that one.
 */
export function keptWithout(other: KeptCustomers, parted: KeptCustomers): KeptCustomers {
  const gone = new Set(addressesOfKept(parted))
  const was = new Map(parted.addresses.before.map((row) => [row.address, row]))
  const became = new Map(parted.addresses.after.map((row) => [row.address, row]))
  const before = other.addresses.before.flatMap((row) => {
    if (gone.has(row.address)) return []
    const changed = became.get(row.address)
    return changed !== undefined && isAsStored(row, changed) ? (was.get(row.address) ?? row) : row
  })
  const { own, ownPhone } = other.addresses
  const unless = (name: string | null) => (name !== null && gone.has(name) ? null : name)
  return {
    ...other,
    addresses: { ...other.addresses, before, own: unless(own), ownPhone: unless(ownPhone) },
  }
}

/** Returns what says how `profile.email` is known, as before the merge where nobody has changed the e-mail or this since. */
function ownMarks({
  kept,
  target,
  after,
}: Pick<Unmerge, 'kept' | 'target' | 'after'>): LearntAddresses['set'] {
  if (after.profile.email !== kept.before.profile.email) return {}
  const isSame = (field: 'typedEmail' | 'emailSince') =>
    (target[field] ?? null) === (kept.after[field] ?? null)
  return {
    ...(isSame('typedEmail') && { typedEmail: kept.before.typedEmail ?? null }),
    ...(isSame('emailSince') && { emailSince: kept.before.emailSince ?? target.createdAt }),
  }
}
