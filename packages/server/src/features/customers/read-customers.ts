import { type getCustomer, type listCustomers, normalizeEmail, notFound } from '@crmkit/core'
import { customerOfRecord } from '../../shared/customer-of-record.ts'
import { addressesOf, profileAddress } from '../../shared/people-of-address.ts'
import { pageReply } from '../../shared/reply-page.ts'
import { externalIdLabel } from '../../storage/external-ids.ts'
import type { Handler } from '../handler.ts'

/** A person who reads them needs no more. */
const addressesMax = 50

export const handleGetCustomer: Handler<typeof getCustomer> = async ({ store }, { params }) => {
  const customer = await store.customers.find(params.id)
  if (customer === undefined) throw notFound()
  // Most customers have one address, which is in their row.
  const addresses = customer.hasMoreAddresses
    ? await addressesOf(store, customer, addressesMax)
    : profileAddress(customer)
  return { reply: { success: true, data: { ...customerOfRecord(customer), addresses } } }
}

export const handleListCustomers: Handler<typeof listCustomers> = async ({ store }, { query }) => {
  const { email, externalId, tags = [], ...rest } = query
  const labels = externalId === undefined ? tags : [...tags, externalIdLabel(externalId)]
  const filter = { ...rest, tags: labels, email: email === undefined ? undefined : normalizeEmail(email) }
  const page = await store.customers.list(filter)
  return { reply: pageReply({ ...page, rows: page.rows.map(customerOfRecord) }, query) }
}
