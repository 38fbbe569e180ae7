import { existsSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { openLockDatabase } from './database.ts'

export interface DatabaseLock {
  release(): void
  /** Releases it without a trace, where no database was made. */
  discard(): void
}

interface Holder {
  pid: number
  /** The work of the process, such as `crm-server start`. */
  command: string
  since: string
}

/** Returns the process that has the lock; undefined in the moment in which it has not written its name yet. */
function readHolder(file: string): Holder | undefined {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as Holder
  } catch {
    return undefined
  }
}

function describeHolder(file: string): string {
  const holder = readHolder(file)
  if (holder === undefined) return 'another process'
  return `process ${holder.pid} (${holder.command}, since ${holder.since})`
}

/**
 * Takes a database file for this process, whether the file exists or not. The operating system gives the lock back when the
 * process ends, also by `kill -9`. Throws a sentence that names the process which has it.
 */
export function lockDatabase(file: string, command: string): DatabaseLock {
  // Two names of one file have one lock.
  const lockFile = `${existsSync(file) ? realpathSync(file) : file}-lock`
  const holderFile = `${lockFile}.json`
  const lock = openLockDatabase(lockFile)
  if (lock === undefined) throw new Error(`${describeHolder(holderFile)} uses ${file}: stop it first`)
  const holder: Holder = { pid: process.pid, command, since: new Date().toISOString() }
  writeFileSync(holderFile, `${JSON.stringify(holder)}\n`, { mode: 0o600 })
  const release = () => lock.close()
  return {
    release,
    discard() {
      // While it is held: nobody else has opened these files to hold them.
      for (const made of [holderFile, lockFile]) rmSync(made, { force: true })
      release()
    },
  }
}
