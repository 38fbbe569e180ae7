import { randomBytes } from 'node:crypto'
import { open, realpath, rename, rm } from 'node:fs/promises'

/** Writes a file that only its owner can read, atomically: a reader sees the old text or the new one. */
export async function writePrivateFile(path: string, text: string): Promise<void> {
  // Follows a link, for example to a synchronised folder, instead of replacing it.
  const target = await realpath(path).catch(() => path)
  const draft = `${target}.${randomBytes(6).toString('hex')}.tmp`
  try {
    const file = await open(draft, 'wx', 0o600)
    try {
      await file.writeFile(text)
      await file.sync()
    } finally {
      await file.close()
    }
    await rename(draft, target)
  } catch (error) {
    await rm(draft, { force: true })
    throw error
  }
}
