#!/usr/bin/env node
import { writeSync } from 'node:fs'

// An older Node would end with a stack about a function that it lacks, before any line of the program runs: so nothing else
// is imported above.
if (isNodeTooOld()) {
  writeSync(2, `crm-server: Node 22.15 or newer is needed; this is ${process.versions.node}\n`)
  process.exitCode = 1
} else {
  const { runProgram } = await import('./run-program.ts')
  await runProgram(process.argv.slice(2))
}

function isNodeTooOld(): boolean {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
  return major < 22 || (major === 22 && minor < 15)
}
