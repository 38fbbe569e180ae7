import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { build, type Plugin, stop } from 'esbuild'
import type { ServerFiles } from '../faults/support/fleet.ts'

const packageDirectory = fileURLToPath(new URL('../..', import.meta.url))
const inPackage = (file: string) => path.join(packageDirectory, file)

/** The command line, the server with its threads and its parser of mails, and the faults of a run. */
const programs = {
  crm: '../cli/src/main.ts',
  'crm-server': 'src/main/crm-server.ts',
  'writer-thread': 'src/adapters/sqlite/threads/writer-thread.ts',
  'reader-thread': 'src/adapters/sqlite/threads/reader-thread.ts',
  'hash-thread': 'src/mail/in/hash/hash-thread.ts',
  'parser-program': 'src/mail/parser-process/parser-program.ts',
  preload: 'test/faults/support/preload/preload.ts',
}
/** These files start one of the programs, which is next to them in the bundle. */
export const starters: readonly string[] = [
  'src/adapters/sqlite/threads/thread-client.ts',
  'src/mail/in/hash/hash-mail.ts',
  'src/mail/parser-process/mail-parser.ts',
].map(inPackage)

export interface Bundle extends ServerFiles {
  /** Holds each program as `NAME.js`. */
  directory: string
  remove(): void
}

/**
 * Bundles the sources of the programs: a start takes half of the processor time, a parser of mails a fifth. The tests start
 * hundreds of each. The code is the same, and so are its threads, its processes and its points.
 */
export async function bundlePrograms(): Promise<Bundle> {
  const cache = inPackage('node_modules/.cache')
  mkdirSync(cache, { recursive: true })
  // Inside the package, because the native modules are found from here.
  const directory = mkdtempSync(path.join(cache, 'server-'))
  await build({
    entryPoints: Object.fromEntries(Object.entries(programs).map(([name, file]) => [name, inPackage(file)])),
    outdir: directory,
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node24',
    conditions: ['@crmkit/source'],
    external: ['better-sqlite3', '@node-rs/argon2', '@napi-rs/keyring', '@crmkit/widget', '@crmkit/console'],
    banner: { js: commonJsNames },
    plugins: [urlsOfSources(directory)],
    logLevel: 'error',
  })
  // Its process would hold 350 MB until the end of the run.
  await stop()
  return {
    directory,
    program: path.join(directory, 'crm-server.js'),
    preload: path.join(directory, 'preload.js'),
    // Node fills it at the first orderly end of a server.
    variables: { NODE_COMPILE_CACHE: path.join(directory, 'compiled') },
    remove: () => rmSync(directory, { recursive: true, force: true }),
  }
}

/** The names that modules of the older kind expect. */
const commonJsNames = `import { createRequire as createRequireOfBundle } from 'node:module'
const require = createRequireOfBundle(import.meta.url)
const { filename: __filename, dirname: __dirname } = import.meta`

/** Files of the server are found next to their sources, as before, and its programs in the bundle. */
function urlsOfSources(directory: string): Plugin {
  return {
    name: 'urls-of-sources',
    setup({ onLoad }) {
      onLoad({ filter: /[/\\]src[/\\].*\.ts$/ }, ({ path: file }) => {
        const text = readFileSync(file, 'utf8')
        if (!text.includes('import.meta.url')) return undefined
        const url = pathToFileURL(starters.includes(file) ? path.join(directory, 'x.js') : file).href
        return { contents: text.replaceAll('import.meta.url', JSON.stringify(url)), loader: 'ts' }
      })
    },
  }
}
