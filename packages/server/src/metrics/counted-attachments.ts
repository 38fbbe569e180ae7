import type { AttachmentStore } from '../ports/attachment-store.ts'
import type { Meters } from '../ports/meters.ts'
import { StorageUnavailable } from '../storage/errors.ts'

/**
 * Returns the store, whose requests are counted from now on. A request fails when the store cannot be reached, refuses or is full; a sender
 * who goes away fails nothing.
 */
export function countedAttachments(
  store: AttachmentStore,
  meters: Pick<Meters, 'attachmentRequested'>,
): AttachmentStore {
  async function counted<Result>(request: 'write' | 'read' | 'remove', asked: Promise<Result>) {
    try {
      const result = await asked
      meters.attachmentRequested(request, 'done')
      return result
    } catch (error) {
      if (error instanceof StorageUnavailable) meters.attachmentRequested(request, 'failed')
      throw error
    }
  }
  const { spool } = store
  return {
    write: (key, bytes) => counted('write', store.write(key, bytes)),
    read: (key) => counted('read', store.read(key)),
    remove: (key) => counted('remove', store.remove(key)),
    fileOf: (key) => store.fileOf(key),
    sizeOf: (key) => store.sizeOf(key),
    list: () => store.list(),
    listStrays: () => store.listStrays(),
    close: () => store.close(),
    ...(spool && {
      spool: {
        folderOf: (place) => spool.folderOf(place),
        take: (key, bytes) => counted('write', spool.take(key, bytes)),
      },
    }),
  }
}
