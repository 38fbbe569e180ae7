import { isEmail } from '@crmkit/core'
import type { CustomerRecord } from '../storage/kinds/customers.ts'
import { type AddressReads, ownAddressOf, peopleOfAddress } from './people-of-address.ts'

/**
 * Whether an address is blocked. Any customer who has it counts: of several rows of one person, one block counts for all.
 * Where nobody has it now, those who had it count: another address in the customer's row lifts no block, and a new owner of
 * an address is not blocked for the former one.
 */
export async function isBlockedAddress(read: AddressReads, address: string): Promise<boolean> {
  if (!isEmail(address)) return false
  const { current, former } = await peopleOfAddress(read, address)
  return (current.length > 0 ? current : former).some(isBlocked)
}

/** Whether a customer is blocked, or another one with the same `profile.email` is. */
export async function isBlockedCustomer(read: AddressReads, customer: CustomerRecord): Promise<boolean> {
  if (isBlocked(customer)) return true
  const address = ownAddressOf(customer)
  return address !== null && (await isBlockedAddress(read, address))
}

function isBlocked({ blockedAt }: CustomerRecord): boolean {
  return typeof blockedAt === 'string'
}
