import type { Readable } from 'node:stream'
import yauzl from 'yauzl'
import { unlessOfDisk } from '../../shared/passing-error.ts'
import { StorageUnavailable } from '../../storage/errors.ts'

export interface ZipEntry {
  name: string
  /** As its directory says; reading one that is longer fails. */
  size: number
  isEncrypted: boolean
}

export interface ZipFile {
  entries: readonly ZipEntry[]
  /** Undefined where there is no such entry. */
  read(name: string): Promise<Readable | undefined>
  close(): void
}

/** An archive that is not read; `message` says to a person why. */
export class UnreadableArchive extends Error {
  override readonly name = 'UnreadableArchive'
  readonly rule: 'damaged' | 'format' | 'ratio' | 'encrypted' | 'entry' | 'duplicate' | 'too_many'

  constructor(rule: UnreadableArchive['rule'], message: string) {
    super(message)
    this.rule = rule
  }
}

/**
 * Returns the error for an archive that cannot be read: a disk that refuses says nothing about it. Anything else that its reader throws
 * is damage, which `rule` and `message` name.
 */
export function archiveError(
  error: unknown,
  rule: UnreadableArchive['rule'] = 'damaged',
  message = 'is a damaged archive',
): Error {
  if (error instanceof UnreadableArchive) return error
  const found = unlessOfDisk(error, 'an archive cannot be read')
  return found instanceof StorageUnavailable ? found : new UnreadableArchive(rule, message)
}

/** Whether a file begins as archives do. */
export function isZip(head: Buffer): boolean {
  return head.length >= 4 && head.readUInt32BE(0) === 0x504b0304
}

const entriesMax = 10_000
/** Unpacked, all entries together. */
const bytesMax = 1024 ** 3
/** Beyond so many bytes an archive unpacks to at most as many times its own size. */
const ratioFrom = 100 * 1024 ** 2
const ratioMax = 100

/** Opens an archive by its directory at the end. Throws `UnreadableArchive` for one that is none, or that would unpack to too much. */
export async function openZip(path: string, { size }: { size: number }): Promise<ZipFile> {
  const zip = await open(path)
  try {
    const found = await directoryOf(zip)
    const entries = [...found.values()]
    const bytes = entries.reduce((sum, { uncompressedSize }) => sum + uncompressedSize, 0)
    if (bytes > bytesMax || (bytes > ratioFrom && bytes > ratioMax * size)) {
      throw new UnreadableArchive('ratio', 'unpacks to too many bytes')
    }
    return {
      entries: entries.map((entry) => ({
        name: entry.fileName,
        size: entry.uncompressedSize,
        isEncrypted: (entry.generalPurposeBitFlag & 1) === 1,
      })),
      read: async (name) => {
        const entry = found.get(name)
        return entry && (await streamOf(zip, entry))
      },
      close: () => zip.close(),
    }
  } catch (error) {
    zip.close()
    throw error
  }
}

function isGone(error: NodeJS.ErrnoException): boolean {
  return error.code === 'ENOENT'
}

function open(path: string): Promise<yauzl.ZipFile> {
  return new Promise((resolve, reject) => {
    yauzl.open(path, { lazyEntries: true, autoClose: false }, (error, zip) => {
      if (error) reject(isGone(error) ? new UnreadableArchive('format', 'was removed') : archiveError(error))
      else resolve(zip)
    })
  })
}

function directoryOf(zip: yauzl.ZipFile): Promise<Map<string, yauzl.Entry>> {
  const entries = new Map<string, yauzl.Entry>()
  return new Promise((resolve, reject) => {
    zip.on('error', (error) => reject(archiveError(error)))
    zip.on('end', () => resolve(entries))
    zip.on('entry', (entry: yauzl.Entry) => {
      // Programs differ in the one that they take: a row of the other one would be lost in silence.
      if (entries.has(entry.fileName)) {
        reject(new UnreadableArchive('duplicate', 'has two files of one name'))
        return
      }
      entries.set(entry.fileName, entry)
      if (entries.size > entriesMax) reject(new UnreadableArchive('too_many', 'has too many entries'))
      else zip.readEntry()
    })
    zip.readEntry()
  })
}

function streamOf(zip: yauzl.ZipFile, entry: yauzl.Entry): Promise<Readable> {
  return new Promise((resolve, reject) => {
    zip.openReadStream(entry, (error, stream) => {
      if (error) reject(archiveError(error))
      else resolve(stream)
    })
  })
}
