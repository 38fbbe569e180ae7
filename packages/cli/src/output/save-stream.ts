import { randomBytes } from 'node:crypto'
import { existsSync, rmSync } from 'node:fs'
import { link, open, rename, rm } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { CliError, usageError } from '../cli-error.ts'
import { isCode } from '../profile/file-lock.ts'

interface Save {
  readonly path: string
  readonly mayReplace: boolean
}

function exists(path: string): CliError {
  return usageError(`The file ${path} exists; it is not overwritten.`, 'Choose another file, or use --force.')
}

export function assertMaySave({ path, mayReplace }: Save): void {
  if (!mayReplace && existsSync(path)) throw exists(path)
}

/** Moves the part to its name; never replaces another file unless the caller allows it. */
async function moveInto({ path, mayReplace }: Save, part: string): Promise<void> {
  if (mayReplace) return rename(part, path)
  try {
    await link(part, path)
  } catch (error) {
    if (isCode(error, 'EEXIST')) throw exists(path)
    // The file system has no links.
    await rename(part, path)
  }
  await rm(part, { force: true })
}

/** Writes a file for its owner only, all of it or nothing; returns its size. */
export async function saveStream(save: Save, stream: AsyncIterable<Uint8Array>): Promise<number> {
  const { path } = save
  const part = join(dirname(path), `.${basename(path).slice(0, 100)}.${randomBytes(6).toString('hex')}.part`)
  // Ctrl-C ends the process immediately.
  const removePart = () => rmSync(part, { force: true })
  process.once('exit', removePart)
  try {
    const file = await open(part, 'wx', 0o600).catch(() => {
      throw usageError(`The file ${path} cannot be written.`)
    })
    let size = 0
    try {
      for await (const chunk of stream) {
        await file.writeFile(chunk)
        size += chunk.length
      }
    } finally {
      await file.close()
    }
    await moveInto(save, part)
    return size
  } catch (error) {
    if (isCode(error, 'ENOSPC')) throw new CliError('The disk is full.', { code: 'DISK_FULL' })
    throw error
  } finally {
    removePart()
    process.off('exit', removePart)
  }
}

/** The bytes of a response; throws when the download is interrupted. */
export async function* wholeOf({ body }: Response): AsyncGenerator<Uint8Array> {
  try {
    if (body) yield* body
  } catch (cause) {
    throw new CliError('Download interrupted. Try again.', { code: 'CONNECTION', hint: String(cause) })
  }
}
