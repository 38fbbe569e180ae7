import type { Identity } from '../storage/kinds/identities.ts'
import type { Session } from '../storage/kinds/sessions.ts'
import type { UserRecord } from '../storage/kinds/users.ts'

/**
 * Returns whether the session is still valid by its password: it began with the current one, or changed it. Compares
 * generations instead of times: a sign-in during the change used the old password, however late it ends.
 */
export function isSessionOfPassword(session: Session, identity: Identity): boolean {
  return (
    session.passwordGeneration === identity.passwordGeneration || session._id === identity.passwordChangedBy
  )
}

/** Returns whether no deactivation has ended the session. A deactivation ends all sessions of a user permanently. */
export function isSessionOfUser(session: Session, user: UserRecord): boolean {
  // Rows of earlier versions have no generation.
  return (session.userGeneration ?? 0) === (user.sessionGeneration ?? 0)
}
