import type { Session } from '@crmkit/sdk'
import type { Context } from '../../context.ts'
import { toStoredSession } from '../../profile/renew-session.ts'

interface SignedIn {
  readonly profileName: string
  readonly baseUrl: string
  readonly session: Session
}

/** Replaces the profile's credentials and makes it the one that is used when none is named. */
export async function storeSession(
  context: Context,
  { profileName, baseUrl, session }: SignedIn,
): Promise<void> {
  const { user, tenant } = session
  const profile = { baseUrl, email: user.email, tenantName: tenant.name, session: toStoredSession(session) }
  await context.store.update(profileName, () => profile, { isCurrent: true })
  context.output.say(`Stored in profile "${profileName}" (${context.store.path}).`)
}
