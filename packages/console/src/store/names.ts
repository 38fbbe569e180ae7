import type { Customer, User } from '@crmkit/sdk'
import { t } from '../strings/strings.ts'
import type { KnownCustomer } from './conversations.ts'

interface Named {
  readonly firstName: string | null
  readonly lastName: string | null
}

export function fullName({ firstName, lastName }: Named): string {
  return [firstName, lastName].filter(Boolean).join(' ')
}

export function nameOfUser(user: Pick<User, 'firstName' | 'lastName' | 'email'>): string {
  return fullName(user) || user.email
}

export function nameOfCustomer({ profile }: KnownCustomer): string {
  return fullName(profile) || profile.email || profile.phone || profile.company || t.common.unknownPerson
}

/** The service sends the name alone to a role that may not read customers. */
export function isWhole(customer: KnownCustomer): customer is Customer {
  return customer.createdAt !== undefined
}

export function isBlocked(customer: KnownCustomer | undefined): boolean {
  return typeof customer?.blockedAt === 'string'
}

export type BlockDialog = 'blockCustomer' | 'unblockCustomer'

/** The dialog that changes whether the customer is blocked. */
export function blockDialog(customer: KnownCustomer | undefined): BlockDialog {
  return isBlocked(customer) ? 'unblockCustomer' : 'blockCustomer'
}
