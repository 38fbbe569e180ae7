import { readdirSync, statSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { htmlType, type PackedFile, packFile, scriptType } from '../packed-file.ts'

interface BuiltConsole {
  page: string
  mailFrame: string
  mailFrameScriptHash: string
  hashed: Record<string, string>
}

export interface ConsoleFiles {
  /** `ASSETS/` stands for the folder of the hashed files. */
  page: string
  mailFrame: PackedFile
  mailFrameScriptHash: string
  hashed: ReadonlyMap<string, PackedFile>
}

const styleType = 'text/css; charset=utf-8'

function packAll({ page, mailFrame, mailFrameScriptHash, hashed }: BuiltConsole): ConsoleFiles {
  const files = Object.entries(hashed).map(
    ([name, text]) => [name, packFile(text, name.endsWith('.css') ? styleType : scriptType)] as const,
  )
  return { page, mailFrame: packFile(mailFrame, htmlType), mailFrameScriptHash, hashed: new Map(files) }
}

/** The build writes the files beside this module. A failure is tried again by the next request. */
function readBuiltFiles(): () => Promise<ConsoleFiles> {
  let files: Promise<ConsoleFiles> | undefined
  return () => {
    files ??= readFile(new URL('./console.json', import.meta.url), 'utf8')
      .then((text) => packAll(JSON.parse(text)))
      .catch((error: unknown) => {
        files = undefined
        throw error
      })
    return files
  }
}

/** Time of the latest change below a folder. */
function changedAtMs(folder: string): number {
  const entries = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  return Math.max(...entries.map((entry) => statSync(path.join(folder, entry)).mtimeMs))
}

/**
 * From the sources: the first request builds the console, and a later one builds it again only when a source has changed.
 * Files of earlier builds stay available to the tabs that were opened with them.
 */
function buildFromSources(): () => Promise<ConsoleFiles> {
  let builtMs = 0
  let files: Promise<ConsoleFiles> | undefined
  const older = new Map<string, PackedFile>()
  return async () => {
    const { buildConsole, consoleSources } = await import('@crmkit/console')
    const changedMs = changedAtMs(consoleSources)
    if (files === undefined || changedMs > builtMs) {
      builtMs = changedMs
      files = buildConsole({ isDevelopment: true }).then((built) => {
        const packed = packAll(built)
        for (const [name, file] of packed.hashed) older.set(name, file)
        return { ...packed, hashed: older }
      })
      files.catch(() => {
        files = undefined
      })
    }
    return files
  }
}

export function createConsoleFiles(): () => Promise<ConsoleFiles> {
  return import.meta.url.endsWith('.ts') ? buildFromSources() : readBuiltFiles()
}
