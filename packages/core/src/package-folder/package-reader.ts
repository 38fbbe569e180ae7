import { createReadStream } from 'node:fs'
import { readdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import {
  bytesPath,
  manifestBytesMax,
  manifestName,
  type PackageKind,
  type PackageManifest,
  type ReadLine,
  readManifest,
  readPackageLine,
  readPackagePath,
} from '../package/index.ts'
import { digestOf } from './package-writer.ts'

/** A folder that is no package, or one whose files are not those of its manifest. */
export class PackageProblem extends Error {
  override readonly name = 'PackageProblem'
}

/** Opens a package folder by its manifest. */
export async function openPackage(folder: string): Promise<PackageFolder> {
  const path = join(folder, manifestName)
  const found = await stat(path).catch(() => undefined)
  if (!found?.isFile()) throw new PackageProblem(`${folder} has no ${manifestName}`)
  if (found.size > manifestBytesMax) throw new PackageProblem(`${manifestName} is larger than 8 MB`)
  const read = readManifest(await readFile(path, 'utf8'))
  if (!('manifest' in read)) throw new PackageProblem(`${manifestName} ${read.message}`)
  return new PackageFolder(folder, read.manifest)
}

/** A package in a folder, which is read as a stream. */
export class PackageFolder {
  readonly manifest: PackageManifest
  readonly #folder: string

  constructor(folder: string, manifest: PackageManifest) {
    this.#folder = folder
    this.manifest = manifest
  }

  /** Throws a `PackageProblem` when a file of the manifest is not there, or has other bytes. */
  async verify(): Promise<void> {
    for (const { name, bytes, sha256 } of this.manifest.files) {
      const found = await stat(join(this.#folder, name)).catch(() => undefined)
      if (!found?.isFile()) throw new PackageProblem(`${name} is missing`)
      if (found.size !== bytes || (await digestOf(join(this.#folder, name))) !== sha256)
        throw new PackageProblem(`${name} has other bytes than the manifest says`)
    }
  }

  /** Returns the lines of a kind, in their order. */
  async *lines<K extends PackageKind>(kind: K): AsyncGenerator<ReadLine<K> & { file: string; line: number }> {
    for (const { name } of this.manifest.files.filter((file) => file.kind === kind)) {
      let line = 0
      const input = createReadStream(join(this.#folder, name))
      for await (const text of createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY })) {
        line += 1
        if (text !== '') yield { ...readPackageLine(kind, text), file: name, line }
      }
    }
  }

  /** Returns the paths of stored bytes in their order. It holds those of one of 256 folders at once. */
  async *bytesPaths(): AsyncGenerator<string> {
    for (const prefix of await namesIn(join(this.#folder, 'bytes')))
      for (const name of await namesIn(join(this.#folder, 'bytes', prefix))) {
        const path = `bytes/${prefix}/${name}`
        if (readPackagePath(path)?.type === 'bytes') yield path
      }
  }

  path(name: string): string {
    return join(this.#folder, name)
  }

  bytesPath(sha256: string): string {
    return join(this.#folder, bytesPath(sha256))
  }
}

/** Returns the names in a folder in their order; none when it is not there or no folder. */
async function namesIn(folder: string): Promise<string[]> {
  const names = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return []
    throw error
  })
  return names.sort()
}
