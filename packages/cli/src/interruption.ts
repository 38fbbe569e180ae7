import { exitCodes } from './exit-codes.ts'

let sectionsOpen = 0
let exitCodeWanted: number | undefined

/** Ctrl-C and SIGTERM end the process at once, or as soon as what must not be cut has ended. */
export function installInterruption(): void {
  process.on('SIGINT', () => endWith(exitCodes.interrupted))
  process.on('SIGTERM', () => endWith(exitCodes.terminated))
}

function endWith(exitCode: number): void {
  if (sectionsOpen === 0) process.exit(exitCode)
  exitCodeWanted = exitCode
}

/**
 * For work that would lose something when it is cut: between the answer to a refresh and its
 * writing the only valid refresh token is in memory. Keep it short.
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
