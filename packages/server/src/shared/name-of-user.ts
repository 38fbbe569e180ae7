import type { User } from '@crmkit/core'

/** Returns the first and the last name of a user, as far as there are any; null without one. */
export function nameOfUser({ firstName, lastName }: Pick<User, 'firstName' | 'lastName'>): string | null {
  return [firstName, lastName].filter(Boolean).join(' ') || null
}
