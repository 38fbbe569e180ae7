import { isEmail, normalizeEmail } from '@crmkit/core'
import type { TenantStore } from '../ports/storage.ts'
import type { CustomerRecord } from '../storage/kinds/customers.ts'

const candidatesMax = 50

/** Returns the customers whose e-mail is this address, at most 50. */
export async function customersOfAddress(store: Pick<TenantStore, 'customers'>, address: string) {
  const found = await store.customers.listByContact({
    emails: [address],
    phoneTails: [],
    limit: candidatesMax,
  })
  return found.filter(({ profile }) => profile.email !== null && normalizeEmail(profile.email) === address)
}

/** Whether any customer with this address is blocked: of several rows of one person, one block counts for all. */
export async function isBlockedAddress(
  store: Pick<TenantStore, 'customers'>,
  address: string,
): Promise<boolean> {
  if (!isEmail(address)) return false
  const customers = await customersOfAddress(store, address)
  return customers.some(({ blockedAt }: CustomerRecord) => typeof blockedAt === 'string')
}
