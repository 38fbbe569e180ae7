import { chmod, mkdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { CliError } from '../cli-error.ts'
import { uninterruptible } from '../interruption.ts'
import { type CredentialStorage, type CredentialVault, leavesKeyring } from './credential-vault.ts'
import { isCode, withFileLock } from './file-lock.ts'
import { defaultProfileName, type Profile, type ProfileFile } from './profile.ts'
import { writePrivateFile } from './write-private-file.ts'

/** The profiles of this user on this machine, in one file, with the credentials that are not in a keyring. */
export interface ProfileStore {
  readonly path: string
  /** Returns the content of the file: without the credentials in the keyring. */
  read(): Promise<ProfileFile>
  /** Returns a profile with its credential. */
  find(name: string): Promise<Profile | undefined>
  /** Changes the current state of one profile; `change` returns undefined to leave it unchanged. */
  update(
    name: string,
    change: (profile: Profile | undefined) => Profile | undefined,
    options?: { isCurrent?: boolean },
  ): Promise<CredentialStorage>
  /** Makes an existing profile the current one, which is used when none is named. */
  use(name: string): Promise<void>
  remove(name: string): Promise<void>
  /** Runs `work` while no other process renews the session of the profile. */
  withSessionLock<T>(name: string, work: () => Promise<T>): Promise<T>
}

const empty: ProfileFile = { version: 1, current: defaultProfileName, profiles: {} }

export function openProfileStore(directory: string, vault: CredentialVault): ProfileStore {
  const path = join(directory, 'profiles.json')

  async function read(): Promise<ProfileFile> {
    try {
      const text = await readFile(path, 'utf8')
      await restrictToOwner(path)
      return parseProfiles(text, path)
    } catch (error) {
      if (isCode(error, 'ENOENT')) return empty
      throw error
    }
  }

  async function ensureDirectory(): Promise<void> {
    await mkdir(directory, { recursive: true, mode: 0o700 })
    await restrictToOwner(directory)
  }

  async function rewrite(
    change: (file: ProfileFile) => ProfileFile | undefined | Promise<ProfileFile | undefined>,
  ): Promise<void> {
    await ensureDirectory()
    await withFileLock(join(directory, 'profiles.lock'), () =>
      uninterruptible(async () => {
        const changed = await change(await read())
        if (changed) await writePrivateFile(path, `${JSON.stringify(changed, null, 2)}\n`)
      }),
    )
  }

  async function update(
    name: string,
    change: (profile: Profile | undefined) => Profile | undefined,
    { isCurrent = false }: { isCurrent?: boolean } = {},
  ): Promise<CredentialStorage> {
    let storage: CredentialStorage = { isInKeyring: false }
    let isLeft = false
    await rewrite(async (file) => {
      const before = profileOf(file, name)
      // A login must also work when the old credential cannot be read.
      const known = before && (await vault.open(name, before).catch(() => before))
      const next = change(known)
      if (next === undefined) return undefined
      isLeft = leavesKeyring(before, next)
      const closed = await vault.close(name, next)
      storage = closed.storage
      const profiles = { ...file.profiles, [name]: closed.stored }
      return { version: 1, current: isCurrent ? name : file.current, profiles }
    })
    // Only after the write to the file: an earlier deletion would lose the credential.
    if (isLeft) await vault.forget(name)
    return storage
  }

  return {
    path,
    read,
    find: async (name) => {
      const profile = profileOf(await read(), name)
      return profile && vault.open(name, profile)
    },
    update,
    use: (name) => rewrite((file) => ({ ...file, current: name })),
    remove: async (name) => {
      const isLeft = leavesKeyring(profileOf(await read(), name), undefined)
      await rewrite(({ profiles: { [name]: _, ...profiles }, current }) => ({
        version: 1,
        current: current === name ? defaultProfileName : current,
        profiles,
      }))
      if (isLeft) await vault.forget(name)
    },
    withSessionLock: async (name, work) => {
      await ensureDirectory()
      return withFileLock(join(directory, `session-${name}.lock`), work)
    },
  }
}

function profileOf({ profiles }: ProfileFile, name: string): Profile | undefined {
  return Object.hasOwn(profiles, name) ? profiles[name] : undefined
}

/** Removes the rights of group and others, which a copy or an editor may have added. */
async function restrictToOwner(path: string): Promise<void> {
  if (process.platform === 'win32') return
  const { mode } = await stat(path)
  if ((mode & 0o077) !== 0) await chmod(path, mode & 0o700)
}

function parseProfiles(text: string, path: string): ProfileFile {
  try {
    const file: unknown = JSON.parse(text)
    if (isProfileFile(file)) return file
  } catch {
    // The message of the parser could contain a credential from the file.
  }
  throw new CliError(`The profile file ${path} is not a valid profile file of this version.`, {
    code: 'PROFILE_FILE_INVALID',
    hint: 'Repair the file, or move it away and run "crm login" again.',
  })
}

function isProfileFile(file: unknown): file is ProfileFile {
  if (typeof file !== 'object' || file === null) return false
  const { version, current, profiles } = file as Partial<ProfileFile>
  const hasProfiles = typeof profiles === 'object' && profiles !== null && !Array.isArray(profiles)
  return (
    version === 1 &&
    typeof current === 'string' &&
    hasProfiles &&
    Object.values(profiles).every((profile) => typeof profile?.baseUrl === 'string')
  )
}
