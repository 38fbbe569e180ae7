import { cpSync, globSync, statSync } from 'node:fs'
import { join } from 'node:path'

/** tsc writes the modules only: what the server reads at run time (`.sql` migrations, pages) is copied beside them. */
export function copyServerAssets(): number {
  const source = 'packages/server/src'
  for (const file of globSync('**/*', { cwd: source, exclude: ['**/*.ts'] })) {
    if (statSync(join(source, file)).isFile()) cpSync(join(source, file), join('packages/server/dist', file))
  }
  return 0
}
