#!/usr/bin/env node
import { existsSync, readFileSync, writeSync } from 'node:fs'

const readJson = (name: string) => JSON.parse(readFileSync(new URL(name, import.meta.url), 'utf8'))
const { version } = readJson('../package.json')
const args = process.argv.slice(2)

// `--version` prints before anything else is loaded, streams included, to stay fast.
if (args.length === 1 && (args[0] === '--version' || args[0] === '-V')) {
  try {
    writeSync(1, `${version}${ofCommit()}\n`)
  } catch {
    // The reader has closed the pipe.
  }
} else if (isNodeTooOld()) {
  writeSync(2, `error: crm needs Node 22.15 or newer; this is ${process.versions.node}.\n`)
  process.exitCode = 1
} else {
  const { start } = await import('./start.ts')
  process.exitCode = await start(args, version)
}

/** The commit that the package was made of; nothing when it runs from the sources. */
function ofCommit(): string {
  const { commit } = existsSync(new URL('build.json', import.meta.url))
    ? readJson('build.json')
    : { commit: null }
  return commit === null ? '' : ` (commit ${commit})`
}

/** An older Node would end with a stack about a module that it lacks. */
function isNodeTooOld(): boolean {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
  return major < 22 || (major === 22 && minor < 15)
}
