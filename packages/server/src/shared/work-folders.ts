import { randomBytes } from 'node:crypto'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'

/** The next process in a container often has the number of the one before: its folders differ by this. */
const ownMark = randomBytes(6).toString('hex')
const form = /^crmkit-work-(\d+)-([0-9a-f]{12})-/

/** Makes a folder that is this process's alone, among temporary ones. A process that is killed leaves it. */
export function makeWorkFolder(parent: string, purpose: string): Promise<string> {
  return mkdtemp(join(parent, `crmkit-work-${process.pid}-${ownMark}-${purpose}-`))
}

/** Removes the folders of processes that have ended, and returns how many there were. */
export async function removeLeftFolders(parent: string): Promise<number> {
  const left = (await readdir(parent)).filter(isLeft)
  const removed = await Promise.allSettled(
    left.map((name) => rm(join(parent, name), { recursive: true, force: true })),
  )
  // One of another user of the machine stays.
  return removed.filter(({ status }) => status === 'fulfilled').length
}

function isLeft(name: string): boolean {
  const [, pid, mark] = form.exec(name) ?? []
  if (pid === undefined || mark === ownMark) return false
  return Number(pid) === process.pid || !isRunning(Number(pid))
}

function isRunning(pid: number): boolean {
  try {
    // Sends nothing: asks whether there is such a process.
    return process.kill(pid, 0)
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}
