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
  return usageError(`The file ${path} exists; it is not overwritten.`, 'Name another one, or use --force.')
}

export function assertMaySave({ path, mayReplace }: Save): void {
  if (!mayReplace && existsSync(path)) throw exists(path)
}

/** A name that no other file takes meanwhile, unless it may be replaced. */
async function moveInto({ path, mayReplace }: Save, part: string): Promise<void> {
  if (mayReplace) return rename(part, path)
  try {
    await link(part, path)
  } catch (error) {
    if (isCode(error, 'EEXIST')) throw exists(path)
    // A file system without links.
    await rename(part, path)
  }
  await rm(part, { force: true })
}

/** Writes a file that is whole or not there, for its owner alone; answers its size. */
export async function saveStream(save: Save, stream: AsyncIterable<Uint8Array>): Promise<number> {
  const { path } = save
  const part = join(dirname(path), `.${basename(path).slice(0, 100)}.${randomBytes(6).toString('hex')}.part`)
  // Ctrl-C ends the process at once.
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

/** The bytes of an answer; says so when they are not all of them. */
export async function* wholeOf({ body }: Response): AsyncGenerator<Uint8Array> {
  try {
    if (body) yield* body
  } catch (cause) {
    throw new CliError('The file broke off. Try again.', { code: 'CONNECTION', hint: String(cause) })
  }
}
