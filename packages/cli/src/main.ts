#!/usr/bin/env node
import { readFileSync } from 'node:fs'
import { exitCodes } from './exit-codes.ts'
import { installInterruption } from './interruption.ts'

// A reader that has seen enough (`crm … | head`) is no failure.
for (const stream of [process.stdout, process.stderr]) {
  stream.on('error', (error: NodeJS.ErrnoException) =>
    process.exit(error.code === 'EPIPE' ? 0 : exitCodes.failure),
  )
}
installInterruption()

const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'))
const args = process.argv.slice(2)

// The quickest question gets its answer before anything else is loaded.
if (args.length === 1 && (args[0] === '--version' || args[0] === '-V')) {
  process.stdout.write(`${version}\n`)
} else {
  const { enableCompileCache } = await import('node:module')
  const { readEnvironment } = await import('./config.ts')
  // The second call of a day should not compile what the first one compiled.
  enableCompileCache(readEnvironment().cacheDirectory)
  const { runProgram } = await import('./run-program.ts')
  process.exitCode = await runProgram(args, version)
}
