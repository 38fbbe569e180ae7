import { domainToASCII } from 'node:url'
import { normalizeEmail } from '@crmkit/core/vocabulary'
import type { CustomerRecord } from '../../storage/kinds/customers.ts'
import { phoneTail } from '../../storage/rules/sort-keys.ts'
import { toE164 } from './phones.ts'

/** The form in which e-mails of a source are compared: folded, with the domain in punycode. */
function matchEmail(email: string): string {
  const folded = normalizeEmail(email.trim())
  const at = folded.lastIndexOf('@')
  const domain = domainToASCII(folded.slice(at + 1))
  return domain === '' ? folded : `${folded.slice(0, at)}@${domain}`
}

/** The contact data of one person at the source. */
export interface PersonContacts {
  emails: readonly string[]
  /** E.164. */
  phone: string | null
}

/** The spellings of an e-mail under which a customer may be stored. */
export function storedSpellings(email: string): string[] {
  return [...new Set([normalizeEmail(email.trim()), matchEmail(email)])]
}

export type Match =
  | { type: 'none' }
  | { type: 'one'; customerId: string }
  /** Several customers fit: no one can say which. */
  | { type: 'many' }

/** Finds customers by their contact data; a working set of a page can add and change them. */
export class CustomerIndex {
  readonly #byEmail = new Map<string, Set<string>>()
  readonly #byPhone = new Map<string, Set<string>>()
  readonly #customers = new Map<string, CustomerRecord>()
  readonly #country: string | null

  constructor(country: string | null) {
    this.#country = country
  }

  add(customer: CustomerRecord): void {
    this.remove(customer._id)
    this.#customers.set(customer._id, customer)
    const { email, phone } = customer.profile
    if (email !== null) note(this.#byEmail, matchEmail(email), customer._id)
    const number = toE164(phone, this.#country)
    if (number !== null) note(this.#byPhone, number, customer._id)
  }

  remove(id: string): void {
    const before = this.#customers.get(id)
    if (before === undefined) return
    const { email, phone } = before.profile
    if (email !== null) this.#byEmail.get(matchEmail(email))?.delete(id)
    const number = toE164(phone, this.#country)
    if (number !== null) this.#byPhone.get(number)?.delete(id)
    this.#customers.delete(id)
  }

  /**
   * Finds by e-mail first. A phone number decides only when exactly one customer has it and their e-mails do not differ:
   * half of all people share theirs with others.
   */
  match({ emails, phone }: PersonContacts): Match {
    const wanted = emails.map(matchEmail)
    const byEmail = new Set(wanted.flatMap((email) => [...(this.#byEmail.get(email) ?? [])]))
    if (byEmail.size > 1) return { type: 'many' }
    const [only] = byEmail
    if (only !== undefined) return { type: 'one', customerId: only }
    const byPhone = phone === null ? [] : [...(this.#byPhone.get(phone) ?? [])]
    if (byPhone.length === 0) return { type: 'none' }
    if (byPhone.length > 1) return { type: 'many' }
    const customer = this.#customers.get(byPhone[0] ?? '')
    const isOther = wanted.length > 0 && (customer?.profile.email ?? null) !== null
    return isOther || customer === undefined ? { type: 'none' } : { type: 'one', customerId: customer._id }
  }
}

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
