import type { User } from '@crmkit/core'
import type { UserRecord } from '../storage/kinds/users.ts'
import { type Stored, withoutVersion } from '../storage/records.ts'

/** The resource alone, for events and answers: nothing of how the person signs in. */
export function userOfRecord(stored: Stored<UserRecord>): User {
  const { identityId: _id, emailNormalized: _email, invite: _invite, ...rest } = withoutVersion(stored)
  const { sessionGeneration: _generation, ...user } = rest
  return user
}
