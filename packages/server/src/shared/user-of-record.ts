import { availabilityAt, hiddenAvailability, type User } from '@crmkit/core'
import type { UserRecord } from '../storage/kinds/users.ts'
import type { Stored } from '../storage/records.ts'

interface Look {
  now: string
  /** The user who looks; undefined where it is nobody of the team. */
  viewerId?: string | undefined
}

/** Returns the resource for events and replies, without the fields for signing in, and without the signs of streams. */
export function userOfRecord(stored: UserRecord | Stored<UserRecord>, { now, viewerId }: Look): User {
  const { _id, tenantId, email, firstName, lastName, role, isActive, processingRestricted } = stored
  const { createdAt, updatedAt } = stored
  const isHidden = processingRestricted && viewerId !== _id
  const availability = isHidden ? hiddenAvailability(stored) : availabilityAt(stored, now)
  return {
    _id,
    tenantId,
    email,
    firstName,
    lastName,
    role,
    isActive,
    ...availability,
    inviteExpiresAt: stored.invite?.expiresAt ?? null,
    processingRestricted,
    createdAt,
    updatedAt,
  }
}

/** Whether somebody of the team can take work that arrives now. */
export function isOnline(user: UserRecord, now: string): boolean {
  return userOfRecord(user, { now }).availability === 'online'
}

/** Returns the row of a new user, without what signs them in. */
export function rowOfNewUser(
  user: User,
): Omit<UserRecord, 'identityId' | 'emailNormalized' | 'sessionGeneration'> {
  const { availabilitySince: _since, availabilityUntil: _until, inviteExpiresAt: _invite, ...row } = user
  return { ...row, availability: 'online' }
}
