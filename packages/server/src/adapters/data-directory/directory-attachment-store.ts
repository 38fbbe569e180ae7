import { once } from 'node:events'
import { constants, createReadStream } from 'node:fs'
import { copyFile, type FileHandle, mkdir, open, opendir, rename, rm, stat } from 'node:fs/promises'
import path from 'node:path'
import type { AttachmentKey, AttachmentSpool, AttachmentStore } from '../../ports/attachment-store.ts'
import { bytesName, bytesNameOf, plainId } from '../../shared/bytes-name.ts'
import { unlessOfDisk } from '../../shared/passing-error.ts'
import { syncFolder } from '../../shared/sync-folder.ts'
import { StorageUnavailable } from '../../storage/errors.ts'

interface Paths {
  folder: string
  file: string
  /** The file of the bytes until they are complete. */
  part: string
}

/** The file is `<tenant>/<end of the id>/<id>`: the end of an id is random, so no folder grows large. */
export function pathsOf(root: string, { tenantId, id }: AttachmentKey): Paths {
  const name = bytesNameOf(id)
  const folder = path.join(root, bytesNameOf(tenantId), name.slice(-2))
  const file = path.join(folder, name)
  return { folder, file, part: `${file}.part` }
}

export function codeOf(error: unknown): string | undefined {
  return (error as NodeJS.ErrnoException | null)?.code
}

/** Errors of the source of the bytes stay as they are. */
function toPortError(error: unknown): unknown {
  return unlessOfDisk(error, 'the attachments cannot be read or written')
}

async function sizeOf(file: string): Promise<number | undefined> {
  try {
    return (await stat(file)).size
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined
    throw toPortError(error)
  }
}

/** Lists the names in a folder; none where there is no such folder. */
async function* namesIn(folder: string): AsyncGenerator<string> {
  try {
    for await (const { name } of await opendir(folder)) yield name
  } catch (error) {
    if (codeOf(error) !== 'ENOENT' && codeOf(error) !== 'ENOTDIR') throw toPortError(error)
  }
}

/** Only a plain id can be read back from the name of a file or folder; others are hashed. */
async function* listFiles(root: string): AsyncGenerator<AttachmentKey> {
  for await (const tenantId of namesIn(root)) {
    if (!plainId.test(tenantId)) continue
    for await (const end of namesIn(path.join(root, tenantId))) {
      for await (const id of namesIn(path.join(root, tenantId, end))) {
        if (plainId.test(id)) yield { tenantId, id }
      }
    }
  }
}

const partEnd = /\.part$/
/** The names at each level: folders of tenants, folders of ends of ids, files. */
const ownNames = [bytesName, /^[0-9A-Za-z]{2}$/, bytesName]

/** A file in the place of a folder is as stray as one with another name. */
async function* listStrays(
  root: string,
  { folder = '', names = ownNames }: { folder?: string; names?: readonly RegExp[] } = {},
): AsyncGenerator<string> {
  const [own, ...below] = names
  const isLast = below.length === 0
  for await (const name of namesIn(path.join(root, folder))) {
    const place = path.join(folder, name)
    const isSpool = folder === '' && name === spoolName
    const isOwn = isSpool || (own?.test(isLast ? name.replace(partEnd, '') : name) ?? false)
    if (!isOwn || !(isLast || (await isFolder(path.join(root, place))))) yield place
    else if (!isLast) yield* listStrays(root, { folder: place, names: isSpool ? spoolNames : below })
  }
}

async function isFolder(file: string): Promise<boolean> {
  return (await stat(file).catch(() => undefined))?.isDirectory() ?? false
}

