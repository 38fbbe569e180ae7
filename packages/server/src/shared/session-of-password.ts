import type { Identity, Session } from '../ports/records.ts'

/** A session made before the last change of the password has ended, except the one that changed it. */
export function isSessionOfPassword(session: Session, identity: Identity): boolean {
  const { passwordChangedAt, passwordChangedBy } = identity
  return (
    passwordChangedAt === null || session.createdAt > passwordChangedAt || session._id === passwordChangedBy
  )
}
