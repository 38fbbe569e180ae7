import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { CliError } from '../cli-error.ts'
import { exitCodes } from '../exit-codes.ts'
import { isCode } from '../profile/file-lock.ts'

const lockName = '.reader.lock'

/** Runs `work` while no other process reads into the folder. The lock of a process that has ended counts no more. */
export async function withFolderLock<T>(folder: string, work: () => Promise<T>): Promise<T> {
  const path = join(folder, lockName)
  take(path)
  const release = () => rmSync(path, { force: true })
  process.once('exit', release)
  try {
    return await work()
  } finally {
    process.off('exit', release)
    release()
  }
}

function take(path: string, isRetry = false): void {
  const own = `${process.pid} ${hostname()}`
  try {
    writeFileSync(path, own, { flag: 'wx', mode: 0o600 })
  } catch (error) {
    if (!isCode(error, 'EEXIST')) throw error
    const holder = holderOf(path)
    if (isRetry || isAlive(holder)) {
      throw new CliError('Another process reads into this folder.', {
        code: 'FOLDER_LOCKED',
        exitCode: exitCodes.conflictOrValidation,
        hint: `If none does, delete ${path}`,
      })
    }
    rmSync(path, { force: true })
    take(path, true)
  }
}

function holderOf(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    // It was released meanwhile.
    return ''
  }
}

/** A process of another machine that shares the folder cannot be seen, so it counts as alive. */
function isAlive(holder: string): boolean {
  const [pid = '', host = ''] = holder.split(' ')
  if (!/^\d+$/.test(pid) || Number(pid) === process.pid) return false
  if (host !== hostname()) return true
  try {
    process.kill(Number(pid), 0)
    return true
  } catch (error) {
    return isCode(error, 'EPERM')
  }
}
