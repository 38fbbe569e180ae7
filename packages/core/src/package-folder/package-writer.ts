import { createHash, randomUUID } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { access, type FileHandle, mkdir, open, rename, rm, truncate, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import {
  attachedBytesMax,
  bytesPath,
  manifestName,
  manifestText,
  monthOf,
  type PackageKind,
  type PackageManifest,
  type PackageRecordInput,
  packageFileBytesMax,
  packageFileName,
  packageFormat,
  packageKinds,
  packageLine,
  packageLinesPerFileMax,
  packageVersion,
} from '../package/index.ts'

type Counts = PackageManifest['counts']
type LeftOut = NonNullable<PackageManifest['leftOut']>

interface Part {
  name: string
  kind: PackageKind
  lines: number
  bytes: number
}

/** How far a package is written: JSON, for a reader of a source that goes on later. */
export interface PackageProgress {
  readonly parts: readonly Readonly<Part>[]
  readonly counts: Counts
  readonly leftOut: LeftOut
}

export type PackageHeader = Pick<PackageManifest, 'source' | 'madeAt' | 'since' | 'timeZone'>

/** Lines are written in blocks of this size. */
const blockBytes = 256 * 1024

/** Writes a package folder. All files have the mode 0600. `close` after any end; `finish` writes the manifest. */
export class PackageWriter {
  readonly #folder: string
  readonly #parts: Part[] = []
  readonly #counts = new Map<PackageKind, { total: number; byMonth: Map<string, number> }>()
  readonly #leftOut: LeftOut
  readonly #open = new Map<
    PackageKind,
    { part: Part; file: FileHandle; waiting: string[]; waitingBytes: number }
  >()

  private constructor(folder: string, progress: PackageProgress) {
    this.#folder = folder
    this.#parts = progress.parts.map((part) => ({ ...part }))
    this.#leftOut = [...progress.leftOut]
    for (const kind of packageKinds) {
      const { total, byMonth } = progress.counts[kind] ?? {}
      if (total !== undefined)
        this.#counts.set(kind, { total, byMonth: new Map(Object.entries(byMonth ?? {})) })
    }
  }

  /** Opens a folder, new or with the progress of an earlier writer: what was written behind it is taken back. */
  static async open(
    folder: string,
    progress: PackageProgress = { parts: [], counts: {}, leftOut: [] },
  ): Promise<PackageWriter> {
    await mkdir(folder, { recursive: true, mode: 0o700 })
    await rm(join(folder, manifestName), { force: true })
    for (const { name, bytes } of progress.parts) await truncate(join(folder, name), bytes)
    return new PackageWriter(folder, progress)
  }

  /** Adds a record. Throws for one that its schema does not allow. */
  async write<K extends PackageKind>(kind: K, record: PackageRecordInput<K>): Promise<void> {
    const line = packageLine(kind, record)
    const bytes = Buffer.byteLength(line)
    const open = await this.#openPart(kind, bytes)
    open.waiting.push(line)
    open.waitingBytes += bytes
    open.part.lines += 1
    open.part.bytes += bytes
    if (open.waitingBytes >= blockBytes) await flush(open)
    this.#count(kind, record)
  }

  #count(kind: PackageKind, record: object): void {
    const counts = this.#counts.get(kind) ?? { total: 0, byMonth: new Map<string, number>() }
    this.#counts.set(kind, counts)
    counts.total += 1
    const month = monthOf(kind, record)
    if (typeof month === 'string') counts.byMonth.set(month, (counts.byMonth.get(month) ?? 0) + 1)
  }

  async #openPart(kind: PackageKind, bytes: number) {
    const known = this.#open.get(kind)
    const isRoom = ({ part }: { part: Part }) =>
      part.lines < packageLinesPerFileMax && part.bytes + bytes <= packageFileBytesMax
    if (known !== undefined && isRoom(known)) return known
    if (known !== undefined) await this.#closePart(kind, known)
    const ofKind = this.#parts.filter((part) => part.kind === kind)
    const last = ofKind.at(-1)
    const isContinued = last !== undefined && known === undefined && isRoom({ part: last })
    const part = isContinued
      ? last
      : { name: packageFileName(kind, ofKind.length + 1), kind, lines: 0, bytes: 0 }
    if (!isContinued) this.#parts.push(part)
    const file = await open(join(this.#folder, part.name), isContinued ? 'a' : 'w', 0o600)
    const opened = { part, file, waiting: [], waitingBytes: 0 }
    this.#open.set(kind, opened)
    return opened
  }

  async #closePart(kind: PackageKind, open: Parameters<typeof flush>[0]): Promise<void> {
    this.#open.delete(kind)
    try {
      await flush(open)
      await open.file.sync()
    } finally {
      await open.file.close()
    }
  }

  /** Stores the bytes of a file under their SHA-256. Throws when there are more than 50 MB. */
  async writeBytes(bytes: Uint8Array | AsyncIterable<Uint8Array>): Promise<{ sha256: string; size: number }> {
    const temporary = join(this.#folder, `.bytes-${randomUUID()}`)
    const hash = createHash('sha256')
    let size = 0
    const file = await open(temporary, 'wx', 0o600)
    try {
      for await (const chunk of bytes instanceof Uint8Array ? [bytes] : bytes) {
        size += chunk.length
        if (size > attachedBytesMax) throw new Error('A file of a package has at most 50 MB')
        hash.update(chunk)
        await file.write(chunk)
      }
      await file.sync()
    } catch (error) {
      await file.close()
      await rm(temporary, { force: true })
      throw error
    }
    await file.close()
    const sha256 = hash.digest('hex')
    const path = join(this.#folder, bytesPath(sha256))
    await mkdir(dirname(path), { recursive: true, mode: 0o700 })
    await rename(temporary, path)
    return { sha256, size }
  }

  hasBytes(sha256: string): Promise<boolean> {
    return access(join(this.#folder, bytesPath(sha256))).then(
      () => true,
      () => false,
    )
  }

  /** Counts records of the source that are not in the package. Equal kinds and reasons are one entry. */
  leaveOut({ kind, count, reason }: LeftOut[number]): void {
    const known = this.#leftOut.find((one) => one.kind === kind && one.reason === reason)
    if (known) known.count = known.count === null || count === null ? null : known.count + count
    else this.#leftOut.push({ kind, count, reason })
  }

  /** Makes everything durable that was written, and returns how far it is. */
  async checkpoint(): Promise<PackageProgress> {
    for (const open of this.#open.values()) {
      await flush(open)
      await open.file.sync()
    }
    return {
      parts: this.#parts.map((part) => ({ ...part })),
      counts: this.#countsShown(),
      leftOut: this.#leftOut.map((one) => ({ ...one })),
    }
  }

  #countsShown(): Counts {
    return Object.fromEntries(
      packageKinds.flatMap((kind) => {
        const { total = 0, byMonth = new Map<string, number>() } = this.#counts.get(kind) ?? {}
        const months = Object.fromEntries([...byMonth].sort(([a], [b]) => (a < b ? -1 : 1)))
        if (total === 0) return []
        return [[kind, byMonth.size > 0 ? { total, byMonth: months } : { total }] as const]
      }),
    )
  }

  /** Closes the files and writes the manifest, with which the folder is a package. */
  async finish(header: PackageHeader & { complete: boolean }): Promise<PackageManifest> {
    await this.close()
    const { complete, ...given } = header
    const files: PackageManifest['files'] = []
    for (const kind of packageKinds) {
      for (const part of this.#parts.filter((one) => one.kind === kind)) {
        const sha256 = await digestOf(join(this.#folder, part.name))
        files.push({ ...part, sha256 })
      }
    }
    const manifest: PackageManifest = {
      format: packageFormat,
      version: packageVersion,
      ...given,
      files,
      counts: this.#countsShown(),
      leftOut: this.#leftOut,
      complete,
    }
    const temporary = join(this.#folder, `.${manifestName}`)
    await writeFile(temporary, manifestText(manifest), { mode: 0o600, flush: true })
    await rename(temporary, join(this.#folder, manifestName))
    return manifest
  }

  async close(): Promise<void> {
    for (const [kind, open] of this.#open) await this.#closePart(kind, open)
  }
}

async function flush(open: { file: FileHandle; waiting: string[]; waitingBytes: number }): Promise<void> {
  if (open.waiting.length === 0) return
  const block = open.waiting.join('')
  open.waiting = []
  open.waitingBytes = 0
  await open.file.writeFile(block)
}

/** Returns the SHA-256 of a file, in hexadecimal. */
export async function digestOf(path: string): Promise<string> {
  const hash = createHash('sha256')
  for await (const chunk of createReadStream(path)) hash.update(chunk)
  return hash.digest('hex')
}
