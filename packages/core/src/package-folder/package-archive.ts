import { createHash } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { mkdir, open, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { type Entry, openPromise, type ZipFile } from 'yauzl'
import { ZipFile as ZipWriter } from 'yazl'
import {
  attachedBytesMax,
  manifestBytesMax,
  manifestName,
  type PackageManifest,
  type PackagePath,
  packageFileBytesMax,
  readPackagePath,
} from '../package/index.ts'
import { openPackage, PackageProblem } from './package-reader.ts'

/** The end of the name of an archive. */
export const archiveSuffix = '.crmkit.zip'

export function isArchiveName(path: string): boolean {
  return path.endsWith(archiveSuffix)
}

const entriesMax = 10_000_000
/** No text that people write becomes so much smaller. */
const ratioMax = 200

/** Writes the archive of a package folder into a new file with the mode 0600: the manifest first, nothing compressed. */
export async function writeArchive(folder: string, file: string): Promise<void> {
  const opened = await openPackage(folder)
  const zip = new ZipWriter()
  const add = (name: string) => zip.addFile(opened.path(name), name, { compress: false, mode: 0o100600 })
  add(manifestName)
  for (const { name } of opened.manifest.files) add(name)
  for await (const name of opened.bytesPaths()) add(name)
  zip.end()
  const target = await open(file, 'wx', 0o600)
  try {
    await pipeline(zip.outputStream, target.createWriteStream({ flush: true }))
  } catch (error) {
    await rm(file, { force: true })
    throw error
  }
}

/**
 * Unpacks an archive into a new folder, and leaves no folder when it throws. Throws a `PackageProblem` for an archive that is
 * no package, or has anything else in it.
 */
export async function unpackArchive(file: string, folder: string): Promise<void> {
  await mkdir(folder, { mode: 0o700 })
  try {
    await unpack(file, folder)
  } catch (error) {
    await rm(folder, { recursive: true, force: true })
    throw error
  }
}

async function unpack(file: string, folder: string): Promise<void> {
  const zip = await openPromise(file, { lazyEntries: true, autoClose: false }).catch((error: Error) => {
    throw new PackageProblem(`${file} is no archive: ${error.message}`)
  })
  try {
    if (zip.entryCount > entriesMax) throw new PackageProblem('The archive has more than 10,000,000 files')
    let named: ReadonlySet<string> | undefined
    for await (const entry of entriesOf(zip)) {
      const { fileName: name } = entry
      const place = readPackagePath(name)
      assertEntry(entry, place, named)
      await writeEntry(zip, entry, join(folder, name))
      if (place?.type === 'manifest') named = namesOf((await openPackage(folder)).manifest)
    }
    if (named === undefined) throw new PackageProblem(`The archive has no ${manifestName}`)
  } finally {
    zip.close()
  }
}

/** The reader refuses names that lead out of a folder, and entries that are larger than they say. */
async function* entriesOf(zip: ZipFile): AsyncGenerator<Entry> {
  try {
    yield* zip.eachEntry()
  } catch (error) {
    if (error instanceof PackageProblem) throw error
    throw new PackageProblem(`The archive is damaged: ${(error as Error).message}`)
  }
}

function namesOf({ files }: PackageManifest): ReadonlySet<string> {
  return new Set(files.map(({ name }) => name))
}

const sizesMax: Readonly<Record<PackagePath['type'], number>> = {
  manifest: manifestBytesMax,
  lines: packageFileBytesMax,
  bytes: attachedBytesMax,
}

/** `named` holds the files of the manifest; undefined before it is read. */
function assertEntry(
  entry: Entry,
  place: PackagePath | undefined,
  named: ReadonlySet<string> | undefined,
): void {
  const { fileName: name, uncompressedSize: size, compressedSize } = entry
  const shown = shownName(name)
  if (named === undefined && place?.type !== 'manifest')
    throw new PackageProblem(`${manifestName} is not the first file of the archive`)
  const isStray = place === undefined || (place.type === 'lines' && !named?.has(name))
  if (isStray) throw new PackageProblem(`The archive has ${shown}, which the manifest does not name`)
  if (size > sizesMax[place.type]) throw new PackageProblem(`${shown} is too large`)
  if (size > ratioMax * Math.max(compressedSize, 1))
    throw new PackageProblem(`${shown} is packed too tightly`)
}

function shownName(name: string): string {
  return JSON.stringify(name.slice(0, 100))
}

/** A name that the archive has twice is found by its file, so that no list of the names is held. */
async function writeEntry(zip: ZipFile, entry: Entry, path: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 })
  const hash = createHash('sha256')
  const stream: Readable = await zip.openReadStreamPromise(entry).catch((error: Error) => {
    throw new PackageProblem(`The archive is damaged: ${error.message}`)
  })
  stream.on('data', (chunk: Buffer) => hash.update(chunk))
  try {
    await pipeline(stream, createWriteStream(path, { mode: 0o600, flags: 'wx', flush: true }))
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    if (code === 'EEXIST') throw new PackageProblem(`The archive has ${shownName(entry.fileName)} twice`)
    throw new PackageProblem(`The archive is damaged: ${message}`)
  }
  const place = readPackagePath(entry.fileName)
  if (place?.type === 'bytes' && hash.digest('hex') !== place.sha256)
    throw new PackageProblem(`${entry.fileName} has other bytes than its name says`)
}