async function makeFolder(root: string, folder: string): Promise<void> {
  const made = await mkdir(folder, { recursive: true, mode: 0o700 }).catch((error: unknown) => {
    // A recursive mkdir needs no parent: Node says ENOENT where a file system is read-only.
    throw codeOf(error) === 'ENOENT' ? Object.assign(error as Error, { code: 'EROFS' }) : error
  })
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

/** Throws `StorageUnavailable` when the bytes were removed while they arrived, as a job does with an upload that took too long. */
async function keep(part: string, file: string): Promise<void> {
  await rename(part, file).catch(refuseRemoved)
}

function refuseRemoved(error: unknown): never {
  if (codeOf(error) !== 'ENOENT') throw error
  throw new StorageUnavailable('the bytes were removed while they arrived', { cause: error })
}

/** The folder within the store into which other processes write; no tenant has such a name. */
const spoolName = 'spool'
/** Its folders, and the files of each: the names of tenant and id. */
const spoolNames = [
  /^\d{1,3}$/,
  /^(?:[a-z]{3}_[0-9A-Z]{26}|x[0-9a-f]{64})\.(?:[a-z]{3}_[0-9A-Z]{26}|x[0-9a-f]{64})$/,
]

const spooledName = ({ tenantId, id }: AttachmentKey) => `${bytesNameOf(tenantId)}.${bytesNameOf(id)}`

/** Deletes what an interrupted process has left of the key. */
async function removeSpooled(root: string, key: AttachmentKey): Promise<void> {
  const spool = path.join(root, spoolName)
  for await (const place of namesIn(spool))
    await rm(path.join(spool, place, spooledName(key)), { force: true })
}

/** Makes a file durable that another process has written, and proves that it is one, of this size. */
async function syncSpooled(file: string, size: number): Promise<void> {
  const handle = await open(file, constants.O_RDWR | (constants.O_NOFOLLOW ?? 0)).catch(refuseRemoved)
  try {
    const found = await handle.stat()
    if (!found.isFile() || found.size !== size)
      throw new Error(`A process has written ${found.size} bytes and announced ${size}`)
    await handle.sync()
  } finally {
    await handle.close()
  }
}

/** A folder of a tenant may be a link to another file system. */
async function adopt(spooled: string, { file, part }: Paths): Promise<void> {
  try {
    await keep(spooled, file)
  } catch (error) {
    if (codeOf(error) !== 'EXDEV') throw error
    await copyFile(spooled, part)
    await syncFile(part)
    await keep(part, file)
    await rm(spooled, { force: true })
  }
}

async function syncFile(file: string): Promise<void> {
  const handle = await open(file, 'r+')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

function openSpool(root: string): AttachmentSpool {
  const folderOf = (place: number) => path.join(root, spoolName, String(place))
  return {
    folderOf,
    async take(key, { place, size, write }) {
      const paths = pathsOf(root, key)
      const spooled = path.join(folderOf(place), spooledName(key))
      try {
        await makeFolder(root, folderOf(place))
        await makeFolder(root, paths.folder)
        await write(spooled)
        await syncSpooled(spooled, size)
        await adopt(spooled, paths)
        await syncFolder(paths.folder)
      } catch (error) {
        // A process that does other things than it is asked for may have made a folder.
        await rm(spooled, { force: true, recursive: true }).catch(() => {})
        throw toPortError(error)
      }
    },
  }
}

/**
 * Stores the bytes as files of a directory: each is written to a temporary file and renamed when it is complete and on
 * the disk. Removing the temporary file makes a running write fail: its rename finds no file.
 */
export function openDirectoryAttachmentStore(directory: string): AttachmentStore {
  const root = path.resolve(directory)
  return {
    async write(key, bytes) {
      const { folder, file, part } = pathsOf(root, key)
      try {
        await makeFolder(root, folder)
        const handle = await open(part, 'w', 0o600)
        try {
          await writeAll(handle, bytes)
        } finally {
          await handle.close()
        }
        await keep(part, file)
        await syncFolder(folder)
      } catch (error) {
        await rm(part, { force: true }).catch(() => {})
        throw toPortError(error)
      }
    },
    async read(key) {
      try {
        // Not by a FileHandle: from Node 26 on one that nobody closed ends the process when it is collected.
        const bytes = createReadStream(pathsOf(root, key).file)
        await once(bytes, 'open')
        return bytes
      } catch (error) {
        if (codeOf(error) === 'ENOENT') return undefined
        throw toPortError(error)
      }
    },
    fileOf: (key) => pathsOf(root, key).file,
    sizeOf: (key) => sizeOf(pathsOf(root, key).file),
    list: () => listFiles(root),
    listStrays: () => listStrays(root),
    async remove(key) {
      const { folder, file, part } = pathsOf(root, key)
      try {
        await removeSpooled(root, key)
        await rm(part, { force: true })
        await rm(file, { force: true })
        await syncFolder(folder)
      } catch (error) {
        if (codeOf(error) !== 'ENOENT') throw toPortError(error)
      }
    },
    spool: openSpool(root),
    close: async () => {},
  }
}
