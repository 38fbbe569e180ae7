import { hash } from 'node:crypto'
import { type FileHandle, mkdir, open, rename, rm } from 'node:fs/promises'
import path from 'node:path'
import type { AttachmentKey, AttachmentStore } from '../../ports/attachment-store.ts'
import { StorageUnavailable } from '../../storage/errors.ts'

/** Ids of our own making, which differ also where a file system ignores case. */
const plainId = /^[a-z]{3}_[0-9A-Z]{26}$/

/** Any other text becomes a hash: it may hold `..`, a separator, or more than a name can be long. */
function nameOf(text: string): string {
  return plainId.test(text) ? text : `x${hash('sha256', JSON.stringify(text))}`
}

interface Place {
  folder: string
  file: string
  /** Where the bytes are until they are whole. */
  part: string
}

/** `<tenant>/<end of the id>/<id>`: the end of an id is random, so no folder grows large. */
function placeOf(root: string, { tenantId, id }: AttachmentKey): Place {
  const name = nameOf(id)
  const folder = path.join(root, nameOf(tenantId), name.slice(-2))
  const file = path.join(folder, name)
  return { folder, file, part: `${file}.part` }
}

function codeOf(error: unknown): string | undefined {
  return (error as NodeJS.ErrnoException | null)?.code
}

/** Errors of the disk in the port's words; those of the bytes that were to be written as they are. */
function inPortWords(error: unknown): unknown {
  const code = codeOf(error)
  const isOfDisk = code !== undefined && /^E(NOSPC|DQUOT|IO|ROFS|ACCES|PERM|MFILE|NFILE|FBIG)$/.test(code)
  return isOfDisk
    ? new StorageUnavailable(`the attachments cannot be written: ${code}`, { cause: error })
    : error
}

/** What a folder holds is as durable as the folder itself. Windows cannot open one, and needs no asking. */
async function syncFolder(folder: string): Promise<void> {
  if (process.platform === 'win32') return
  const handle = await open(folder, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

async function makeFolder(root: string, folder: string): Promise<void> {
  const made = await mkdir(folder, { recursive: true, mode: 0o700 })
  if (made === undefined) return
  for (let parent = path.dirname(folder); parent.startsWith(root); parent = path.dirname(parent)) {
    await syncFolder(parent)
  }
  await syncFolder(path.dirname(root))
}

async function writeAll(handle: FileHandle, bytes: AsyncIterable<Uint8Array>): Promise<void> {
  for await (const chunk of bytes) {
    for (let written = 0; written < chunk.length; ) {
      written += (await handle.write(chunk, written)).bytesWritten
    }
  }
  await handle.sync()
}

/**
 * Keeps the bytes as files of a directory: each is written beside its place and renamed when it is whole and on the
 * disk. Removing a part takes the ground from under a write that still goes on: its rename finds nothing.
 */
export function openDirectoryAttachmentStore(directory: string): AttachmentStore {
  const root = path.resolve(directory)
  return {
    async write(key, bytes) {
      const { folder, file, part } = placeOf(root, key)
      try {
        await makeFolder(root, folder)
        const handle = await open(part, 'w', 0o600)
        try {
          await writeAll(handle, bytes)
        } finally {
          await handle.close()
        }
        await rename(part, file)
        await syncFolder(folder)
      } catch (error) {
        await rm(part, { force: true }).catch(() => {})
        throw inPortWords(error)
      }
    },
    async read(key) {
      try {
        const handle = await open(placeOf(root, key).file, 'r')
        return handle.createReadStream()
      } catch (error) {
        if (codeOf(error) === 'ENOENT') return undefined
        throw inPortWords(error)
      }
    },
    async remove(key) {
      const { folder, file, part } = placeOf(root, key)
      try {
        await rm(part, { force: true })
        await rm(file, { force: true })
        await syncFolder(folder)
      } catch (error) {
        if (codeOf(error) !== 'ENOENT') throw inPortWords(error)
      }
    },
    close: async () => {},
  }
}
