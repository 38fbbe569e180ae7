import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { gzipSync } from 'node:zlib'

interface BuiltWidget {
  stub: string
  frame: string
  hashed: Record<string, string>
}

export interface WidgetFile {
  type: string
  bytes: Buffer
  gzipped: Buffer
  etag: string
}

export interface WidgetFiles {
  stub: WidgetFile
  frame: WidgetFile
  hashed: ReadonlyMap<string, WidgetFile>
}

const scriptType = 'text/javascript; charset=utf-8'

/** The build writes the files beside this module; from the sources they are built by the first request. */
async function readBuilt(): Promise<BuiltWidget> {
  if (import.meta.url.endsWith('.ts')) return await (await import('@crmkit/widget')).buildWidget()
  return JSON.parse(await readFile(new URL('./widget.json', import.meta.url), 'utf8'))
}

function fileOf(text: string, type: string): WidgetFile {
  const bytes = Buffer.from(text)
  const etag = `"${createHash('sha256').update(bytes).digest('base64url')}"`
  return { type, bytes, gzipped: gzipSync(bytes, { level: 9 }), etag }
}

async function readFiles(): Promise<WidgetFiles> {
  const { stub, frame, hashed } = await readBuilt()
  const scripts = Object.entries(hashed).map(([name, text]) => [name, fileOf(text, scriptType)] as const)
  return {
    stub: fileOf(stub, scriptType),
    frame: fileOf(frame, 'text/html; charset=utf-8'),
    hashed: new Map(scripts),
  }
}

/** Reads the files once; a failure is tried again by the next request. */
export function createWidgetFiles(): () => Promise<WidgetFiles> {
  let files: Promise<WidgetFiles> | undefined
  return () => {
    files ??= readFiles().catch((error: unknown) => {
      files = undefined
      throw error
    })
    return files
  }
}
