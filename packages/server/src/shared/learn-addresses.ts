import { normalizeEmail } from '@crmkit/core/vocabulary'
import type { Write } from '../ports/change.ts'
import type { CustomerAddressRecord } from '../storage/kinds/customer-addresses.ts'
import type { CustomerRecord } from '../storage/kinds/customers.ts'
import type { Stored } from '../storage/records.ts'
import { customerAddressId } from '../storage/rules/customer-addresses.ts'
import { type AddressReads, ownAddressOf, ownSince, rowsOf } from './people-of-address.ts'
import { removalOf } from './removal-of.ts'

/*
 * Writes of the register of people's addresses. They belong to the commit that changes the customer, and that commit
 * updates the customer's own row: so it conflicts with a merge or a removal that has not read them.
 */

export interface LearntAddresses {
  /** Fields that the write of the customer's own row takes along. */
  set: Pick<CustomerRecord, 'emailSince' | 'typedEmail'>
  writes: Write[]
}

interface CustomerChange {
  before: CustomerRecord
  after: CustomerRecord
  now: string
}

/**
 * Returns what a change of a customer means for the register: an e-mail that was replaced or cleared becomes a former
 * address, and one that comes back loses its row.
 */
export async function addressesAfter(
  read: AddressReads,
  { before, after, now }: CustomerChange,
): Promise<LearntAddresses> {
  // A typed e-mail is one only until somebody else says which it is.
  const isReplaced = after.profile.email !== before.profile.email
  const typedEmail = isReplaced ? null : after.typedEmail
  const dropped = isReplaced && (after.typedEmail ?? null) !== null ? { typedEmail: null } : {}
  const [was, is] = [ownAddressOf(before), ownAddressOf({ ...after, ...(isReplaced && { typedEmail }) })]
  if (was === is) return { set: dropped, writes: [] }
  const { _id: customerId, tenantId } = after
  const find = (address: string | null) =>
    address === null ? undefined : read.customerAddresses.find(customerAddressId({ customerId, address }))
  const [rowOfWas, rowOfIs] = await Promise.all([find(was), find(is)])
  const writes: Write[] = []
  if (was !== null) {
    const former = { since: ownSince(before), until: now, source: 'changed', madeBy: null } as const
    writes.push(rowWrite({ tenantId, customerId, now }, { address: was, ...former }, rowOfWas))
  }
  if (rowOfIs) writes.push(removalOf('customerAddresses', rowOfIs))
  const set = { ...dropped, ...(is !== null && { emailSince: rowOfIs?.since ?? now }) }
  return { set, writes }
}

export type AddressValues = Pick<CustomerAddressRecord, 'address' | 'since' | 'until' | 'source' | 'madeBy'>

export function rowWrite(
  { tenantId, customerId, now }: { tenantId: string; customerId: string; now: string },
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

interface MoreAddresses {
  /** The customer as the commit leaves it. */
  customer: CustomerRecord
  emails: readonly string[]
  source: 'import' | 'signed'
  madeBy: string | null
  now: string
}

/**
 * Returns the writes that give further addresses to a customer. A former address stays former when an import names it
 * again: the team may have corrected it. A sign-in proves it, and makes it current.
 */
export async function moreAddresses(
  read: AddressReads,
  { customer, emails, source, madeBy, now }: MoreAddresses,
): Promise<Write[]> {
  const { _id: customerId, tenantId } = customer
  const own = ownAddressOf(customer)
  const addresses = [...new Set(emails.map(normalizeEmail))].filter((address) => address !== own)
  const writes = addresses.map(async (address): Promise<Write[]> => {
    const stored = await read.customerAddresses.find(customerAddressId({ customerId, address }))
    if (stored && (stored.until === null || source === 'import')) return []
    const values = { address, since: stored?.since ?? now, until: null, source, madeBy }
    return [rowWrite({ tenantId, customerId, now }, values, stored)]
  })
  return (await Promise.all(writes)).flat()
}

/** Returns the writes that remove the rows of a customer whose own row the commit removes. */
export async function removedAddresses(read: AddressReads, customerId: string): Promise<Write[]> {
  const writes: Write[] = []
  for await (const row of rowsOf(read, customerId)) writes.push(removalOf('customerAddresses', row))
  return writes
}
