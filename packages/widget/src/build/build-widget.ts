import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'

/** The files of the widget as the server serves them under `/widget`. */
export interface WidgetFiles {
  /** `v1.js`: names the loader of this build. */
  stub: string
  /** The page in the frame. */
  frame: string
  /** The files whose names contain the hash of their text, or of the texts of all languages. */
  hashed: Record<string, string>
  /** The names of the files that the stub and the frame load. */
  loaderName: string
  frameScriptName: string
}

const browser = new URL('../browser/', import.meta.url)
const languages = new URL('../languages/', import.meta.url)

/** Browsers of the last four years. */
const target = 'es2022'

async function bundle(file: string, define: Record<string, string> = {}): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [fileURLToPath(new URL(file, browser))],
    bundle: true,
    minify: true,
    write: false,
    format: 'iife',
    platform: 'browser',
    legalComments: 'none',
    target,
    define,
  })
  return outputFiles[0]?.text ?? ''
}

function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 20)
}

function hashedName(text: string): string {
  return `${hashOf(text)}.js`
}

/** Other codes of the same texts: both Norwegians read them, and old programs write the second for Hebrew. */
const otherCodes: Readonly<Record<string, readonly string[]>> = { nb: ['no', 'nn'], he: ['iw'] }

/** The texts of each language but English, as the files that a page loads one of. One hash keeps the list in the loader short. */
function readLanguages() {
  const texts = readdirSync(languages)
    .sort()
    .flatMap((file) => {
      const code = file.slice(0, -'.json'.length)
      const text = JSON.stringify(JSON.parse(readFileSync(new URL(file, languages), 'utf8')))
      return [code, ...(otherCodes[code] ?? [])].map((name) => ({ code: name, text }))
    })
  const hash = hashOf(texts.map(({ text }) => text).join('\n'))
  return {
    hash,
    codes: ['en', ...texts.map(({ code }) => code)].join(' '),
    hashed: Object.fromEntries(texts.map(({ code, text }) => [`${hash}.${code}.json`, text])),
  }
}

export async function buildWidget(): Promise<WidgetFiles> {
  const { hash, codes, hashed } = readLanguages()
  const [loader, frameScript] = await Promise.all([
    bundle('loader/loader.ts', { LANGUAGES: JSON.stringify(codes), LANGUAGES_HASH: JSON.stringify(hash) }),
    bundle('frame/frame.ts'),
  ])
  const loaderName = hashedName(loader)
  const frameScriptName = hashedName(frameScript)
  const integrity = `sha384-${createHash('sha384').update(loader).digest('base64')}`
  const stub = await bundle('loader/stub.ts', {
    LOADER_NAME: JSON.stringify(loaderName),
    LOADER_INTEGRITY: JSON.stringify(integrity),
  })
  const frame = readFileSync(new URL('frame/frame.html', browser), 'utf8')
  return {
    stub,
    frame: frame.replace('FRAME_SCRIPT', frameScriptName),
    hashed: { ...hashed, [loaderName]: loader, [frameScriptName]: frameScript },
    loaderName,
    frameScriptName,
  }
}
