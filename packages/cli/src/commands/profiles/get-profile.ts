import { CliError } from '../../cli-error.ts'
import { exitCodes } from '../../exit-codes.ts'
import { cleanLine } from '../../output/clean-text.ts'
import type { Profile } from '../../profile/profile.ts'
import type { ProfileStore } from '../../profile/profile-store.ts'

/** The profile as stored in the file. */
export async function getProfile(store: ProfileStore, name: string): Promise<Profile> {
  const { profiles } = await store.read()
  const profile = Object.hasOwn(profiles, name) ? profiles[name] : undefined
  if (profile) return profile
  throw new CliError(`There is no profile "${cleanLine(name)}".`, {
    code: 'PROFILE_NOT_FOUND',
    exitCode: exitCodes.notFound,
    hint: '"crm profiles list" shows all profiles.',
  })
}
