import { openAsBlob } from 'node:fs'
import type { PackageFolder } from '@crmkit/core/package-folder'
import type { Context } from '../../context.ts'
import { startProgress } from '../../output/progress.ts'
import type { Client } from '../../profile/open-client.ts'
import { spareMemory } from '../../spare-memory.ts'
import { sendEach, without } from './send-each.ts'

/** A gigabyte on a slow connection. */
const uploadMs = 60 * 60_000

interface Upload {
  readonly id: string
  readonly folder: PackageFolder
}

/**
 * Uploads what the server lacks, and returns the number of files of the package. The manifest comes first, because a new one
 * begins a new package; the lines come last.
 */
export async function uploadPackage(
  { output }: Context,
  { call }: Client,
  { id, folder }: Upload,
): Promise<number> {
  spareMemory()
  const progress = startProgress(output, 'file')
  const lines = folder.manifest.files.map(({ name }) => name)
  let total = 1 + lines.length
  for await (const _path of folder.bytesPaths()) total += 1
  let done = 0
  const send = async (path: string) => {
    const options = { timeout: uploadMs, deadline: uploadMs }
    const file = await openAsBlob(folder.path(path))
    await call((crm) => crm.imports.putPackageFile(id, path, file, options))
    progress.update(++done, { total })
  }
  const findHere = async (paths: readonly string[]) => {
    const { files } = await call((crm) => crm.imports.getPackage(id, { paths: [...paths] }))
    done += files.length
    return files.map(({ path }) => path)
  }
  try {
    await send('manifest.json')
    await sendEach(without(folder.bytesPaths(), findHere), send)
    // A file of lines may have other bytes than an earlier one of its name; the server compares them.
    await sendEach(lines, send)
    return total
  } finally {
    progress.end()
  }
}
