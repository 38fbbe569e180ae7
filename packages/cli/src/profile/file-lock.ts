import { rmSync, statSync } from 'node:fs'
import { mkdir, rename, rm, stat, utimes } from 'node:fs/promises'
import { setTimeout as delay } from 'node:timers/promises'
import { CliError } from '../cli-error.ts'

const refreshMs = 1_000
/** A lock that was not refreshed for this time belongs to a dead process. */
const staleMs = 10_000
const pollMs = 40
const waitMaxMs = 60_000

/** Runs `work` while this process holds the lock, a directory at `path`: `mkdir` is atomic on every platform. */
export async function withFileLock<T>(path: string, work: () => Promise<T>): Promise<T> {
  const held = await acquire(path)
  const release = () => {
    // A process that was suspended for a long time may have lost its lock to another process.
    if (statSync(path, { throwIfNoEntry: false })?.ino === held)
      rmSync(path, { recursive: true, force: true })
  }
  process.once('exit', release)
  const heartbeat = setInterval(() => void touch(path), refreshMs)
  try {
    return await work()
  } finally {
    clearInterval(heartbeat)
    process.off('exit', release)
    release()
  }
}

/** Waits for the lock; returns its identity. */
async function acquire(path: string): Promise<number> {
  const giveUpAt = Date.now() + waitMaxMs
  while (!(await tryCreate(path))) {
    if (Date.now() > giveUpAt) {
      throw new CliError('Another crm process has locked the profile for a minute.', {
        code: 'PROFILE_LOCKED',
        hint: `If no other process is running, delete ${path}`,
      })
    }
    if (await isStale(path)) await breakLock(path)
    else await delay(pollMs)
  }
  return (await stat(path)).ino
}

async function tryCreate(path: string): Promise<boolean> {
  try {
    await mkdir(path, { mode: 0o700 })
    return true
  } catch (error) {
    if (isCode(error, 'EEXIST')) return false
    throw error
  }
}

async function isStale(path: string): Promise<boolean> {
  const held = await stat(path).catch(() => undefined)
  return held !== undefined && Date.now() - held.mtimeMs > staleMs
}

/** Moves the lock of a dead process away, which only one of several processes can do. */
async function breakLock(path: string): Promise<void> {
  const movedPath = `${path}.${process.pid}`
  try {
    await rename(path, movedPath)
    // Between check and move another process may have replaced the lock by its own, which is restored.
    if (await isStale(movedPath)) await rm(movedPath, { recursive: true, force: true })
    else await rename(movedPath, path)
  } catch (error) {
    if (!isCode(error, 'ENOENT')) throw error
  }
}

async function touch(path: string): Promise<void> {
  const now = new Date()
  await utimes(path, now, now).catch(() => undefined)
}

export function isCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code
}
