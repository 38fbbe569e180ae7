import { isPhoneNumber, numberOfOther, type StoredCall } from '@crmkit/core'
import type { TenantReads } from '../ports/storage.ts'
import type { CustomerRecord } from '../storage/kinds/customers.ts'
import type { Stored } from '../storage/records.ts'
import { customerAddressId } from '../storage/rules/customer-addresses.ts'
import { phoneTail } from '../storage/sort-keys.ts'
import { type AddressReads, rowsOf } from './people-of-address.ts'
import { comparablePhone, writtenForms } from './phone-numbers.ts'
import { readAll } from './read-all.ts'

/*
 * The register of phone numbers: `profile.phone` of customers, and the rows of `customerAddresses` that hold a number, for every
 * other one. All code that looks for the customers of a number, or for the numbers of a customer, asks here.
 */

/** Further customers with numbers that end alike change no decision. */
const holdersMax = 50
const pageSize = 100

type People = Stored<CustomerRecord>[]

/** Returns the customers who have a phone number now. A text that is no number in E.164 form matches nobody. */
export async function peopleOfPhone(read: AddressReads, phone: string): Promise<People> {
  return (await peopleOfPhones(read, [phone])).get(phone) ?? []
}

/** Returns the customers who have these phone numbers now, each number with at least one of them. */
async function peopleOfPhones(
  read: AddressReads,
  phones: readonly string[],
): Promise<ReadonlyMap<string, People>> {
  const asked = new Set(phones.filter(isPhoneNumber))
  const found = new Map<string, Map<string, Stored<CustomerRecord>>>()
  if (asked.size === 0) return new Map()
  const add = (phone: string, customer: Stored<CustomerRecord>) => {
    found.set(phone, (found.get(phone) ?? new Map()).set(customer._id, customer))
  }
  const phoneTails = [...asked].flatMap(tailsOf)
  const [country, customers, rows] = await Promise.all([
    countryOf(read),
    read.customers.listByContact({ emails: [], phoneTails, limit: holdersMax }),
    read.customerAddresses.listByAddress({ addresses: [...asked], limit: holdersMax }),
  ])
  for (const customer of customers) {
    const phone = comparablePhone(customer.profile.phone, country)
    if (phone !== null && asked.has(phone)) add(phone, customer)
  }
  for (const { address, customerId, until } of rows) {
    // A number that a customer had once is somebody else's by now.
    const customer = until === null ? await read.customers.find(customerId) : undefined
    if (customer) add(address, customer)
  }
  return new Map([...found].map(([phone, people]) => [phone, [...people.values()]]))
}

/** Returns the ends of everything that means the number. */
function tailsOf(phone: string): string[] {
  const tails = new Set(writtenForms(phone).map(phoneTail))
  return [...tails].filter((tail) => tail !== null)
}

async function countryOf(read: AddressReads): Promise<string | null> {
  return (await read.phones())?.country ?? null
}

/** Returns a text as the number in E.164 form that it means to the tenant; null for one that cannot be read. */
export async function readPhone(read: AddressReads, text: string | null): Promise<string | null> {
  return text === null ? null : comparablePhone(text, await countryOf(read))
}

/** Returns the numbers of a customer in E.164 form, current and former ones. */
export async function phonesOf(read: AddressReads, customer: CustomerRecord): Promise<ReadonlySet<string>> {
  const own = await readPhone(read, customer.profile.phone)
  const phones = new Set(own === null ? [] : [own])
  if (!customer.hasMoreAddresses) return phones
  for await (const { address } of rowsOf(read, customer._id)) if (isPhoneNumber(address)) phones.add(address)
  return phones
}

type CallReads = AddressReads & Pick<TenantReads, 'calls'>

/** Yields the calls from and to a number until a moment, however it is written in them, but those that name its former holder. */
export async function* callsOfPhone(
  store: CallReads,
  { phone, until }: { phone: string; until: string },
): AsyncGenerator<Stored<StoredCall>> {
  const country = await countryOf(store)
  const list = { sort: 'createdAt', page: 1, limit: pageSize } as const
  const seen = new Set<string>()
  const filters = tailsOf(phone).flatMap((tail) => [{ fromTail: tail }, { toTail: tail }])
  for (const filter of filters) {
    for await (const call of readAll((cursor) => store.calls.listRows({ ...list, ...filter, cursor }))) {
      if (call.createdAt > until) break
      const isNamed = [call.from, call.to].some((number) => comparablePhone(number, country) === phone)
      if (!isNamed || seen.has(call._id) || (await wasTheirs(store, call, phone))) continue
      seen.add(call._id)
      yield call
    }
  }
}

/** The customer of the call had the number once, so it says who called them. */
async function wasTheirs(store: CallReads, { customerId }: StoredCall, address: string): Promise<boolean> {
  if (customerId === null) return false
  return (await store.customerAddresses.find(customerAddressId({ customerId, address }))) !== undefined
}

/** Returns a call without a number. */
export async function callWithout(
  store: CallReads,
  { from, to }: StoredCall,
  phone: string,
): Promise<Pick<StoredCall, 'from' | 'to'>> {
  const country = await countryOf(store)
  const without = (number: string | null) => (comparablePhone(number, country) === phone ? null : number)
  return { from: without(from), to: without(to) }
}

/** Returns whether somebody other than an erased customer explains a number: another customer, made before, or the team itself. */
export async function isExplained(
  read: AddressReads,
  phone: string,
  { except, before }: { except: string; before: string },
): Promise<boolean> {
  const own = (await read.phones())?.numbers ?? []
  if (own.includes(phone)) return true
  const people = await peopleOfPhone(read, phone)
  return people.some(({ _id, createdAt }) => _id !== except && createdAt < before)
}

/** Returns the calls as the API shows them: those without a customer name the customers who have the number. */
export async function shownCalls(read: AddressReads, calls: readonly StoredCall[]) {
  const country = await countryOf(read)
  const numberOf = (call: StoredCall) =>
    call.customerId === null ? comparablePhone(numberOfOther(call), country) : null
  const people = await peopleOfPhones(
    read,
    calls.flatMap((call) => numberOf(call) ?? []),
  )
  return calls.map((call) => {
    const holders = people.get(numberOf(call) ?? '') ?? []
    return { ...call, candidates: holders.length < 2 ? [] : holders.map(({ _id }) => ({ _id })) }
  })
}

export async function shownCall(read: AddressReads, call: StoredCall) {
  const [shown] = await shownCalls(read, [call])
  return shown ?? { ...call, candidates: [] }
}
