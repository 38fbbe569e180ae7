import type { Customer } from '@crmkit/core'
import { customerGuard } from '../../features/conversations/conversation-references.ts'
import type { Write } from '../../ports/change.ts'
import { customerOfRecord } from '../../shared/customer-of-record.ts'
import { hasAddress, peopleOfAddress, typedAddressOf } from '../../shared/people-of-address.ts'
import type { CustomerRecord } from '../../storage/kinds/customers.ts'
import type { Stored } from '../../storage/records.ts'
import { newestOf, type Sender } from './customer-of-sender.ts'
import type { FoundThread } from './find-thread.ts'

interface JoiningSender {
  /** The customer who wrote the mail; null for somebody who is none. */
  customerId: string | null
  /** The sender is the customer of the conversation, and so no further participant. */
  isOfConversation: boolean
  /** The customer who wrote it, where that is another one than the conversation's. */
  other?: Customer
  writes: Write[]
}

const nobody: JoiningSender = { customerId: null, isOfConversation: false, writes: [] }

/**
 * Returns who has written a mail that joins a conversation: its customer if the address is one of theirs, else the customer
 * with the newest activity who has the address. Nobody is made, and a forged sender is nobody.
 */
export async function joiningSender(
  { store, from: { address }, verified, isOwnAddress, now }: Omit<Sender, 'ids'>,
  { customerId }: FoundThread,
): Promise<JoiningSender> {
  if (verified === false) return nobody
  const customer = customerId === null ? undefined : await store.customers.find(customerId)
  if (customer && (await hasAddress(store, customer, address)))
    return { customerId, isOfConversation: true, writes: [] }
  // The sender has read the mails to the address that the visitor of the conversation typed.
  if (customer && typedAddressOf(customer) === address) {
    const writes = verified === true ? [confirmation(customer, now)] : []
    return { customerId, isOfConversation: true, writes }
  }
  if (isOwnAddress) return nobody
  const other = newestOf((await peopleOfAddress(store, address)).current)
  if (other === undefined) return nobody
  return {
    customerId: other._id,
    isOfConversation: false,
    other: customerOfRecord(other),
    writes: customerGuard(other._id),
  }
}

/** The address is the customer's from now on, as if somebody of the team had entered it. */
function confirmation({ _id: id, version: expectVersion }: Stored<CustomerRecord>, now: string): Write {
  return { op: 'update', kind: 'customers', id, expectVersion, set: { typedEmail: null, emailSince: now } }
}
