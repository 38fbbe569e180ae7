import { type getCustomer, type InputOf, type listCustomers, normalizeEmail, notFound } from '@crmkit/core'
import type { TenantReads } from '../../ports/storage.ts'
import { isoTime } from '../../shared/clock.ts'
import { customerOfRecord } from '../../shared/customer-of-record.ts'
import { addressesOf, profileAddress } from '../../shared/people-of-address.ts'
import { peopleOfPhone, readPhone } from '../../shared/people-of-phone.ts'
import { pageReply } from '../../shared/reply-page.ts'
import { companyLabel } from '../../storage/company-label.ts'
import { externalIdLabel } from '../../storage/external-ids.ts'
import type { CustomerRecord } from '../../storage/kinds/customers.ts'
import type { ListFilter, PageOf } from '../../storage/pages.ts'
import { phoneTail } from '../../storage/sort-keys.ts'
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
  const hasMerges = (customer.mergedFrom ?? []).length > 0
  return { reply: { success: true, data: { ...customerOfRecord(customer), addresses, hasMerges } } }
}

export const handleListCustomers: Handler<typeof listCustomers> = async ({ store, actor }, { query }) => {
  const { include = [], ...asked } = query
  const filter = filterOf(asked)
  const page = (await listOfPhone(store, filter)) ?? (await store.customers.list(filter))
  const isCounted = include.includes('openConversations') && actor.permissions.includes('read:conversations')
  const counts = isCounted ? await Promise.all(page.rows.map(({ _id }) => countOpen(store, _id))) : []
  const rows = page.rows.map((row, at) => ({
    ...customerOfRecord(row),
    openConversations: counts[at] ?? null,
  }))
  return { reply: pageReply({ ...page, rows }, query) }
}

type Query = Omit<InputOf<typeof listCustomers>['query'], 'include'>

/** Before every time, and after the place of those who have never written. */
const firstContact = '0'

function filterOf({ email, externalId, company, tags = [], ...query }: Query): CustomerFilter {
  const { lastContactSince, lastContactUntil: until } = query
  return {
    ...query,
    email: email === undefined ? undefined : normalizeEmail(email),
    tags: [
      ...tags,
      ...(externalId === undefined ? [] : [externalIdLabel(externalId)]),
      ...(company === undefined ? [] : [companyLabel(company)]),
    ],
    ...(until !== undefined && {
      lastContactSince: lastContactSince ?? firstContact,
      // The end is left out, and the filter includes it.
      lastContactUntil: isoTime(Date.parse(until) - 1),
    }),
  }
}

const openStatuses = ['open', 'pending', 'snoozed'] as const

async function countOpen(store: TenantReads, customerId: string): Promise<number> {
  const open = { customerId, status: [...openStatuses], page: 1, limit: 1 }
  return (await store.conversations.list(open)).total
}

type CustomerFilter = ListFilter<'customers'>

/** Further ones are found as texts alone. */
const foundMax = 100

/**
 * Returns the customers whose number a search means, however it is written in their rows, beside those whose texts hold its terms;
 * undefined for a search that means no number of a customer.
 */
async function listOfPhone(
  store: TenantReads,
  filter: CustomerFilter,
): Promise<PageOf<CustomerRecord> | undefined> {
  const { search = null } = filter
  const phone = phoneTail(search) === null ? null : await readPhone(store, search)
  const people = phone === null ? [] : await peopleOfPhone(store, phone)
  if (people.length === 0) return undefined
  const others = await store.customers.listRows({ ...filter, page: 1, limit: foundMax, cursor: undefined })
  const ids = new Set([...people, ...others.rows].map(({ _id }) => _id))
  if (others.nextCursor !== null || ids.size > foundMax) return undefined
  return store.customers.list({ ...filter, search: undefined, ids: [...ids] })
}
