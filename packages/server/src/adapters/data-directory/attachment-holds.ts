import { createReadStream } from 'node:fs'
import { copyFile, link, mkdir, readdir, rm, stat } from 'node:fs/promises'
import path from 'node:path'
import type { AttachmentHolds } from '../../ports/backup.ts'
import { codeOf, pathsOf } from './directory-attachment-store.ts'

const folderPattern = /^backup-held-(\d+)$/

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return codeOf(error) === 'EPERM'
  }
}

/** Removes the links of backups that were killed. */
async function removeAbandoned(parent: string): Promise<void> {
  for (const name of await readdir(parent)) {
    const pid = Number(folderPattern.exec(name)?.[1] ?? Number.NaN)
    if (Number.isNaN(pid) || (pid !== process.pid && isRunning(pid))) continue
    await rm(path.join(parent, name), { recursive: true, force: true })
  }
}

/** Links a file, or copies it where the file system has no hard links. Returns whether there is such a file. */
async function holdFile(from: string, to: string): Promise<boolean> {
  try {
    await link(from, to)
    return true
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return true
    if (codeOf(error) === 'ENOENT') return false
  }
  try {
    await copyFile(from, to)
    return true
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return false
    throw error
  }
}

/** Holds files of a directory of attachments by hard links in a folder beside it. */
export async function openAttachmentHolds(directory: string): Promise<AttachmentHolds> {
  const root = path.resolve(directory)
  const parent = path.dirname(root)
  await removeAbandoned(parent)
  const held = path.join(parent, `backup-held-${process.pid}`)
  await mkdir(held, { mode: 0o700 })
  return {
    async hold(key) {
      const to = pathsOf(held, key)
      await mkdir(to.folder, { recursive: true, mode: 0o700 })
      return holdFile(pathsOf(root, key).file, to.file)
    },
    size: async (key) => (await stat(pathsOf(held, key).file)).size,
    read: (key) => createReadStream(pathsOf(held, key).file),
    release: () => rm(held, { recursive: true, force: true }),
  }
}
