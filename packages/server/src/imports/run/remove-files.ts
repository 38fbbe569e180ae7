import type { Write } from '../../ports/change.ts'
import type { TenantReads } from '../../ports/storage.ts'
import { removalOf } from '../../shared/removal-of.ts'
import { erasedAttachment } from '../../storage/kinds/attachments.ts'
import { bytesIdOf, type ImportFileRecord } from '../../storage/kinds/import-files.ts'
import type { Stored } from '../../storage/records.ts'
import { later } from '../plan/page-plan.ts'

const fileKeepMs = 7 * 24 * 3600 * 1000

/** Returns when a file goes that was uploaded, or read by a run, now. */
export function fileKeptUntil(now: string): string {
  return later(now, fileKeepMs)
}

interface FilesOf {
  integrationId: string
  now: string
  /** Undefined: the files of all modules. */
  modules?: readonly string[]
}

/** Returns the writes that delete uploaded files. The job of attachments deletes the bytes, then their rows. */
export async function removedFiles(
  store: TenantReads,
  { integrationId, now, modules }: FilesOf,
): Promise<Write[]> {
  const { rows: files } = await store.importFiles.listRows({ integrationId, page: 1, limit: 100 })
  const removed = files.filter((row) => modules === undefined || modules.includes(row.module))
  return fileRemovals(store, { removed, files, now })
}

interface Removals {
  removed: readonly Stored<ImportFileRecord>[]
  /** All files of the same integrations. */
  files: readonly Stored<ImportFileRecord>[]
  now: string
}

/** Returns the writes that delete some of the uploaded files, and the bytes that no other file has. */
export async function fileRemovals(
  store: Pick<TenantReads, 'attachments'>,
  { removed, files, now }: Removals,
): Promise<Write[]> {
  const kept = new Set(files.filter((file) => !removed.includes(file)).map(bytesIdOf))
  const ofBytes = [...new Set(removed.map(bytesIdOf))].map(async (id): Promise<Write[]> => {
    const bytes = await store.attachments.find(id)
    if (!bytes) return []
    // The row is written even where the bytes stay: of two removals at one moment, each would leave them to the other.
    const set = kept.has(id) ? { updatedAt: now } : erasedAttachment(now)
    return [{ op: 'update', kind: 'attachments', id, expectVersion: bytes.version, set }]
  })
  return [...removed.map((file) => removalOf('importFiles', file)), ...(await Promise.all(ofBytes)).flat()]
}

/** Returns the writes by which the uploaded files are removed 7 days after the run that reads them now. */
export async function filesKeptFrom(
  store: TenantReads,
  { integrationId, now }: Omit<FilesOf, 'modules'>,
): Promise<Write[]> {
  const { rows } = await store.importFiles.listRows({ integrationId, page: 1, limit: 100 })
  const set = { keptUntil: fileKeptUntil(now) }
  const ids = new Set(rows.map(bytesIdOf))
  const found = await Promise.all([...ids].map((id) => store.attachments.find(id)))
  return found.flatMap((bytes): Write[] =>
    bytes === undefined || bytes.erasedAt !== null
      ? []
      : [{ op: 'update', kind: 'attachments', id: bytes._id, expectVersion: bytes.version, set }],
  )
}
