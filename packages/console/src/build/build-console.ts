import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build, type OutputFile } from 'esbuild'

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
    target,
    define: { IS_DEVELOPMENT: String(isDevelopment) },
  })
  const preflight = await buildPreflight()
  const hashed = Object.fromEntries([
    ...outputFiles.map(({ path, text }) => [basename(path), text]),
    [preflight.name, preflight.text],
  ])
  const script = nameOf(outputFiles, /^app-.*\.js$/)
  const styles = nameOf(outputFiles, /^app-.*\.css$/)
  const page = readFileSync(pathOf('app/index.html'), 'utf8')
  return {
    page: page
      .replace('PREFLIGHT', `ASSETS/${preflight.name}`)
      .replace('APP_SCRIPT', `ASSETS/${script}`)
      .replace('APP_STYLES', `ASSETS/${styles}`),
    ...(await buildMailFrame()),
    hashed,
    firstLoad: [...loadedWith(script, metafile.outputs), styles, preflight.name],
  }
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
