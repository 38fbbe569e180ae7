import { accessSync, constants, existsSync, mkdtempSync, readdirSync, rmSync, statfsSync } from 'node:fs'
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

/** Deletes what killed test runs have left in memory: nothing else would, before the machine starts again. */
function removeLeftFolders(prefix: string): void {
  for (const name of readdirSync(memoryFolder)) {
    const [, owner] = /^(\d+)-/.exec(name.startsWith(prefix) ? name.slice(prefix.length) : '') ?? []
    if (owner === undefined || existsSync(`/proc/${owner}`)) continue
    rmSync(path.join(memoryFolder, name), { recursive: true, force: true })
  }
}

/**
 * Makes a folder for the data of a database server of the tests: in memory where Linux has space for it, else among
 * the temporary files. A test makes a database of its own, some hundred files; on a shared disk, its syncs took
 * most of the time of the MongoDB suites. A killed process loses nothing of either folder. Its name holds the id of this
 * process.
 */
export function makeFastFolder(prefix: string): string {
  const own = `${prefix}${process.pid}-`
  if (!hasRoomInMemory()) return mkdtempSync(path.join(tmpdir(), own))
  removeLeftFolders(prefix)
  return mkdtempSync(path.join(memoryFolder, own))
}
