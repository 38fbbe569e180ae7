import { StorageUnavailable } from '../storage/errors.ts'

/** The disk refuses at the moment: it is full, read-only or broken, or this process has no file handle left. */
const ofDisk = /^E(?:NOSPC|DQUOT|IO|ROFS|ACCES|PERM|MFILE|NFILE|FBIG)$/

/** Returns `StorageUnavailable` for an error of the disk; any other error stays as it is. */
export function unlessOfDisk(error: unknown, what: string): unknown {
  const code = (error as NodeJS.ErrnoException | null)?.code
  return typeof code === 'string' && ofDisk.test(code)
    ? new StorageUnavailable(`${what}: ${code}`, { cause: error })
    : error
}

/** Whether an error is one of this machine or the database at the moment, and says nothing about the work: the work waits, and has not failed. */
export function isPassing(error: unknown): boolean {
  return unlessOfDisk(error, '') instanceof StorageUnavailable
}
