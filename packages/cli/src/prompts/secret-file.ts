import { type FileHandle, open, rm } from 'node:fs/promises'
import { usageError } from '../cli-error.ts'
import type { Context } from '../context.ts'
import { exitCodes } from '../exit-codes.ts'
import { uninterruptible } from '../interruption.ts'
import { cleanLine } from '../output/clean-text.ts'
import type { SavedSecret } from '../output/print-secret.ts'
import { isCode } from '../profile/file-lock.ts'

/** More than the length of any secret, so that the later write needs no further disk space. */
const reservedBytes = 512

/** A file for a secret that the server shows once. */
interface SecretFile {
  /** Returns false when the secret did not reach the disk. */
  write(secret: string): Promise<boolean>
  /** Deletes the file, for a request that failed. */
  discard(): Promise<void>
}

/**
 * Creates the file before the secret exists and reserves its disk space, so that an unwritable path or a full disk
 * never loses a secret. The mode is 0600, and no file is overwritten.
 */
async function createSecretFile(path: string): Promise<SecretFile> {
  const file = await openNew(path)
  const discard = async () => {
    await file.close().catch(() => undefined)
    await rm(path, { force: true }).catch(() => undefined)
  }
  try {
    await file.write('\n'.repeat(reservedBytes), 0)
    await file.sync()
  } catch {
    await discard()
    throw usageError(`The file ${path} cannot be written: is the disk full?`)
  }
  return {
    discard,
    write: async (secret) => {
      try {
        await replaceText(file, `${secret}\n`)
        return true
      } catch {
        await discard()
        return false
      }
    },
  }
}

async function openNew(path: string): Promise<FileHandle> {
  try {
    return await open(path, 'wx', 0o600)
  } catch (error) {
    if (isCode(error, 'EEXIST')) throw usageError(`The file ${path} exists; it is not overwritten.`)
    throw usageError(`The file ${path} cannot be written.`)
  }
}

/** Writes in place: another file would need disk space of its own. */
async function replaceText(file: FileHandle, text: string): Promise<void> {
  await file.write(text, 0)
  await file.truncate(Buffer.byteLength(text))
  await file.sync()
  // Another process may have deleted the file: the open file then has no name.
  const { nlink } = await file.stat()
  if (nlink === 0) throw new Error('The file was deleted')
  await file.close()
}

interface SecretRequest<T> {
  /** The file for the secret; undefined when it is to be shown. */
  readonly path: string | undefined
  readonly create: () => Promise<T>
  readonly secretOf: (created: T) => string
}

/** Runs `create`, and writes the secret of its result into the file at `path` when there is one. */
export async function savingSecret<T>(
  { output }: Context,
  { path, create, secretOf }: SecretRequest<T>,
): Promise<SavedSecret<T>> {
  if (path === undefined) return { created: await create(), savedIn: undefined }
  // Between the server's response and the disk the secret is in memory only, and the server never shows it again.
  return uninterruptible(async () => {
    const file = await createSecretFile(path)
    let created: T
    try {
      created = await create()
    } catch (error) {
      await file.discard()
      throw error
    }
    if (await file.write(secretOf(created))) return { created, savedIn: path }
    output.warn(`error: The file ${cleanLine(path)} could not be written, so the secret is shown here:`)
    process.exitCode = exitCodes.failure
    return { created, savedIn: undefined }
  })
}
