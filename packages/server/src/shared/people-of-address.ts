import { isPhoneNumber } from '@crmkit/core'
import { normalizeEmail } from '@crmkit/core/vocabulary'
import type { TenantReads } from '../ports/storage.ts'
import type { CustomerAddressRecord } from '../storage/kinds/customer-addresses.ts'
import type { CustomerRecord } from '../storage/kinds/customers.ts'
import type { Stored } from '../storage/records.ts'
import { customerAddressId } from '../storage/rules/customer-addresses.ts'
import { readAll } from './read-all.ts'

/*
 * The register of people's addresses: `profile.email` of customers, and the rows of `customerAddresses` for every other
 * address. All code that looks for the customers of an address, or for the addresses of a customer, asks here.
 */

export type AddressReads = Pick<TenantReads, 'customers' | 'customerAddresses' | 'phones'>

/** Holders of one address that are read; further ones change no decision. */
const holdersMax = 50
const pageSize = 100
/** An address that visitors typed this often is read no further. */
const pagesMax = 10

export interface PeopleOfAddress {
  /** Customers who have the address now, as their `profile.email` or as one more. */
  current: Stored<CustomerRecord>[]
  /** Customers who had the address once and do not have it now. */
  former: Stored<CustomerRecord>[]
}

export interface AddressOfCustomer extends Pick<CustomerAddressRecord, 'since' | 'until'> {
  /** `normalizeEmail` of the address. */
  address: string
  /** `profile`: it is `profile.email`. */
  source: CustomerAddressRecord['source'] | 'profile'
}

/**
 * Returns the address by which a customer is known: `profile.email` in its normal form. Null without one, and for an e-mail
 * that a visitor of a chat typed, because anybody can type the address of somebody else.
 */
export function ownAddressOf(customer: CustomerRecord): string | null {
  const { email } = customer.profile
  return email === null || typedAddressOf(customer) !== null ? null : normalizeEmail(email)
}

/** Returns `profile.email` in its normal form where a visitor of a chat typed it and nobody else has said so since. */
export function typedAddressOf({
  profile,
  typedEmail,
}: Pick<CustomerRecord, 'profile' | 'typedEmail'>): string | null {
  if (profile.email === null || typeof typedEmail !== 'string') return null
  const address = normalizeEmail(profile.email)
  return normalizeEmail(typedEmail) === address ? address : null
}

/** Returns the customers who have an address, and who had it. `address` is its `normalizeEmail`. */
export async function peopleOfAddress(read: AddressReads, address: string): Promise<PeopleOfAddress> {
  const [holders, rows] = await Promise.all([
    holdersOf(read, address),
    read.customerAddresses.listByAddress({ addresses: [address], limit: holdersMax }),
  ])
  const current = new Map(holders.map((customer) => [customer._id, customer]))
  const former = new Map<string, Stored<CustomerRecord>>()
  const named = await Promise.all(rows.map(({ customerId }) => read.customers.find(customerId)))
  for (const [index, { until }] of rows.entries()) {
    const customer = named[index]
    if (customer) (until === null ? current : former).set(customer._id, customer)
  }
  return {
    current: [...current.values()],
    former: [...former.values()].filter(({ _id }) => !current.has(_id)),
  }
}

/** Returns the one customer who has an address now; undefined when nobody or several have it. */
export async function ownerOfAddress(
  read: AddressReads,
  address: string,
): Promise<Stored<CustomerRecord> | undefined> {
  const { current } = await peopleOfAddress(read, address)
  return current.length === 1 ? current[0] : undefined
}

async function holdersOf(read: AddressReads, address: string): Promise<Stored<CustomerRecord>[]> {
  const found = await read.customers.listByContact({ emails: [address], phoneTails: [], limit: holdersMax })
  const holders = found.filter((customer) => ownAddressOf(customer) === address)
  // Visitors may have typed the address often enough to hide the person whose it is.
  const isFull = found.length === holdersMax && holders.length < holdersMax
  return isFull ? holdersAmongAll(read, address) : holders
}

async function holdersAmongAll(read: AddressReads, address: string): Promise<Stored<CustomerRecord>[]> {
  const holders: Stored<CustomerRecord>[] = []
  let cursor: string | undefined
  for (let page = 0; page < pagesMax && holders.length < holdersMax; page++) {
    const list = await read.customers.listRows({ email: address, page: 1, limit: pageSize, cursor })
    holders.push(...list.rows.filter((customer) => ownAddressOf(customer) === address))
    if (list.nextCursor === null) break
    cursor = list.nextCursor
  }
  return holders
}

/** Returns whether the customer has the address now. `address` is its `normalizeEmail`. */
export async function hasAddress(
  read: AddressReads,
  customer: CustomerRecord,
  address: string,
): Promise<boolean> {
  if (ownAddressOf(customer) === address) return true
  const row = await read.customerAddresses.find(customerAddressId({ customerId: customer._id, address }))
  return row !== undefined && row.until === null
}

/**
 * Returns the addresses of a customer, current and former: `profile.email` first, then the others, newest first, at most
 * `limit` in all. An e-mail that a visitor typed is none.
 */
export async function addressesOf(
  read: AddressReads,
  customer: CustomerRecord,
  limit = Number.POSITIVE_INFINITY,
): Promise<AddressOfCustomer[]> {
  const found = profileAddress(customer)
  for await (const row of rowsOf(read, customer._id)) {
    if (found.length >= limit) break
    const { address, since, until, source } = row
    if (isPhoneNumber(address)) continue
    found.push({ address, since, until, source })
  }
  return found.slice(0, limit)
}

/** Returns `profile.email` as one of the addresses of a customer; none where a visitor typed it. */
export function profileAddress(customer: CustomerRecord): AddressOfCustomer[] {
  const address = ownAddressOf(customer)
  return address === null ? [] : [{ address, since: ownSince(customer), until: null, source: 'profile' }]
}

/** When `profile.email` became the customer's. */
export function ownSince({ emailSince, createdAt }: CustomerRecord): string {
  return emailSince ?? createdAt
}

/**
 * Yields the rows of a customer's addresses and phone numbers other than those of the profile, newest first. Rows of one commit follow each
 * other by the time since which the address is the customer's: their ids are in no order.
 */
export async function* rowsOf(
  read: AddressReads,
  customerId: string,
): AsyncGenerator<Stored<CustomerAddressRecord>> {
  const rows = readAll((cursor) =>
    read.customerAddresses.listRows({ customerId, sort: '-createdAt', page: 1, limit: pageSize, cursor }),
  )
  let together: Stored<CustomerAddressRecord>[] = []
  for await (const row of rows) {
    if (together[0] !== undefined && together[0].createdAt !== row.createdAt) {
      yield* together.sort(bySince)
      together = []
    }
    together.push(row)
  }
  yield* together.sort(bySince)
}

function bySince(one: CustomerAddressRecord, other: CustomerAddressRecord): number {
  if (one.since !== other.since) return one.since < other.since ? 1 : -1
  return one.address < other.address ? -1 : 1
}
