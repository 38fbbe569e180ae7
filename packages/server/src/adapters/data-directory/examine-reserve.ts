import { statSync } from 'node:fs'
import path from 'node:path'
import type { Finding } from '../../ports/diagnosis.ts'
import { diskReserveBytes, reserveFilename } from './disk-reserve.ts'

/** Judges the reserve for a full disk, which a running server makes in the folder of its database. */
export function examineReserve(folder: string): Finding {
  const size = statSync(path.join(folder, reserveFilename), { throwIfNoEntry: false })?.size
  const megabytes = diskReserveBytes / 1024 ** 2
  if (size === diskReserveBytes)
    return { outcome: 'ok', sentence: `${megabytes} MB are reserved for what must work on a full disk.` }
  return {
    outcome: 'warning',
    sentence:
      size === undefined
        ? `Nothing is reserved for what must work on a full disk: there is no file ${reserveFilename} in ${folder}.`
        : `The reserve for a full disk has ${size} bytes instead of ${diskReserveBytes}.`,
    mend: 'A server makes it within seconds of its start, on a disk with 20 MB free: free space, and start the server',
  }
}
