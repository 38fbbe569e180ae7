import { CliError } from '../cli-error.ts'
import { exitCodes } from '../exit-codes.ts'
import type { Keyring } from './keyring.ts'
import { credentialKind, type Profile } from './profile.ts'

/** Where a credential ended up. */
export interface CredentialPlace {
  readonly isInKeyring: boolean
  /** Why it is in the file although the keyring was wanted. */
  readonly reason?: string
}

/** Moves credentials between a profile's line in the file and the system keyring. */
export interface CredentialVault {
  /** The profile with its credential. Throws when that is in a keyring that cannot be read. */
  open(name: string, profile: Profile): Promise<Profile>
  /** The profile as the file is to hold it, after its credential is where it belongs. Never loses it. */
  close(name: string, profile: Profile): Promise<{ stored: Profile; place: CredentialPlace }>
  /** Forgets what the keyring holds of a profile. */
  forget(name: string): Promise<void>
}

interface VaultOptions {
  /** Tells the profiles of several configuration directories apart. */
  readonly directory: string
  /** Throws, with the reason, where there is no keyring. */
  readonly openKeyring: () => Promise<Keyring>
}

export function createVault({ directory, openKeyring }: VaultOptions): CredentialVault {
  const accountOf = (name: string) => `${name} (${directory})`

  async function keep(name: string, profile: Profile): Promise<{ stored: Profile; place: CredentialPlace }> {
    const { session, apiKey, ...rest } = profile
    try {
      const keyring = await openKeyring()
      await keyring.write(accountOf(name), JSON.stringify({ session, apiKey }))
      return {
        stored: { ...rest, keyring: session ? 'session' : 'apiKey' },
        place: { isInKeyring: true },
      }
    } catch (error) {
      const { keyring: _, ...stored } = profile
      return { stored, place: { isInKeyring: false, reason: reasonOf(error) } }
    }
  }

  return {
    open: async (name, profile) => {
      if (!profile.keyring) return profile
      try {
        const secret = await (await openKeyring()).read(accountOf(name))
        return { ...profile, ...(secret === undefined ? {} : JSON.parse(secret)) }
      } catch (error) {
        throw new CliError(
          `The credential of profile "${name}" is in the system keyring: ${reasonOf(error)}.`,
          {
            code: 'KEYRING_UNAVAILABLE',
            exitCode: exitCodes.credential,
            hint: 'Unlock the keyring, sign in again with "crm login", or set CRM_API_KEY.',
          },
        )
      }
    },
    close: async (name, profile) => {
      if (profile.keyring && (profile.session || profile.apiKey)) return keep(name, profile)
      const { keyring: _, ...stored } = profile
      return { stored, place: { isInKeyring: false } }
    },
    forget: async (name) => {
      await (await openKeyring()).remove(accountOf(name))
    },
  }
}

/** Whether the keyring held something that `next` does not put there again. */
export function leavesKeyring(before: Profile | undefined, next: Profile | undefined): boolean {
  const isWanted =
    next?.keyring !== undefined && credentialKind({ ...next, keyring: undefined }) !== undefined
  return before?.keyring !== undefined && !isWanted
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message.replace(/\.$/, '') : String(error)
}
