import type { Write } from '../ports/change.ts'
import type { TenantStore } from '../ports/storage.ts'
import { erasedAttachment } from '../storage/kinds/attachments.ts'

interface FilesOf {
  integrationId: string
  now: string
  /** Undefined: the files of all modules. */
  module?: string
}

/** Returns the writes that delete uploaded files. The job of attachments deletes the bytes, then their rows. */
export async function removedFiles(
  store: TenantStore,
  { integrationId, now, module }: FilesOf,
): Promise<Write[]> {
  const { rows } = await store.importFiles.list({ integrationId, page: 1, limit: 100 })
  const found = rows.filter((row) => module === undefined || row.module === module)
  const writes = await Promise.all(
    found.map(async ({ _id: id }): Promise<Write[]> => {
      const remove: Write = { op: 'remove', kind: 'importFiles', id }
      const bytes = await store.attachments.find(id)
      if (!bytes) return [remove]
      const set = erasedAttachment(now)
      return [remove, { op: 'update', kind: 'attachments', id, expectVersion: bytes.version, set }]
    }),
  )
  return writes.flat()
}
