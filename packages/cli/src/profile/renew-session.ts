import { credentialError } from '../cli-error.ts'
import { uninterruptible } from '../interruption.ts'
import type { StoredSession } from './profile.ts'
import type { ProfileStore } from './profile-store.ts'

/** A token is renewed this long before its end, so that it does not expire during a request. */
const expiryMarginMs = 20_000

export interface IssuedSession {
  readonly accessToken: string
  readonly refreshToken: string
  /** In seconds. */
  readonly expiresIn: number
}

export function toStoredSession(issued: IssuedSession): StoredSession {
  const { accessToken, refreshToken, expiresIn } = issued
  return { accessToken, refreshToken, expiresAt: new Date(Date.now() + expiresIn * 1000).toISOString() }
}

export function isExpiring(session: StoredSession): boolean {
  const endsAt = Date.parse(session.expiresAt)
  return Number.isNaN(endsAt) || Date.now() > endsAt - expiryMarginMs
}

function sessionEnded(profileName: string): Error {
  return credentialError(
    `The session of profile "${profileName}" has ended.`,
    'Run "crm login" to sign in again.',
  )
}

interface Renewal {
  readonly store: ProfileStore
  readonly profileName: string
  /** The refused access token: when the stored one differs, another process has renewed the session. */
  readonly staleAccessToken: string
  /** Returns the new session, or undefined when the server refuses the refresh token. */
  readonly exchange: (refreshToken: string) => Promise<IssuedSession | undefined>
}

/** Renews the session once for all crm processes: a refresh token that is used twice ends the session. */
export async function renewSession(renewal: Renewal): Promise<StoredSession> {
  const { store, profileName, staleAccessToken, exchange } = renewal
  return store.withSessionLock(profileName, () =>
    uninterruptible(async () => {
      // Read again, because another process may have changed the profile before the lock.
      const known = (await store.find(profileName))?.session
      if (!known) throw sessionEnded(profileName)
      if (known.accessToken !== staleAccessToken && !isExpiring(known)) return known
      const issued = await exchange(known.refreshToken)
      const renewed = issued && toStoredSession(issued)
      await store.update(profileName, (profile) => {
        // A new login has replaced this session.
        if (profile?.session?.refreshToken !== known.refreshToken) return undefined
        const { session: _, ...rest } = profile
        return renewed ? { ...rest, session: renewed } : rest
      })
      if (!renewed) throw sessionEnded(profileName)
      return renewed
    }),
  )
}
