import { cpSync, globSync, statSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join, resolve } from 'node:path'

/**
 * tsc writes only the modules: the files that the server reads at run time (`.sql` migrations, pages) are copied
 * beside them.
 */
export function copyServerAssets(): number {
  const source = 'packages/server/src'
  for (const file of globSync('**/*', { cwd: source, exclude: ['**/*.ts'] })) {
    if (statSync(join(source, file)).isFile()) cpSync(join(source, file), join('packages/server/dist', file))
  }
  // The reference's renderer is one script and one style sheet: too small to be a dependency for everyone who
  // installs the server.
  for (const file of ['swagger-ui.css', 'swagger-ui-bundle.js']) {
    const from = createRequire(resolve('packages/server/package.json')).resolve(`swagger-ui-dist/${file}`)
    cpSync(from, join('packages/server/dist/http/pages/api-docs', file))
  }
  return 0
}
