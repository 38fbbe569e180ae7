import type { User } from '@crmkit/core'
import type { UserRecord } from '../storage/kinds/users.ts'
import { type Stored, withoutVersion } from '../storage/records.ts'

/** Returns the resource for events and replies, without the fields for signing in. */
export function userOfRecord(stored: Stored<UserRecord>): User {
  const { identityId: _id, emailNormalized: _email, invite: _invite, ...rest } = withoutVersion(stored)
  const { sessionGeneration: _generation, ...user } = rest
  return user
}
