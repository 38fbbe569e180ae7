import { usageError } from '../cli-error.ts'
import type { Environment } from '../config.ts'
import { assertProfileName, normalBaseUrl, type Profile } from './profile.ts'
import type { ProfileStore } from './profile-store.ts'

export interface TargetFlags {
  readonly baseUrl?: string | undefined
  readonly profile?: string | undefined
}

/** The profile and the server of a command. */
export interface Target {
  readonly profileName: string
  readonly profile: Profile | undefined
  readonly baseUrl: string | undefined
  /** Whether the credentials of the profile belong to this server; they are sent to no other server. */
  readonly isProfileServer: boolean
}

/** Flags precede the environment and the environment precedes the profile; a flagged profile precedes CRM_BASE_URL. */
export async function resolveTarget(
  flags: TargetFlags,
  environment: Environment,
  store: ProfileStore,
): Promise<Target> {
  const file = await store.read()
  const profileName = assertProfileName(flags.profile ?? environment.profile ?? file.current)
  const profile = Object.hasOwn(file.profiles, profileName) ? file.profiles[profileName] : undefined
  const flaggedUrl = flags.profile === undefined ? undefined : profile?.baseUrl
  const given = flags.baseUrl ?? flaggedUrl ?? environment.baseUrl
  const baseUrl = given === undefined ? profile?.baseUrl : normalBaseUrl(given)
  return {
    profileName,
    profile,
    baseUrl,
    isProfileServer: baseUrl !== undefined && baseUrl === profile?.baseUrl,
  }
}

export function requireBaseUrl(target: Target): string {
  if (target.baseUrl !== undefined) return target.baseUrl
  throw usageError(
    `There is no profile "${target.profileName}" and no server is named.`,
    'Run "crm login" or "crm init", or give --base-url URL (or CRM_BASE_URL).',
  )
}
