import { readFile } from 'node:fs/promises'
import { htmlType, jsonType, type PackedFile, packFile, scriptType } from '../packed-file.ts'

interface BuiltWidget {
  stub: string
  frame: string
  hashed: Record<string, string>
}

export interface WidgetFiles {
  stub: PackedFile
  frame: PackedFile
  hashed: ReadonlyMap<string, PackedFile>
}

/** The build writes the files beside this module; from the sources they are built by the first request. */
async function readBuilt(): Promise<BuiltWidget> {
  if (import.meta.url.endsWith('.ts')) return await (await import('@crmkit/widget')).buildWidget()
  return JSON.parse(await readFile(new URL('./widget.json', import.meta.url), 'utf8'))
}

async function readFiles(): Promise<WidgetFiles> {
  const { stub, frame, hashed } = await readBuilt()
  const named = Object.entries(hashed).map(([name, text]) => {
    const type = name.endsWith('.json') ? jsonType : scriptType
    return [name, packFile(text, type)] as const
  })
  return {
    stub: packFile(stub, scriptType),
    frame: packFile(frame, htmlType),
    hashed: new Map(named),
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
