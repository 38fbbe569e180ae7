import { open } from 'node:fs/promises'
import { join } from 'node:path'
import { isCode } from '../../../profile/file-lock.ts'
import type { SourceFile } from '../../source-files.ts'

/** The folder of Active Storage on a disk: each file has a folder of the first and the next two signs of its key. */
export class StoredBlobs {
  readonly #folder: string | undefined

  /** Undefined: a person has no such folder. */
  constructor(folder: string | undefined) {
    this.#folder = folder
  }

  /** Opens the file of a key. */
  async open(key: string): Promise<SourceFile> {
    if (this.#folder === undefined) return { missing: 'a dump has no files: --storage names their folder' }
    // A key of the dump could lead to any file of this machine.
    if (!/^[\w-]{4,200}$/.test(key)) return { missing: 'the dump names no stored file of it' }
    try {
      const file = await open(join(this.#folder, key.slice(0, 2), key.slice(2, 4), key))
      return { bytes: file.createReadStream() }
    } catch (error) {
      if (isCode(error, 'ENOENT') || isCode(error, 'ENOTDIR'))
        return { missing: 'it is not in the folder of --storage' }
      throw error
    }
  }
}
