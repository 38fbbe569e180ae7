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

/** Replaces the profile's credentials and makes it the one that is used when none is named. */
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

/** Says where the credential is kept, and why when that is the file. */
export async function storeProfile(
  { output, store }: Context,
  name: string,
  profile: Profile,
): Promise<void> {
  const { current, profiles } = await store.read()
  const { isInKeyring, reason } = await store.update(name, () => profile, { isCurrent: true })
  const what = profile.session ? 'session' : 'API key'
  output.say(
    isInKeyring
      ? `Stored in profile "${name}" (${store.path}), its ${what} in the system keyring.`
      : `Stored in profile "${name}" with its ${what}, in a file that only you can read (${store.path}).`,
  )
  if (!isInKeyring && reason) output.say(cleanLine(`The system keyring is not used: ${reason}.`))
  // Else the next command would change another tenant than the one before, and nobody was told.
  if (current !== name && profiles[current])
    output.say(`Commands use "${name}" from now on; "crm profiles use ${current}" goes back.`)
}
