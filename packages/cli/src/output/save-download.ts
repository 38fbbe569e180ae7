import { randomBytes } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { rename, rm } from 'node:fs/promises'
import { pipeline } from 'node:stream/promises'
import { usageError } from '../cli-error.ts'

/**
 * Writes what is answered into a file of mode 0600, or to stdout. The file is there whole or not at all; one that is
 * there already is replaced.
 */
export async function saveDownload(response: Response, path: string | undefined): Promise<void> {
  const bytes = response.body ?? new ReadableStream<Uint8Array>()
  if (path === undefined) {
    // stdout stays open: there may be more to say.
    await pipeline(bytes, process.stdout, { end: false })
    return
  }
  const draft = `${path}.${randomBytes(6).toString('hex')}.tmp`
  try {
    await pipeline(bytes, createWriteStream(draft, { flags: 'wx', mode: 0o600 }))
    await rename(draft, path)
  } catch (error) {
    await rm(draft, { force: true })
    // The system's own failures are about the file; anything else is about the answer.
    const { syscall } = error as NodeJS.ErrnoException
    if (syscall === 'open' || syscall === 'write' || syscall === 'rename') {
      throw usageError(`The file ${path} cannot be written.`)
    }
    throw error
  }
}
