import { randomBytes } from 'node:crypto'
import { open, rm, stat, statfs } from 'node:fs/promises'
import path from 'node:path'
import type { DiskSpace } from '../../ports/disk-space.ts'
import type { Log } from '../../ports/log.ts'

/** The size of the reserve file: enough for many thousand deletions and sign-ins. */
export const diskReserveBytes = 16 * 1024 * 1024
export const reserveFilename = 'disk-reserve'

const freeDefaultBytes = 1024 ** 3
const freeDefaultShare = 0.05
/** With less than this left, the next write may fail. */
const lowBytes = 4 * 1024 * 1024
const checkMs = 2_000
const chunkBytes = 1024 * 1024

interface ReserveParts {
  directory: string
  log: Log
  reserveBytes?: number
  /** Less free space is little; by default 1 GB, or 5 % of the disk where that is more. */
  freeBytesMin?: number | undefined
}

/**
 * Keeps space for what must work on a full disk: a file of `reserveBytes` in the data directory, which is deleted when
 * the disk is full, and made again once there is space for it twice.
 */
export function createDiskReserve({
  directory,
  log,
  reserveBytes = diskReserveBytes,
  freeBytesMin,
}: ReserveParts): DiskSpace {
  const file = path.join(directory, reserveFilename)
  let isFull = false
  let isLow = false
  let free: number | undefined
  let timer: NodeJS.Timeout | undefined
  let running: Promise<void> | undefined

  async function checkSpace(): Promise<void> {
    const { bavail, bsize, blocks } = await statfs(directory)
    const available = bavail * bsize
    free = available
    noteLow(available, freeBytesMin ?? Math.max(freeDefaultBytes, freeDefaultShare * blocks * bsize))
    if (isFull && available >= 2 * reserveBytes) {
      isFull = false
      log.warn({ available }, 'The disk has space again: every request is admitted')
    } else if (!isFull && available < lowBytes) {
      isFull = true
      await rm(file, { force: true })
      log.error({ available }, 'The disk is full: only reads, deletions and sign-ins are admitted')
    }
    const hasSpace = available >= lowBytes + reserveBytes
    if (!isFull && hasSpace && !(await hasReserve())) await makeReserve()
  }

  function noteLow(available: number, least: number): void {
    // A little more ends it, so that the two states do not alternate.
    const isNow = available < (isLow ? least * 1.01 : least)
    if (isNow && !isLow)
      log.warn({ available, least }, 'The disk has little space: mail and files of strangers wait')
    else if (isLow && !isNow) log.warn({ available }, 'The disk has space for strangers again')
    isLow = isNow
  }

  async function hasReserve(): Promise<boolean> {
    const found = await stat(file).catch(() => undefined)
    return found?.size === reserveBytes
  }

  async function makeReserve(): Promise<void> {
    try {
      await writeReserve()
    } catch (error) {
      // A part of it would take space and reserve none.
      await rm(file, { force: true })
      throw error
    }
  }

  async function writeReserve(): Promise<void> {
    // Random: a file system that compresses or leaves out zeros would reserve nothing.
    const chunk = randomBytes(Math.min(chunkBytes, reserveBytes))
    const handle = await open(file, 'w', 0o600)
    try {
      for (let left = reserveBytes; left > 0; left -= chunk.length)
        await handle.writeFile(chunk.subarray(0, Math.min(left, chunk.length)))
    } finally {
      await handle.close()
    }
  }

  /** Checks that are asked for during a check are one with it. */
  function check(): void {
    running ??= checkSpace()
      .catch((error: unknown) => log.warn({ err: error }, 'The space of the disk could not be checked'))
      .finally(() => {
        running = undefined
      })
  }

  return {
    isFull: () => isFull,
    isLow: () => isLow,
    freeBytes: () => free,
    noteFailure: () => {
      // Only a service that has begun to check notices later that there is space again.
      if (timer !== undefined) check()
    },
    start() {
      timer = setInterval(check, checkMs)
      check()
    },
    async stop() {
      clearInterval(timer)
      timer = undefined
      await running
    },
  }
}
