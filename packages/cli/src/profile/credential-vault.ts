import { CliError } from '../cli-error.ts'
import { exitCodes } from '../exit-codes.ts'
import type { Keyring } from './keyring.ts'
import { credentialKind, type Profile } from './profile.ts'

/** The storage of a credential. */
export interface CredentialStorage {
  readonly isInKeyring: boolean
  /** The reason for the file, when the keyring was requested. */
  readonly reason?: string
}

/** Moves credentials between the profile file and the system keyring. */
export interface CredentialVault {
  /** Returns the profile with its credential. Throws when the keyring with the credential cannot be read. */
  open(name: string, profile: Profile): Promise<Profile>
  /** Stores the credential and returns the profile for the file. Never loses the credential. */
  close(name: string, profile: Profile): Promise<{ stored: Profile; storage: CredentialStorage }>
  /** Deletes the credential of a profile from the keyring. */
  forget(name: string): Promise<void>
}

interface VaultOptions {
  /** Distinguishes the profiles of several configuration directories. */
  readonly directory: string
  /** Throws, with the reason, when there is no keyring. */
  readonly openKeyring: () => Promise<Keyring>
}

export function createVault({ directory, openKeyring }: VaultOptions): CredentialVault {
  const accountOf = (name: string) => `${name} (${directory})`

  async function storeInKeyring(
    name: string,
    profile: Profile,
  ): Promise<{ stored: Profile; storage: CredentialStorage }> {
    const { session, apiKey, ...rest } = profile
    try {
      const keyring = await openKeyring()
      await keyring.write(accountOf(name), JSON.stringify({ session, apiKey }))
      return {
        stored: { ...rest, keyring: session ? 'session' : 'apiKey' },
        storage: { isInKeyring: true },
      }
    } catch (error) {
      const { keyring: _, ...stored } = profile
      return { stored, storage: { isInKeyring: false, reason: reasonOf(error) } }
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
      if (profile.keyring && (profile.session || profile.apiKey)) return storeInKeyring(name, profile)
      const { keyring: _, ...stored } = profile
      return { stored, storage: { isInKeyring: false } }
    },
    forget: async (name) => {
      await (await openKeyring()).remove(accountOf(name))
    },
  }
}

/** Whether the keyring has a credential of `before` that `next` does not replace. */
export function leavesKeyring(before: Profile | undefined, next: Profile | undefined): boolean {
  const isReplaced =
    next?.keyring !== undefined && credentialKind({ ...next, keyring: undefined }) !== undefined
  return before?.keyring !== undefined && !isReplaced
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message.replace(/\.$/, '') : String(error)
}
