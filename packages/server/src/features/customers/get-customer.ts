import { type getCustomer, notFound } from '@crmkit/core'
import type { TenantReads } from '../../ports/storage.ts'
import { customerOfRecord } from '../../shared/customer-of-record.ts'
import { type AddressOfCustomer, addressesOf, profileAddress } from '../../shared/people-of-address.ts'
import type { CustomerRecord } from '../../storage/kinds/customers.ts'
import type { Handler } from '../handler.ts'

/** A person who reads them needs no more. */
const addressesMax = 50

export const handleGetCustomer: Handler<typeof getCustomer> = async ({ store }, { params }) => {
  const customer = await store.customers.find(params.id)
  if (customer === undefined) throw notFound()
  const addresses = await shownAddresses(store, customer)
  return { reply: { success: true, data: { ...customerOfRecord(customer), addresses } } }
}

/** Most customers have one address, which is in their row. */
async function shownAddresses(store: TenantReads, customer: CustomerRecord): Promise<AddressOfCustomer[]> {
  return customer.hasMoreAddresses ? addressesOf(store, customer, addressesMax) : profileAddress(customer)
}
