import {
  type Customer,
  type DomainEvent,
  type IdFactory,
  isEmail,
  newCustomer,
  splitName,
} from '@crmkit/core'
import { customerGuard } from '../../features/conversations/conversation-references.ts'
import type { Write } from '../../ports/change.ts'
import type { TenantReads } from '../../ports/storage.ts'
import { customerOfRecord } from '../../shared/customer-of-record.ts'
import { peopleOfAddress } from '../../shared/people-of-address.ts'
import type { CustomerRecord } from '../../storage/kinds/customers.ts'
import type { MailAddress } from '../parse/mail-facts.ts'

export interface Sender {
  store: TenantReads
  ids: IdFactory
  now: string
  from: MailAddress
  verified: boolean | null
  isOwnAddress: boolean
}

export interface MailCustomer {
  customer: Customer | null
  writes: Write[]
  events: DomainEvent[]
}

/**
 * Returns the customer of a mail that begins a conversation: the one with its address, of several the one with the newest
 * activity, else a new one. A forged sender becomes nobody, and so does the address of the inbox itself.
 */
export async function customerOfSender({
  store,
  ids,
  now,
  from,
  verified,
  isOwnAddress,
}: Sender): Promise<MailCustomer> {
  const { address, name } = from
  if (verified === false || isOwnAddress || !isEmail(address))
    return { customer: null, writes: [], events: [] }
  // A former holder is never linked: an address that was corrected belongs to somebody else.
  const known = newestOf((await peopleOfAddress(store, address)).current)
  if (known) return { customer: customerOfRecord(known), writes: customerGuard(known._id), events: [] }
  const making = { id: ids.next('cus'), tenantId: store.tenantId, now, eventId: ids.next('evt') }
  const { customer, event } = newCustomer(
    { ...(name !== null && !name.includes('@') && splitName(name)), email: address },
    making,
  )
  return { customer, writes: [{ op: 'insert', kind: 'customers', row: customer }], events: [event] }
}

/** Returns the customer with the newest activity. */
export function newestOf<C extends CustomerRecord>(customers: readonly C[]): C | undefined {
  return customers.toSorted((a, b) => Date.parse(b.updatedAt) - Date.parse(a.updatedAt))[0]
}
