import { isPhoneNumber } from '@crmkit/core'
import { normalizeEmail } from '@crmkit/core/vocabulary'
import { haveOtherNames, mayBeOneName, type PersonName } from '../../connectors/person-names.ts'
import { ownAddressOf } from '../../shared/people-of-address.ts'
import { toE164 } from '../../shared/phone-numbers.ts'
import type { CustomerRecord } from '../../storage/kinds/customers.ts'
import { phoneTail } from '../../storage/sort-keys.ts'

/** The form in which e-mails of a source are compared. */
export function matchEmail(email: string): string {
  return normalizeEmail(email.trim())
}

/** A customer who has, or had, an address. */
export interface AddressOwner {
  /** `normalizeEmail` of an address; a phone number in E.164 form. */
  address: string
  customerId: string
  isFormer: boolean
}

/** The contact data of one person at the source. */
export interface PersonContacts {
  emails: readonly string[]
  /** E.164. */
  phone: string | null
  name: PersonName
}

export type Match =
  | { type: 'none' }
  /** `hasOtherName`: both have a name, and the names differ. */
  | { type: 'one'; customerId: string; hasOtherName: boolean }
  /** Customers fit, and nothing says which of them it is, or that it is one of them. */
  | { type: 'unsure'; customerIds: string[] }

/** Finds customers by their contact data; a working set of a page can add and change them. */
export class CustomerIndex {
  readonly #byEmail = new Map<string, Set<string>>()
  /** The customers who had an address or a number. */
  readonly #formerly = new Map<string, Set<string>>()
  readonly #byPhone = new Map<string, Set<string>>()
  readonly #customers = new Map<string, CustomerRecord>()
  readonly #country: string | null

  constructor(country: string | null) {
    this.#country = country
  }

  add(customer: CustomerRecord): void {
    this.remove(customer._id)
    this.#customers.set(customer._id, customer)
    const email = ownAddressOf(customer)
    if (email !== null) note(this.#byEmail, matchEmail(email), customer._id)
    const number = toE164(customer.profile.phone, this.#country)
    if (number !== null) note(this.#byPhone, number, customer._id)
  }

  /** Adds an address or a number that a customer has beside those of the profile. One that they had finds nobody, whatever a source says. */
  addOwner({ address, customerId, isFormer }: AddressOwner): void {
    const isPhone = isPhoneNumber(address)
    const key = isPhone ? address : matchEmail(address)
    if (isFormer) note(this.#formerly, key, customerId)
    else if (!this.#formerly.get(key)?.has(customerId))
      note(isPhone ? this.#byPhone : this.#byEmail, key, customerId)
  }

  remove(id: string): void {
    const before = this.#customers.get(id)
    if (before === undefined) return
    const email = ownAddressOf(before)
    if (email !== null) this.#byEmail.get(matchEmail(email))?.delete(id)
    const number = toE164(before.profile.phone, this.#country)
    if (number !== null) this.#byPhone.get(number)?.delete(id)
    this.#customers.delete(id)
  }

  /**
   * Finds by e-mail first. A phone number alone decides nothing, because half of all people share theirs with others: it joins
   * only the one customer who has it, when no e-mails differ and the names are equal or one side has none.
   */
  match({ emails, phone, name }: PersonContacts): Match {
    const wanted = emails.map(matchEmail)
    const byEmail = [...new Set(wanted.flatMap((email) => [...(this.#byEmail.get(email) ?? [])]))]
    const [customerId] = byEmail
    if (byEmail.length > 1) return { type: 'unsure', customerIds: byEmail }
    if (customerId !== undefined) {
      return { type: 'one', customerId, hasOtherName: haveOtherNames(name, this.#profileOf(customerId)) }
    }
    const byPhone = phone === null ? [] : [...(this.#byPhone.get(phone) ?? [])]
    const [only] = byPhone
    if (only === undefined) return { type: 'none' }
    if (byPhone.length > 1 || !this.#isSamePerson(only, { hasEmail: wanted.length > 0, name }))
      return { type: 'unsure', customerIds: byPhone }
    return { type: 'one', customerId: only, hasOtherName: false }
  }

  #isSamePerson(id: string, { hasEmail, name }: { hasEmail: boolean; name: PersonName }): boolean {
    const profile = this.#profileOf(id)
    return !(hasEmail && profile.email !== null) && mayBeOneName(name, profile)
  }

  #profileOf(id: string): CustomerRecord['profile'] {
    return this.#customers.get(id)?.profile ?? noProfile
  }
}

const noProfile = { firstName: null, lastName: null, email: null, phone: null, company: null }

function note(index: Map<string, Set<string>>, key: string, id: string): void {
  const found = index.get(key)
  if (found) found.add(id)
  else index.set(key, new Set([id]))
}

/** The ends of phone numbers by which the storage finds candidates. */
export function tailOf(phone: string | null): string[] {
  const tail = phoneTail(phone)
  return tail === null ? [] : [tail]
}
