import type { Identity, Session } from '../ports/records.ts'

/**
 * A session that began with an earlier password has ended, except the one that changed it. Counted and not
 * told by time: a sign-in that was under way during the change knew the old password, however late it ends.
 */
export function isSessionOfPassword(session: Session, identity: Identity): boolean {
  return (
    session.passwordGeneration === identity.passwordGeneration || session._id === identity.passwordChangedBy
  )
}
