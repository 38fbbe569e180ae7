import { enableCompileCache } from 'node:module'
import { readEnvironment } from './config.ts'
import { exitCodes } from './exit-codes.ts'
import { installInterruption } from './interruption.ts'

/** Makes the process ready and runs the command line; resolves to the exit code. */
export async function start(args: readonly string[], version: string): Promise<number> {
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    // A reader that has seen enough (`crm … | head`) is no failure; data that got lost is one.
    if (error.code === 'EPIPE') process.exit(0)
    process.stderr.write(`error: The output could not be written (${error.code}).\ncode: OUTPUT_FAILED\n`)
    process.exit(exitCodes.failure)
  })
  process.stderr.on('error', (error: NodeJS.ErrnoException) =>
    process.exit(error.code === 'EPIPE' ? 0 : exitCodes.failure),
  )
  installInterruption()
  // The second call of a day should not compile what the first one compiled.
  enableCompileCache(readEnvironment().cacheDirectory)
  const { runProgram } = await import('./run-program.ts')
  return runProgram(args, version)
}
