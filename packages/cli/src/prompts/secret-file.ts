import { open, rm } from 'node:fs/promises'
import { usageError } from '../cli-error.ts'
import { uninterruptible } from '../interruption.ts'
import { isCode } from '../profile/file-lock.ts'

/** A file for a secret that the server shows once. */
interface SecretFile {
  write(secret: string): Promise<void>
  /** When nothing came of it. */
  discard(): Promise<void>
}

/** Made before the secret exists, so that a path that cannot be written costs no secret. Mode 0600, never overwrites. */
async function createSecretFile(path: string): Promise<SecretFile> {
  try {
    const file = await open(path, 'wx', 0o600)
    return {
      write: async (secret) => {
        await file.writeFile(`${secret}\n`)
        await file.sync()
        await file.close()
      },
      discard: async () => {
        await file.close()
        await rm(path, { force: true })
      },
    }
  } catch (error) {
    if (isCode(error, 'EEXIST')) throw usageError(`The file ${path} exists; it is not overwritten.`)
    throw usageError(`The file ${path} cannot be written.`)
  }
}

/** Runs `create`, and puts the secret that it made into the file at `path` when there is one. */
export async function savingSecret<T>(
  path: string | undefined,
  create: () => Promise<T>,
  secretOf: (created: T) => string,
): Promise<T> {
  if (path === undefined) return create()
  // Between the server's answer and the disk the secret is in memory only, and nobody can show it again.
  return uninterruptible(async () => {
    const file = await createSecretFile(path)
    let created: T
    try {
      created = await create()
    } catch (error) {
      await file.discard()
      throw error
    }
    await file.write(secretOf(created))
    return created
  })
}
