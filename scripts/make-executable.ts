import { chmodSync } from 'node:fs'

/** The programs of the packages. npm makes them executable when it installs a tarball; a deployed folder keeps their mode. */
const programs = ['packages/server/dist/main/crm-server.js', 'packages/cli/dist/main.js']

/** tsc writes files that nobody may execute, and docs/production.md links to the server's. */
export async function makeExecutable(): Promise<number> {
  for (const program of programs) chmodSync(program, 0o755)
  return 0
}
