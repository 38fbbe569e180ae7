import type { Session } from '@crmkit/sdk'
import type { Context } from '../../context.ts'
import { cleanLine } from '../../output/clean-text.ts'
import type { Profile } from '../../profile/profile.ts'
import { toStoredSession } from '../../profile/renew-session.ts'

interface SignedIn {
  readonly profileName: string
  readonly baseUrl: string
  readonly session: Session
}

/** Replaces the credentials of the profile and makes it the current profile. */
export async function storeSession(
  context: Context,
  { profileName, baseUrl, session }: SignedIn,
): Promise<void> {
  const { user, tenant } = session
  await storeProfile(context, profileName, {
    baseUrl,
    email: user.email,
    tenantName: tenant.name,
    session: toStoredSession(session),
    keyring: 'session',
  })
}

/** Stores the profile and prints the storage of its credential, with the reason when that is the file. */
export async function storeProfile(
  { output, store }: Context,
  name: string,
  profile: Profile,
): Promise<void> {
  const { current, profiles } = await store.read()
  const { isInKeyring, reason } = await store.update(name, () => profile, { isCurrent: true })
  const credential = profile.session ? 'session' : 'API key'
  output.say(
    isInKeyring
      ? `Stored in profile "${name}" (${store.path}), its ${credential} in the system keyring.`
      : `Stored in profile "${name}" with its ${credential}, in a file that only you can read (${store.path}).`,
  )
  if (!isInKeyring && reason) output.say(cleanLine(`The system keyring is not used: ${reason}.`))
  // Without this message the next command would use another tenant unnoticed.
  if (current !== name && profiles[current])
    output.say(`Commands use "${name}" from now on; "crm profiles use ${current}" switches back.`)
}
