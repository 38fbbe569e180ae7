import { rmSync, statSync } from 'node:fs'
import { mkdir, rename, rm, stat, utimes } from 'node:fs/promises'
import { setTimeout as delay } from 'node:timers/promises'
import { CliError } from '../cli-error.ts'

const refreshMs = 1_000
/** A holder that has not refreshed its lock for so long is dead. */
const staleMs = 10_000
const pollMs = 40
const waitMaxMs = 60_000

/** Runs `work` while no other process holds the lock, a directory at `path`: making one is atomic everywhere. */
export async function withFileLock<T>(path: string, work: () => Promise<T>): Promise<T> {
  const held = await acquire(path)
  const release = () => {
    // A process that was suspended for long may have lost its lock to another one.
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

/** Gives the lock's identity. */
async function acquire(path: string): Promise<number> {
  const giveUpAt = Date.now() + waitMaxMs
  while (!(await canMake(path))) {
    if (Date.now() > giveUpAt) {
      throw new CliError('Another crm process has been holding the profile for a minute.', {
        code: 'PROFILE_LOCKED',
        hint: `If none is running, remove ${path}`,
      })
    }
    if (await isStale(path)) await breakLock(path)
    else await delay(pollMs)
  }
  return (await stat(path)).ino
}

async function canMake(path: string): Promise<boolean> {
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

/** Of several processes that find a dead holder's lock only one can move it away. */
async function breakLock(path: string): Promise<void> {
  const grave = `${path}.${process.pid}`
  try {
    await rename(path, grave)
    // Between look and move another process may have broken the lock and made its own: then it is given back.
    if (await isStale(grave)) await rm(grave, { recursive: true, force: true })
    else await rename(grave, path)
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
