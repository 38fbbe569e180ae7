import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build, type Metafile, type OutputFile, type Plugin } from 'esbuild'

/** The files of the console as the server serves them under `/console/`. */
export interface ConsoleFiles {
  /** The page of every screen; `ASSETS/` stands for the folder of the hashed files, relative to the page's address. */
  page: string
  /** The page that shows the HTML of one mail, and the hash of its only script for its policy. */
  mailFrame: string
  mailFrameScriptHash: string
  /** The files whose names contain the hash of their text. */
  hashed: Record<string, string>
  /** The hashed files that the first screen loads. */
  firstLoad: string[]
}

export interface BuildOptions {
  /** Whether the page of the building blocks is part of the build. */
  isDevelopment: boolean
}

const sources = new URL('../', import.meta.url)

/** Where the console's sources are, for a server that builds them itself. */
export const consoleSources: string = fileURLToPath(sources)

/** Browsers of the last two years: older ones lack `light-dark()` of the style sheets. */
const target = 'es2023'
/** Old browsers have to run it, to show the sentence about themselves. */
const preflightTarget = 'es2017'

function pathOf(file: string): string {
  return fileURLToPath(new URL(file, sources))
}

/** Bundles the console. It takes a fraction of a second, so a server may do it for a request. */
export async function buildConsole({ isDevelopment }: BuildOptions): Promise<ConsoleFiles> {
  const { outputFiles, metafile } = await build({
    entryPoints: { app: pathOf('app/main.tsx') },
    bundle: true,
    splitting: true,
    minify: true,
    write: false,
    metafile: true,
    format: 'esm',
    platform: 'browser',
    jsx: 'automatic',
    jsxImportSource: 'preact',
    conditions: ['@crmkit/source', 'browser'],
    entryNames: '[name]-[hash]',
    chunkNames: '[name]-[hash]',
    outdir: pathOf('../out'),
    absWorkingDir: consoleSources,
    legalComments: 'none',
    plugins: [undividedFirstLoad],
    target,
    define: { IS_DEVELOPMENT: String(isDevelopment) },
  })
  const preflight = await buildPreflight()
  const script = nameOf(outputFiles, /^app-.*\.js$/)
  const styles = nameOf(outputFiles, /^app-.*\.css$/)
  const scripts = loadedWith(script, metafile.outputs)
  assertOneStyleSheet(styles, metafile)
  const hashed = Object.fromEntries([
    ...outputFiles.map(({ path, text }) => [basename(path), text]).filter(([name]) => isServed(name, styles)),
    [preflight.name, preflight.text],
  ])
  const page = readFileSync(pathOf('app/index.html'), 'utf8')
  return {
    page: page
      .replace('PREFLIGHT', `ASSETS/${preflight.name}`)
      .replace('APP_PRELOADS', scripts.slice(1).map(preloadOf).join('\n    '))
      .replace('APP_SCRIPT', `ASSETS/${script}`)
      .replace('APP_STYLES', `ASSETS/${styles}`),
    ...(await buildMailFrame()),
    hashed,
    firstLoad: [...scripts, styles, preflight.name],
  }
}

/**
 * Code that the first load shares with a later part would be a file of its own for each combination of parts. When every part
 * imports the whole first load, it is one file, however many parts there are.
 */
const undividedFirstLoad: Plugin = {
  name: 'undivided-first-load',
  setup({ onResolve, onLoad, resolve }) {
    onResolve({ filter: /^\./ }, async ({ path, kind, resolveDir, importer }) => {
      if (kind !== 'dynamic-import') return undefined
      const { path: file, errors } = await resolve(path, { kind: 'import-statement', resolveDir, importer })
      return errors.length > 0 ? { errors } : { path: file, namespace: 'part' }
    })
    onLoad({ filter: /./, namespace: 'part' }, ({ path }) => ({
      contents: [
        `import ${JSON.stringify(pathOf('app/app.tsx'))}`,
        `export * from ${JSON.stringify(path)}`,
      ].join('\n'),
      resolveDir: consoleSources,
    }))
  },
}

/** The page links one style sheet: one that only a later part imports would never be loaded. */
function assertOneStyleSheet(styles: string, { inputs, outputs }: Metafile): void {
  const linked = Object.entries(outputs).find(([path]) => basename(path) === styles)?.[1].inputs ?? {}
  const missing = Object.keys(inputs).filter((path) => path.endsWith('.css') && !(path in linked))
  if (missing.length > 0) throw new Error(`No module of the first load imports ${missing.join(', ')}`)
}

function isServed(name: string | undefined, styles: string): boolean {
  return name?.endsWith('.css') !== true || name === styles
}

/** A browser that starts to load the file at once does not wait for the script that imports it. */
function preloadOf(script: string): string {
  return `<link rel="modulepreload" href="ASSETS/${script}" />`
}

function nameOf(files: readonly OutputFile[], pattern: RegExp): string {
  const file = files.find(({ path }) => pattern.test(basename(path)))
  if (file === undefined) throw new Error(`The build has no file ${pattern}`)
  return basename(file.path)
}

type Outputs = Readonly<Record<string, { imports: readonly { path: string; kind: string }[] }>>

/** The names of a script and of all that it imports before it runs. */
function loadedWith(script: string, outputs: Outputs): string[] {
  const byName = new Map(Object.entries(outputs).map(([path, output]) => [basename(path), output]))
  const names = new Set([script])
  for (const name of names) {
    for (const { path, kind } of byName.get(name)?.imports ?? []) {
      if (kind === 'import-statement') names.add(basename(path))
    }
  }
  return [...names]
}

/** A script of its own: shared chunks of the modules run before any of their code could mend the browser. */
async function buildPreflight(): Promise<{ name: string; text: string }> {
  const { outputFiles } = await build({
    entryPoints: [pathOf('preflight/preflight.ts')],
    bundle: true,
    minify: true,
    write: false,
    format: 'iife',
    platform: 'browser',
    legalComments: 'none',
    target: preflightTarget,
  })
  const text = outputFiles[0]?.text ?? ''
  const hash = createHash('sha256').update(text).digest('hex').slice(0, 8).toUpperCase()
  return { name: `preflight-${hash}.js`, text }
}

async function buildMailFrame(): Promise<Pick<ConsoleFiles, 'mailFrame' | 'mailFrameScriptHash'>> {
  const { outputFiles } = await build({
    entryPoints: [pathOf('mail-frame/mail-frame.ts')],
    bundle: true,
    minify: true,
    write: false,
    format: 'iife',
    platform: 'browser',
    legalComments: 'none',
    target,
  })
  const script = outputFiles[0]?.text ?? ''
  const html = readFileSync(pathOf('mail-frame/mail-frame.html'), 'utf8')
  return {
    // A function, because a text would replace `$&` and its like.
    mailFrame: html.replace('FRAME_SCRIPT', () => script),
    mailFrameScriptHash: createHash('sha256').update(script).digest('base64'),
  }
}
