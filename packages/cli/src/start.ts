import { enableCompileCache } from 'node:module'
import { readEnvironment } from './config.ts'
import { exitCodes } from './exit-codes.ts'
import { installInterruption } from './interruption.ts'

/** Prepares the process and runs the command line; resolves to the exit code. */
export async function start(args: readonly string[], version: string): Promise<number> {
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    // A reader that closes the pipe early (`crm … | head`) is not a failure; lost data is one.
    if (error.code === 'EPIPE') process.exit(0)
    process.stderr.write(`error: The output could not be written (${error.code}).\ncode: OUTPUT_FAILED\n`)
    process.exit(exitCodes.failure)
  })
  process.stderr.on('error', (error: NodeJS.ErrnoException) =>
    process.exit(error.code === 'EPIPE' ? 0 : exitCodes.failure),
  )
  installInterruption()
  // Later calls reuse the compiled code of the first call.
  const { cacheDirectory, hasProxy } = readEnvironment()
  enableCompileCache(cacheDirectory)
  if (hasProxy) (await import('./use-proxy.ts')).useProxy()
  const { runProgram } = await import('./run-program.ts')
  return runProgram(args, version)
}
