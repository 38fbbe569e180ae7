import type { Identity } from '../storage/kinds/identities.ts'
import type { Session } from '../storage/kinds/sessions.ts'
import type { UserRecord } from '../storage/kinds/users.ts'

/**
 * A session that began with an earlier password has ended, except the one that changed it. Counted and not
 * told by time: a sign-in that was under way during the change knew the old password, however late it ends.
 */
export function isSessionOfPassword(session: Session, identity: Identity): boolean {
  return (
    session.passwordGeneration === identity.passwordGeneration || session._id === identity.passwordChangedBy
  )
}

/** A deactivation ends all sessions of a user for ever, the one that is being opened at that moment too. */
export function isSessionOfUser(session: Session, user: UserRecord): boolean {
  // Rows from before there were generations have none.
  return (session.userGeneration ?? 0) === (user.sessionGeneration ?? 0)
}
