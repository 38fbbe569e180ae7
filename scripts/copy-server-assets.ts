import { cpSync, globSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join, resolve } from 'node:path'
import { brotliCompressSync } from 'node:zlib'
import { buildConsole } from '../packages/console/src/build/build-console.ts'
import { buildWidget } from '../packages/widget/src/build/build-widget.ts'

/**
 * tsc writes only the modules: the files that the server reads at run time (`.sql` migrations, pages) are copied
 * beside them.
 */
export async function copyServerAssets(): Promise<number> {
  const source = 'packages/server/src'
  for (const file of globSync('**/*', { cwd: source, exclude: ['**/*.ts'] })) {
    if (statSync(join(source, file)).isFile()) cpSync(join(source, file), join('packages/server/dist', file))
  }
  // The reference's renderer is one script and one style sheet. The package of the renderer brings a dependency that
  // reports each installation to its maker, so its files travel in ours: compressed, with their licence.
  const renderer = createRequire(resolve('packages/server/package.json'))
  const target = 'packages/server/dist/http/pages/api-docs'
  for (const file of ['swagger-ui.css', 'swagger-ui-bundle.js']) {
    const bytes = readFileSync(renderer.resolve(`swagger-ui-dist/${file}`))
    rmSync(join(target, file), { force: true })
    writeFileSync(join(target, `${file}.br`), brotliCompressSync(bytes))
  }
  for (const file of ['LICENSE', 'NOTICE'])
    cpSync(renderer.resolve(`swagger-ui-dist/${file}`), join(target, `swagger-ui.${file}`))
  const widget = 'packages/server/dist/http/pages/widget'
  mkdirSync(widget, { recursive: true })
  writeFileSync(join(widget, 'widget.json'), JSON.stringify(await buildWidget()))
  const console = 'packages/server/dist/http/pages/console'
  mkdirSync(console, { recursive: true })
  writeFileSync(join(console, 'console.json'), JSON.stringify(await buildConsole({ isDevelopment: false })))
  return 0
}
