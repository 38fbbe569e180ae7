import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { PackageProgress } from '@crmkit/core/package-folder'
import { CliError } from '../cli-error.ts'
import { isCode } from '../profile/file-lock.ts'
import { writePrivateFile } from '../profile/write-private-file.ts'

/** How far a folder is read. It never holds the credential. */
export interface ReaderState {
  readonly product: string
  readonly account: string
  readonly url: string
  /** A later pass reads what changed since then. */
  readonly begunAt: string
  readonly since: string | null
  readonly isComplete: boolean
  /** The number of the step, from 0. */
  readonly step: number
  /** Where the step goes on. */
  readonly mark: unknown
  /** Facts of a step for later ones, such as the names of fields. */
  readonly facts: Readonly<Record<string, unknown>>
  /** Ids of records that were left out, so that none counts twice. */
  readonly leftOutIds: Readonly<Record<string, readonly string[]>>
  readonly progress: PackageProgress
}

const stateName = '.reader.json'

export async function readState(folder: string): Promise<ReaderState | undefined> {
  const path = join(folder, stateName)
  try {
    return JSON.parse(await readFile(path, 'utf8'))
  } catch (error) {
    if (isCode(error, 'ENOENT') || isCode(error, 'ENOTDIR')) return undefined
    throw new CliError(`${path} cannot be read.`, {
      code: 'FOLDER_DAMAGED',
      hint: 'Begin again with another folder.',
    })
  }
}

/** Replaces the state at once: after a kill it is the old one or the new one. */
export function writeState(folder: string, state: ReaderState): Promise<void> {
  return writePrivateFile(join(folder, stateName), `${JSON.stringify(state)}\n`)
}
