import type { CustomerRecord } from '../storage/kinds/customers.ts'
import type { WidgetSession } from '../storage/kinds/widget-sessions.ts'
import { typedAddressOf } from './people-of-address.ts'

/**
 * Returns the address that a visitor has typed in a session, or that the page has signed; null without one. Never one that somebody
 * else has written into the customer's row: mail goes only to an address that the visitor's own browser named.
 */
export function visitorAddressOf(
  { profile, visitorId, personId }: Pick<WidgetSession, 'profile' | 'visitorId' | 'personId'>,
  customer: Pick<CustomerRecord, 'profile' | 'typedEmail' | 'visitorId'> | undefined,
): string | null {
  if (profile !== null) return profile.email
  // A session of an earlier version: what was typed is in the customer that the session made.
  const isOwn = personId === null && customer?.visitorId === visitorId
  return isOwn && typedAddressOf(customer) !== null ? customer.profile.email : null
}
