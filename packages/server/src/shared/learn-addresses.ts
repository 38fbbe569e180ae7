import { isPhoneNumber } from '@crmkit/core'
import { normalizeEmail } from '@crmkit/core/vocabulary'
import type { Write } from '../ports/change.ts'
import type { CustomerAddressRecord } from '../storage/kinds/customer-addresses.ts'
import type { CustomerRecord } from '../storage/kinds/customers.ts'
import type { Stored } from '../storage/records.ts'
import { customerAddressId } from '../storage/rules/customer-addresses.ts'
import { type AddressReads, ownAddressOf, ownSince, rowsOf } from './people-of-address.ts'
import { readPhone } from './people-of-phone.ts'
import { removalOf } from './removal-of.ts'

/*
 * Writes of the register of people's addresses. They belong to the commit that changes the customer, and that commit
 * updates the customer's own row: so it conflicts with a merge or a removal that has not read them.
 */

export interface LearntAddresses {
  /** Fields that the write of the customer's own row takes along. */
  set: Pick<CustomerRecord, 'emailSince' | 'hasMoreAddresses' | 'typedEmail'>
  writes: Write[]
}

interface CustomerChange {
  /** Undefined for a customer that the commit makes. */
  before: CustomerRecord | undefined
  /** The customer as the commit leaves it. */
  after: CustomerRecord
  /** Further addresses that the commit learns. */
  more?: MoreAddresses
  now: string
}

interface MoreAddresses {
  /** E-mails, and phone numbers in E.164 form. */
  addresses: readonly string[]
  source: 'import' | 'signed'
  /** The run of an import. */
  madeBy: string | null
}

/**
 * Returns what a change of a customer means for the register. An e-mail that was replaced or cleared becomes a former
 * address, and one that comes back loses its row. A former address stays former when an import names it again: the team
 * may have corrected it. A sign-in proves it, and makes it current.
 */
export async function addressesAfter(read: AddressReads, change: CustomerChange): Promise<LearntAddresses> {
  const { before, now, more } = change
  const typed = typedAfter(change)
  const after = { ...change.after, ...typed }
  const was = before === undefined ? null : ownAddressOf(before)
  const is = ownAddressOf(after)
  const named = new Set(more?.addresses.map(normalizeEmail))
  const phones = await phonesOfChange(read, change)
  const writes: Write[] = []
  const rowOfIs = before === undefined || was === is ? undefined : await findRow(read, after, is)
  if (rowOfIs) writes.push(removalOf('customerAddresses', rowOfIs))
  if (before && was !== null && was !== is) {
    const values = { address: was, since: ownSince(before), ...endOf(change, named, was), madeBy: null }
    writes.push(rowWrite({ after, now }, values, await findRow(read, after, was)))
  }
  if (more) {
    const own: ReadonlySet<string | null> = new Set([was, is, phones.was, phones.is])
    const others = [...named].filter((address) => !own.has(address))
    const learnt = others.map((address) => moreWrites(read, { after, now }, { ...more, address }))
    writes.push(...(await Promise.all(learnt)).flat())
  }
  writes.push(...(await phoneWrites(read, change, { ...phones, named })))
  const since = before === undefined || is === null || is === was ? {} : { emailSince: rowOfIs?.since ?? now }
  return { set: { ...typed, ...since, ...markOf(writes) }, writes }
}

interface PhonesOfChange {
  was: string | null
  is: string | null
}

/** Returns the numbers of the profile before and after a change; none where nothing asks for them. */
async function phonesOfChange(
  read: AddressReads,
  { before, after, more }: CustomerChange,
): Promise<PhonesOfChange> {
  const isChanged = before !== undefined && before.profile.phone !== after.profile.phone
  if (!isChanged && !more?.addresses.some(isPhoneNumber)) return { was: null, is: null }
  const is = await readPhone(read, after.profile.phone)
  return { was: isChanged ? await readPhone(read, before.profile.phone) : is, is }
}

/** A number that was replaced or cleared becomes a former one, and one that comes back loses its row. */
async function phoneWrites(
  read: AddressReads,
  change: CustomerChange,
  { was, is, named }: PhonesOfChange & { named: ReadonlySet<string> },
): Promise<Write[]> {
  const { before, after, now } = change
  if (before === undefined || was === is) return []
  const [rowOfWas, rowOfIs] = await Promise.all([findRow(read, after, was), findRow(read, after, is)])
  const writes: Write[] = rowOfIs ? [removalOf('customerAddresses', rowOfIs)] : []
  if (was === null) return writes
  const values = { address: was, since: before.createdAt, ...endOf(change, named, was), madeBy: null }
  return [...writes, rowWrite({ after, now }, values, rowOfWas)]
}

/** Says of an address that is not the profile's any more whether it is still theirs: a source that names it says so. */
function endOf({ more, now }: CustomerChange, named: ReadonlySet<string>, address: string) {
  return more && named.has(address) ? ({ until: null, source: more.source } as const) : changedAt(now)
}

/** Returns the mark of a customer of whom the commit writes a row. It stays when the rows go. */
export function markOf(writes: readonly Write[]): Pick<CustomerRecord, 'hasMoreAddresses'> {
  return writes.some(({ op }) => op !== 'remove') ? { hasMoreAddresses: true } : {}
}

const changedAt = (now: string) => ({ until: now, source: 'changed' }) as const

/** An e-mail is a typed one only until somebody else says which it is. */
function typedAfter({ before, after }: CustomerChange): Pick<CustomerRecord, 'typedEmail'> {
  if (before === undefined || after.profile.email === before.profile.email) return {}
  const { typedEmail = null } = after
  return typedEmail !== null && typedEmail === before.typedEmail ? { typedEmail: null } : {}
}

async function findRow(
  read: AddressReads,
  { _id: customerId }: CustomerRecord,
  address: string | null,
): Promise<Stored<CustomerAddressRecord> | undefined> {
  if (address === null) return undefined
  return read.customerAddresses.find(customerAddressId({ customerId, address }))
}

async function moreWrites(
  read: AddressReads,
  owner: RowOwner,
  { address, source, madeBy }: Omit<MoreAddresses, 'addresses'> & { address: string },
): Promise<Write[]> {
  const stored = await findRow(read, owner.after, address)
  if (stored && (stored.until === null || source === 'import')) return []
  const { now } = owner
  const values = { address, since: stored?.since ?? now, until: null, source, madeBy }
  return [rowWrite(owner, values, stored)]
}

interface RowOwner {
  after: CustomerRecord
  now: string
}

export type AddressValues = Pick<CustomerAddressRecord, 'address' | 'since' | 'until' | 'source' | 'madeBy'>

/** Returns the write that makes the row of an address, or changes the one that is stored. */
export function rowWrite(
  { after: { _id: customerId, tenantId }, now }: RowOwner,
  values: AddressValues,
  stored: Stored<CustomerAddressRecord> | undefined,
): Write {
  if (stored) {
    const { _id: id, version: expectVersion } = stored
    return { op: 'update', kind: 'customerAddresses', id, expectVersion, set: { ...values, updatedAt: now } }
  }
  const _id = customerAddressId({ customerId, address: values.address })
  const row = { _id, tenantId, customerId, ...values, createdAt: now, updatedAt: now }
  return { op: 'insert', kind: 'customerAddresses', row }
}

/** Returns the writes that remove the rows of a customer whose own row the commit removes. */
export async function removedAddresses(read: AddressReads, customerId: string): Promise<Write[]> {
  const writes: Write[] = []
  for await (const row of rowsOf(read, customerId)) writes.push(removalOf('customerAddresses', row))
  return writes
}
