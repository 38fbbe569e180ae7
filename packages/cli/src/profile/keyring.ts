import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Environment } from '../config.ts'

/** The secret store of the operating system. */
export interface Keyring {
  read(account: string): Promise<string | undefined>
  write(account: string, secret: string): Promise<void>
  remove(account: string): Promise<void>
}

const service = 'crmkit'
/** Long, because a locked keyring asks the person for its password. */
const waitMaxMs = 60_000

/** Throws, with the reason, when there is no keyring. Loads the library only when there can be one. */
export async function openKeyring({ keyring, sessionBus }: Environment): Promise<Keyring> {
  if (keyring === 'off') throw new Error('CRM_KEYRING is off')
  if (process.platform === 'linux' && !hasSessionBus(sessionBus)) throw new Error('there is no session bus')
  // An optional dependency: it may be missing or fail to load on an unknown platform.
  const { AsyncEntry } = await import('@napi-rs/keyring')
  // The other store of the library, the keyring of the kernel, loses all secrets at a restart.
  const options = { linux: { store: 'secret-service' as const } }
  const entryOf = (account: string) => new AsyncEntry(service, account, options)
  return {
    read: async (account) => (await bounded(entryOf(account).getPassword())) ?? undefined,
    write: async (account, secret) => bounded(entryOf(account).setPassword(secret)),
    remove: async (account) => {
      await bounded(entryOf(account).deleteCredential())
    },
  }
}

function hasSessionBus({ address, runtimeDirectory }: Environment['sessionBus']): boolean {
  return (
    address !== undefined || (runtimeDirectory !== undefined && existsSync(join(runtimeDirectory, 'bus')))
  )
}

async function bounded<T>(work: Promise<T>): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(() => reject(new Error('it does not respond')), waitMaxMs)
  try {
    return await Promise.race([work, promise])
  } finally {
    clearTimeout(timer)
  }
}
