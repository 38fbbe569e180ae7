import { availabilityAt } from '@crmkit/core'
import type { Write } from '../ports/change.ts'
import type { UserRecord } from '../storage/kinds/users.ts'

interface Sign {
  now: string
  /** A live stream of the user is, or was, open at this moment. */
  hasStream?: boolean
  hasInput?: boolean
}

/**
 * Returns the row after a sign that a user is there, and its write. It keeps the later one of two times, so that processes and
 * sessions need not know each other; it is no change of the user, so that nothing hears of it.
 */
export function seenUser<T extends UserRecord>(
  user: T,
  { now, hasStream = false, hasInput = false }: Sign,
): { user: T; write: Write<'users'> } {
  const max = {
    ...(hasStream && { streamSeenAt: latest(user.streamSeenAt, now) }),
    ...(hasInput && { idleSince: latest(user.idleSince, now) }),
  }
  const set = !isThere(user, now) && isThere({ ...user, ...max }, now) ? { onlineSince: now } : {}
  const write = { op: 'patch', kind: 'users', id: user._id, max, set } as const
  return { user: { ...user, ...max, ...set }, write }
}

const latest = (known: string | null | undefined, now: string) => (known && known > now ? known : now)

/** Whether the user would be online by streams and input alone. */
function isThere(user: UserRecord, now: string): boolean {
  const automatic = { ...user, availabilityMode: 'auto', availabilityUntil: null } as const
  return availabilityAt(automatic, now).availability === 'online'
}
