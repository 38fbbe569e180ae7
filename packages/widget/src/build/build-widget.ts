import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'

/** The files of the widget as the server serves them under `/widget`. */
export interface WidgetFiles {
  /** `v1.js`: names the loader of this build. */
  stub: string
  /** The page in the frame. */
  frame: string
  /** The files whose names contain the hash of their text. */
  hashed: Record<string, string>
  /** The names of the files that the stub and the frame load. */
  loaderName: string
  frameScriptName: string
}

const browser = new URL('../browser/', import.meta.url)

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

function hashedName(text: string): string {
  return `${createHash('sha256').update(text).digest('hex').slice(0, 20)}.js`
}

export async function buildWidget(): Promise<WidgetFiles> {
  const [loader, frameScript] = await Promise.all([bundle('loader/loader.ts'), bundle('frame/frame.ts')])
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
    hashed: { [loaderName]: loader, [frameScriptName]: frameScript },
    loaderName,
    frameScriptName,
  }
}
