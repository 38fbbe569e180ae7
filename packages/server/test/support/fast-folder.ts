import { accessSync, constants, mkdtempSync, statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'

const memoryFolder = '/dev/shm'
/** A server of all tests holds hundreds of databases at once. */
const neededBytes = 4 * 1024 ** 3

function hasRoomInMemory(): boolean {
  try {
    accessSync(memoryFolder, constants.W_OK)
    const { bavail, bsize } = statfsSync(memoryFolder)
    return bavail * bsize >= neededBytes
  } catch {
    return false
  }
}

/**
 * Makes a folder for the data of a database server of the tests: in memory where Linux has space for it, else among
 * the temporary files. A test makes a database of its own, some hundred files; on a shared disk, its syncs took
 * most of the time of the MongoDB suites. A killed process loses nothing of either folder.
 */
export function makeFastFolder(prefix: string): string {
  return mkdtempSync(path.join(hasRoomInMemory() ? memoryFolder : tmpdir(), prefix))
}
