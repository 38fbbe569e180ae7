import { exitCodes } from './exit-codes.ts'

let sectionsOpen = 0
let exitCodeWanted: number | undefined

/** Ctrl-C and SIGTERM end the process immediately, or at the end of the running uninterruptible section. */
export function installInterruption(): void {
  process.on('SIGINT', () => endWith(exitCodes.interrupted))
  process.on('SIGTERM', () => endWith(exitCodes.terminated))
}

function endWith(exitCode: number): void {
  if (sectionsOpen === 0) process.exit(exitCode)
  exitCodeWanted = exitCode
}

/**
 * Runs work that an interruption would make lose data: between the response to a refresh and the write to disk, the
 * only valid refresh token is in memory. Keep the work short.
 */
export async function uninterruptible<T>(work: () => Promise<T>): Promise<T> {
  sectionsOpen += 1
  try {
    return await work()
  } finally {
    sectionsOpen -= 1
    if (sectionsOpen === 0 && exitCodeWanted !== undefined) process.exit(exitCodeWanted)
  }
}
