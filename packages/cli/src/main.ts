#!/usr/bin/env node
import { readFileSync, writeSync } from 'node:fs'

const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'))
const args = process.argv.slice(2)
const oldestNode = 22

// `--version` prints before anything else is loaded, streams included, to stay fast.
if (args.length === 1 && (args[0] === '--version' || args[0] === '-V')) {
  try {
    writeSync(1, `${version}\n`)
  } catch {
    // The reader has closed the pipe.
  }
} else if (Number.parseInt(process.versions.node, 10) < oldestNode) {
  // The other files do not even load there.
  process.stderr.write(`crm needs Node ${oldestNode} or newer; this is ${process.versions.node}.\n`)
  process.exitCode = 1
} else {
  const { start } = await import('./start.ts')
  process.exitCode = await start(args, version)
}
