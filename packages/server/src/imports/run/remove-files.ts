import type { Write } from '../../ports/change.ts'
import type { TenantReads } from '../../ports/storage.ts'
import { removalOf } from '../../shared/removal-of.ts'
import { erasedAttachment } from '../../storage/kinds/attachments.ts'
import type { ImportFileRecord } from '../../storage/kinds/import-files.ts'
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
  module?: string
}

/** Returns the writes that delete uploaded files. The job of attachments deletes the bytes, then their rows. */
export async function removedFiles(
  store: TenantReads,
  { integrationId, now, module }: FilesOf,
): Promise<Write[]> {
  const { rows } = await store.importFiles.listRows({ integrationId, page: 1, limit: 100 })
  const found = rows.filter((row) => module === undefined || row.module === module)
  return (await Promise.all(found.map((file) => fileRemoval(store, file, now)))).flat()
}

/** Returns the writes that delete an uploaded file. */
export async function fileRemoval(
  store: Pick<TenantReads, 'attachments'>,
  file: Stored<ImportFileRecord>,
  now: string,
): Promise<Write[]> {
  const { _id: id } = file
  const remove = removalOf('importFiles', file)
  const bytes = await store.attachments.find(id)
  if (!bytes) return [remove]
  const set = erasedAttachment(now)
  return [remove, { op: 'update', kind: 'attachments', id, expectVersion: bytes.version, set }]
}

/** Returns the writes by which the uploaded files are removed 7 days after the run that reads them now. */
export async function filesKeptFrom(
  store: TenantReads,
  { integrationId, now }: Omit<FilesOf, 'module'>,
): Promise<Write[]> {
  const { rows } = await store.importFiles.listRows({ integrationId, page: 1, limit: 100 })
  const set = { keptUntil: fileKeptUntil(now) }
  const found = await Promise.all(rows.map(({ _id }) => store.attachments.find(_id)))
  return found.flatMap((bytes): Write[] =>
    bytes === undefined || bytes.erasedAt !== null
      ? []
      : [{ op: 'update', kind: 'attachments', id: bytes._id, expectVersion: bytes.version, set }],
  )
}
